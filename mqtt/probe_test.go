package mqtt

import (
	"strings"
	"testing"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
)

// TestProbe tries a broker as the table's user, who may do all, as one who may only look, with a wrong password, and while the table is there.
func TestProbe(t *testing.T) {
	b, err := broker.Start(broker.Config{Users: map[string]broker.User{
		"table": {Password: "t", Role: broker.Table}, "screen": {Password: "s", Role: broker.Overlay},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c := Config{Broker: b.Addr(), Table: "BJ-1", User: "table", Password: "t"}
	rights, online, err := Probe(t.Context(), c)
	if err != nil || online != "" || len(rights) != 8 {
		t.Fatalf("%v %q %v", rights, online, err)
	}
	for _, r := range rights {
		if r.Why != "" {
			t.Errorf("%+v", r)
		}
	}
	screen := c
	screen.User, screen.Password = "screen", "s"
	if rights, _, err = Probe(t.Context(), screen); err != nil {
		t.Fatal(err)
	}
	for _, r := range rights {
		if r.Why == "" {
			t.Errorf("a screen may write %s", r.Topic)
		}
	}
	wrong := c
	wrong.Password = "x"
	if _, _, err = Probe(t.Context(), wrong); err == nil || strings.Contains(err.Error(), "x\"") {
		t.Errorf("a wrong password: %v", err)
	}
	someone := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID("someone").SetUsername("table").SetPassword("t"))
	if token := someone.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer someone.Disconnect(0)
	someone.Publish("sabot/BJ-1/status", 1, true, `{"v":1,"state":"online","instance":"A"}`).Wait()
	if rights, online, err = Probe(t.Context(), c); err != nil || online != "A" || rights != nil {
		t.Errorf("beside a table: %v %q %v", rights, online, err)
	}
}
