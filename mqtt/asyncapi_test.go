package mqtt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// asyncAPI is asyncapi.yaml, as far as a test here looks into it.
type asyncAPI struct {
	Channels map[string]struct {
		Address  string
		Messages map[string]struct{ Payload map[string]string }
	}
	Operations map[string]struct {
		Action   string
		Channel  map[string]string
		Bindings struct {
			MQTT struct {
				QoS    int
				Retain bool
			} `yaml:"mqtt"`
		}
	}
}

// The AsyncAPI document has each topic of the program and no other, with its schema and as it is sent; TestAsyncAPI holds it against the public tool.
func TestAsyncAPIHasEveryTopic(t *testing.T) {
	text, err := os.ReadFile("asyncapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc asyncAPI
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	ours := topicsOf("{table}")
	payloads := map[string]string{
		ours.status: "status", ours.layout: "layout", ours.call: "call", ours.floor: "floor", ours.floorState: "floor-state", ours.settlement: "settlement",
		ours.commandGame: "command-game", ours.commandFloor: "command-floor", ours.replyGame: "reply", ours.replyFloor: "reply",
	}
	schemas := map[string]bool{"defs": true}
	for name, c := range doc.Channels {
		want, known := payloads[c.Address]
		if !known || name != strings.TrimPrefix(c.Address, "sabot/{table}/") || len(c.Messages) != 1 {
			t.Errorf("%s: %s is no topic of ours with one kind of message", name, c.Address)
		}
		delete(payloads, c.Address)
		for _, m := range c.Messages {
			schemas[want] = true
			if m.Payload["$ref"] != "schema/"+want+".json" {
				t.Errorf("%s: payload %s, want %s", name, m.Payload, want)
			}
		}
	}
	if len(payloads) > 0 {
		t.Errorf("missing: %v", payloads)
	}
	files, _ := filepath.Glob("schema/*.json")
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".json"); !schemas[name] {
			t.Errorf("no topic has the schema %s", name)
		}
	}
	retained := []string{"status", "layout", "floor/state"}
	for name, o := range doc.Operations {
		received := strings.HasPrefix(name, "command/")
		if o.Bindings.MQTT.QoS != 1 || o.Bindings.MQTT.Retain != slices.Contains(retained, name) || (o.Action == "receive") != received || o.Channel["$ref"] != "#/channels/"+strings.ReplaceAll(name, "/", "~1") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if len(doc.Operations) != len(doc.Channels)-2 { // replies belong to their commands
		t.Errorf("%d operations on %d channels", len(doc.Operations), len(doc.Channels))
	}
}

// The page in README.md is the one that a browser is shown, and no longer than it says.
func TestTheExampleIsInTheReadme(t *testing.T) {
	page, err := os.ReadFile("example/overlay.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(readme(t), "```html\n"+string(page)+"```\n") {
		t.Error("README.md has another page")
	}
	if n := strings.Count(string(page), "\n"); n > 34 {
		t.Errorf("%d lines", n)
	}
}
