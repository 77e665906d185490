//go:build real

package mqtt

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
)

// tools is where what npm has is installed, and the scripts that use it.
const tools = "display/browser"

func node(t *testing.T, script string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", append([]string{script}, args...)...)
	cmd.Dir, cmd.WaitDelay = tools, 10*time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: node and `make parts` are needed: %v\n%s", script, err, out)
	}
	return string(out)
}

// The AsyncAPI document is in order by the public tool, with every schema it refers to.
func TestAsyncAPI(t *testing.T) {
	path, err := filepath.Abs("asyncapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if out := node(t, "asyncapi.mjs", path); !strings.Contains(out, "10 channels") {
		t.Errorf("%s", out)
	}
}

// The page in README.md, with the public mqtt.js, in a real Chromium, over WebSockets to a real Mosquitto and to the embedded broker: what it shows is what the table says.
func TestTheExampleInABrowser(t *testing.T) {
	t.Run("mosquitto", func(t *testing.T) {
		addr, web := mqtttest.FreeAddr(t), mqtttest.FreeAddr(t)
		startMosquittoWith(t, addr, fmt.Sprintf("listener %s 127.0.0.1\nprotocol websockets\nsocket_domain ipv4\n", port(web)))
		tryExample(t, addr, web)
	})
	t.Run("embedded", func(t *testing.T) {
		b, err := broker.Start(broker.Config{Web: "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		tryExample(t, b.Addr(), b.Web(), "elsewhere.example") // a page of any other site it does not take
	})
}

// tryExample opens the page beside a table that is connected at addr; web is where the page is. From the site elsewhere it must not get there.
func tryExample(t *testing.T, addr, web string, elsewhere ...string) {
	table := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr))
	if token := table.Connect(); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer table.Disconnect(100)
	say := func(topic string, retained bool, payload string) {
		if token := table.Publish("sabot/BJ-1/"+topic, 1, retained, payload); token.Wait() && token.Error() != nil {
			t.Error(token.Error())
		}
	}
	layout := strings.Split(example(t, "layout"), "\n")[0]
	say("status", true, strings.Split(example(t, "status"), "\n")[1])
	say("layout", true, layout)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir("example")))
	mux.HandleFunc("GET /mqtt.min.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(tools, "node_modules/mqtt/dist/mqtt.min.js"))
	})
	mux.HandleFunc("POST /call", func(http.ResponseWriter, *http.Request) {
		say("call", false, `{"v":1,"record":"3ffbf0a1786e7cd63580c4e1da599516","seq":6,"at":"2026-11-30T01:53:55.000Z","round":37,"calls":[{"call":"card","hand":"3a","card":"Kh","why":"hit","total":21,"soft":false}]}`)
	})
	mux.HandleFunc("POST /lost", func(http.ResponseWriter, *http.Request) {
		say("status", true, strings.Replace(strings.Split(example(t, "status"), "\n")[1], "online", "lost", 1))
	})
	pages := httptest.NewServer(mux)
	defer pages.Close()
	node(t, "example.mjs", append([]string{pages.URL, "ws://" + web}, elsewhere...)...)
}

// example is a block of examples in README.md.
func example(t *testing.T, name string) string {
	t.Helper()
	_, rest, _ := strings.Cut(readme(t), "```json "+name+"\n")
	block, _, _ := strings.Cut(rest, "```")
	return block
}

func port(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}
