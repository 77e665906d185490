package main

import (
	"sabot/shoe"
	"sabot/shoe/line"
)

// shoes are the shoes that can be read, by the name of the protocol they speak.
var shoes = map[string]protocol{
	"line": {115200, func(device string) shoe.Decoder { return line.New(device) }},
}

// protocol is how a shoe speaks.
type protocol struct {
	baud int                              // where the configuration does not say
	new  func(device string) shoe.Decoder // device is its name in events
}
