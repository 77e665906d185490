// Command box is a dealer's box with nothing behind it: it tells what is pressed, and at each SIGUSR1 shows the next of what it was told to show. Tests
// run it where the lines are real.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"sabot/drivers/gpio"
)

// box is what it is told, as JSON, in its only argument.
type box struct {
	Buttons []gpio.Button
	Lamps   []gpio.Lamp
	Shows   []gpio.Lights // the first one at the start
	Hangs   string        // a button whose press is never answered, as with a disk that hangs
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Println("box:", err)
		os.Exit(1)
	}
}

func run(told string) error {
	var b box
	if err := json.Unmarshal([]byte(told), &b); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	halt := func() { fmt.Println("box: halt") }
	board, err := gpio.Open(gpio.Config{Buttons: b.Buttons, Lamps: b.Lamps, Halt: halt}, slog.Default())
	if err != nil {
		return err
	}
	next := make(chan os.Signal, 1)
	signal.Notify(next, syscall.SIGUSR1)
	go func() {
		for _, lights := range b.Shows {
			board.Show(lights)
			<-next
		}
	}()
	fmt.Println("box: ready")
	return board.Run(ctx, func(p gpio.Press) {
		fmt.Println("box:", p.Button, p.Kind)
		if p.Button == b.Hangs {
			<-ctx.Done()
		}
	})
}
