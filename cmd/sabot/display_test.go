package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sabot/mqtt"
	"sabot/mqtt/display"
	"sabot/table"
)

// The demonstration serves its pages while it plays, and says where; there is a broker for others' pages, too.
func TestDemoServesItsPages(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	said := make(lines, 64)
	done := make(chan error, 1)
	v, _ := find("demo")
	go func() {
		done <- demo(&env{ctx: ctx, stdin: strings.NewReader(""), stdout: said, stderr: said, verb: v}, []string{"--mqtt", "127.0.0.1:0", "--pages", "127.0.0.1:0"})
	}()
	for text := range said {
		address, found := strings.CutPrefix(text, "overlay: ")
		if !found {
			continue
		}
		answer, err := http.Get(strings.TrimSpace(address))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", address, answer.Status)
		}
		break
	}
	for text := range said {
		if address, found := strings.CutPrefix(text, "for web pages of your own: "); found {
			if _, _, err := mqtt.Probe(ctx, mqtt.Config{Broker: strings.TrimSpace(address), Table: "OTHER"}); err != nil {
				t.Errorf("%s: %v", address, err)
			}
			break
		}
	}
	stop()
	for {
		select {
		case <-said:
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// lines is a writer that gives what is written to whoever reads.
type lines chan string

// Write is io.Writer's.
func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// A record is shown round by round: each event with the felt after it, which is what replay makes.
func TestAuditOfAKeptRecord(t *testing.T) {
	h, err := display.Audit(keptRecord, recordedGame)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, into any) {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8080"+path, nil))
		if err := json.Unmarshal(w.Body.Bytes(), into); w.Code != http.StatusOK || err != nil {
			t.Fatalf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
	var rounds []struct {
		Segment, Entries int
		Round            uint32
	}
	get("/audit/rounds", &rounds)
	entries, cards := 0, 0
	for _, r := range rounds {
		var steps []struct {
			Seq    int64
			Event  string
			Same   bool
			Layout table.Layout
		}
		get(fmt.Sprintf("/audit/round?segment=%d&round=%d", r.Segment, r.Round), &steps)
		if len(steps) < r.Entries {
			t.Errorf("round %d: %d of %d entries", r.Round, len(steps), r.Entries)
		}
		entries += len(steps)
		for _, s := range steps {
			if s.Layout.Seq != s.Seq || s.Event == "" {
				t.Errorf("%+v", s)
			}
			for _, seat := range s.Layout.Seats {
				for _, hand := range seat.Hands {
					cards += len(hand.Cards)
				}
			}
		}
	}
	if len(rounds) < 3 || entries < 20 || cards == 0 {
		t.Errorf("%d rounds, %d entries, %d cards", len(rounds), entries, cards)
	}
	for name, site := range map[string]string{"http://127.0.0.1:8080": "cross-site", "http://rebound.example": "same-origin", "http://rebound.example:8080": ""} {
		r := httptest.NewRequest("GET", name+"/audit/rounds", nil)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Errorf("%s, %s: %d", name, site, w.Code)
		}
	}
}

// With a certificate pages are served over HTTP/2: over HTTP/1.1 a browser has six connections to a server, and each open page holds one.
func TestPagesOverTLS(t *testing.T) {
	dir := t.TempDir()
	pool := selfSigned(t, dir)
	l, scheme, err := DisplayConfig{Listen: "127.0.0.1:0", Cert: filepath.Join(dir, "cert"), Key: filepath.Join(dir, "key")}.open()
	if err != nil {
		t.Fatal(err)
	}
	s, err := display.New(display.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- display.Serve(ctx, l, s.Handler()) }()
	browser := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	for range 20 { // at once
		answer, err := browser.Get(pageURL(scheme, l, "/events/T"))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := answer.Body.Read(make([]byte, 1)); err != nil || answer.ProtoMajor != 2 {
			t.Fatalf("%s: %v", answer.Proto, err)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// selfSigned writes cert and key into a folder.
func selfSigned(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, text := range map[string][]byte{"cert": cert, "key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return pool
}

func TestDisplayCommandLine(t *testing.T) {
	for args, want := range map[string]int{
		"--listen x":                     exitUsage,
		"--broker x":                     exitUsage,
		"--broker tcp://h:1 --journal x": exitUsage,
		"--broker tcp://h:1 x":           exitUsage,
		"--journal " + keptRecord + " --listen 0.0.0.0:0": exitUsage,
		"--journal testdata":                              exitFailed,
		"/nowhere/sabot.yaml":                             exitConfig,
	} {
		if _, stderr, code := sabot(append([]string{"display"}, strings.Fields(args)...)...); code != want {
			t.Errorf("display %s: exit %d, want %d: %s", args, code, want, stderr)
		}
	}
}

// An account is made, changed and taken out; its file is its owner's alone and holds no password.
func TestPasswd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	give := func(stdin string, args ...string) int {
		var out, errs strings.Builder
		return run(append([]string{"passwd"}, args...), strings.NewReader(stdin), &out, &errs)
	}
	if code := give("a long password\n", file, "S-2"); code != exitOK {
		t.Fatalf("exit %d", code)
	}
	text, _ := os.ReadFile(file)
	info, _ := os.Stat(file)
	if !strings.HasPrefix(string(text), "S-2:$argon2id$") || strings.Contains(string(text), "long") || info.Mode().Perm() != 0o600 {
		t.Errorf("%s %v", text, info.Mode())
	}
	for _, wrong := range []struct {
		stdin string
		args  []string
	}{{"short\n", []string{file, "S-2"}}, {"", []string{file, "S-2"}}, {"\n", []string{file, "S-2"}}, {"a long password\n", []string{file, "S 2"}}, {"", []string{"--remove", file, "S-3"}}} {
		if code := give(wrong.stdin, wrong.args...); code != exitFailed {
			t.Errorf("%q %q: exit %d", wrong.stdin, wrong.args, code)
		}
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("a refused change changed the file")
	}
	if code := give("", "--remove", file, "S-2"); code != exitOK {
		t.Errorf("remove: exit %d", code)
	}
	if after, _ := os.ReadFile(file); len(after) != 0 {
		t.Errorf("removed: %s", after)
	}
}

// Passwords do not cross a network in the clear.
func TestDisplayConfig(t *testing.T) {
	tests := []struct{ section, want string }{
		{"display:\n  listen: 0.0.0.0:8080\n", ""},
		{"display:\n  listen: 127.0.0.1:8080\n  accounts: /a\n", ""},
		{"display:\n  accounts: /a\n", ""},
		{"display:\n  listen: 0.0.0.0:8080\n  accounts: /a\n", "unencrypted"},
		{"display:\n  listen: 0.0.0.0:8080\n  accounts: /a\n  cert: /c\n  key: /k\n", ""},
		{"display:\n  cert: /c\n", "without display.key"},
		{"display:\n  listen: everywhere\n", "display.listen"},
		{"display:\n  acounts: /a\n", "did you mean accounts"},
	}
	for _, test := range tests {
		_, problems := parseConfig("sabot.yaml", good+test.section)
		if got := problems.Error(); (test.want == "") != (len(problems) == 0) || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.section, got, test.want)
		}
	}
}
