package main

import (
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
)

// shoes are the shoes that can be read, by the name of the protocol they speak.
var shoes = map[string]protocol{
	"line": {115200, 7 * time.Second, func(device string) shoe.Decoder { return line.New(device) }},
}

// protocol is how a shoe speaks.
type protocol struct {
	baud    int                              // where the configuration does not say
	silence time.Duration                    // three heartbeats and a bit; 0 for devices that have none
	new     func(device string) shoe.Decoder // device is its name in events
}
