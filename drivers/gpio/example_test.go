package gpio_test

import (
	"context"
	"log/slog"
	"time"

	"sabot/drivers/gpio"
)

// The dealer's six buttons, the supervisor's key in a normally closed loop, and all outputs. The lock hangs on a relay that switches at low level.
func Example() {
	c := gpio.Config{
		Buttons: []gpio.Button{
			{Name: "next", Line: "GPIO4"},
			{Name: "hit", Line: "GPIO17"},
			{Name: "stand", Line: "GPIO27"},
			{Name: "double", Line: "GPIO22"},
			{Name: "split", Line: "GPIO23", Hold: time.Second},
			{Name: "stop", Line: "GPIO24", Halts: true},
			{Name: "key", Line: "GPIO25", Sense: gpio.NormallyClosed, Hold: time.Second, Halts: true},
		},
		Lamps: []gpio.Lamp{
			{Name: gpio.Green, Line: "GPIO5"},
			{Name: gpio.Amber, Line: "GPIO6"},
			{Name: gpio.Red, Line: "GPIO13"},
			{Name: gpio.Blue, Line: "GPIO19"},
			{Name: gpio.Buzzer, Line: "GPIO26"},
			{Name: gpio.Lock, Line: "GPIO16", ActiveLow: true},
		},
		Halt: func() { /* lock what has no wire here, the shoe's own mouth */ },
	}
	log := slog.Default()
	board, err := gpio.Open(c, log) // before anything else opens files
	if err != nil {
		log.Error("no buttons", "why", err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go board.Run(ctx, func(p gpio.Press) { // red is lit and the mouth locked until somebody says otherwise
		switch {
		case p.Button == "key" && p.Kind == gpio.Held: // resume
			board.Show(gpio.Lights{Green: gpio.On, Open: true})
		case p.Kind == gpio.Down && (p.Button == "key" || p.Button == "stop"): // red already
			board.Show(gpio.Lights{Red: gpio.SlowBlink})
		case p.Kind == gpio.Stuck || p.Kind == gpio.Bouncing || p.Kind == gpio.Lost:
			board.Beep()
		}
	})
}
