package broker

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/crypto/bcrypt"
)

// file writes a file of users.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A user's line is put in, replaced and taken out, and what else stands in the file is left alone.
func TestSetUser(t *testing.T) {
	name := filepath.Join(t.TempDir(), "users")
	set := func(user string, role Role, password, want string) {
		t.Helper()
		err := SetUser(name, user, role, password)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s %s %s: %v, want %q", user, role, password, err, want)
		}
	}
	set("tv", Overlay, "", "tv is no user")
	set("tv", Overlay, "correct horse", "")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	text, _ := os.ReadFile(name)
	os.WriteFile(name, append([]byte("# the house\n"), text...), 0o640)
	os.Chmod(name, 0o666)
	set("desk", Floor, "correct horse", "")
	set("tv", Game, "battery staple", "")
	set("tv", "boss", "battery staple", "no role")
	set("tv", Game, "short", "bytes or more")
	set("t v", Game, "battery staple", "name is")
	users, err := ReadUsers(name)
	if err != nil || len(users) != 2 || users["tv"].Role != Game || users["desk"].Role != Floor || bcrypt.CompareHashAndPassword([]byte(users["tv"].Hash), []byte("battery staple")) != nil {
		t.Errorf("%+v %v", users, err)
	}
	set("tv", "", "", "")
	text, _ = os.ReadFile(name)
	if info, _ := os.Stat(name); !strings.HasPrefix(string(text), "# the house\ndesk:floor:$2a$") || strings.Count(string(text), "\n") != 2 || info.Mode().Perm() != 0o644 {
		t.Errorf("%v %q", info.Mode(), text)
	}
}

func TestUsersOfAFile(t *testing.T) {
	line, err := UserLine("screen-1", Overlay, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	users, err := ReadUsers(file(t, "# the house\n\n  "+line+"  \r\n"))
	if err != nil || len(users) != 1 || users["screen-1"].Role != Overlay || strings.Contains(line, "horse") {
		t.Fatalf("%q is %+v, %v", line, users, err)
	}
	b := start(t, Config{Users: users})
	as := func(user, password string) *paho.ClientOptions {
		return options(b, user).SetUsername(user).SetPassword(password)
	}
	for what, o := range map[string]*paho.ClientOptions{
		"a wrong password": as("screen-1", "correct hors"), "the hash": as("screen-1", users["screen-1"].Hash), "no password": as("screen-1", ""),
		"an unknown name": as("screen-2", "correct horse"), "nobody": as("", ""),
	} {
		if dial(t, o) != nil {
			t.Errorf("%s was let in", what)
		}
	}
	if dial(t, as("screen-1", "correct horse")) == nil {
		t.Error("the right password was refused")
	}
	if dial(t, as("screen-1", "correct horse").SetWill("sabot/BJ-1/command/game", "{}", 1, false)) != nil {
		t.Error("a will that the role may not publish was taken")
	}
	if cost, err := bcrypt.Cost(noHash); cost != bcrypt.DefaultCost || err != nil {
		t.Errorf("who is unknown is looked at with cost %d, %v", cost, err)
	}
}

func TestBadUsers(t *testing.T) {
	good, err := UserLine("a", Floor, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	dear, _ := bcrypt.GenerateFromPassword([]byte("x"), 4)
	for text, want := range map[string]string{
		"":                  "names 0 users",
		"# nobody\n":        "names 0 users",
		"a":                 ":1: a has no role",
		"\na:boss:x":        ":2: a has no role",
		"a:floor:secret-pw": ":1: the third part for a is no bcrypt hash",
		"a:floor:":          ":1: the third part for a is no bcrypt hash",
		"a b:floor:x":       ":1: a user's name",
		":floor:x":          ":1: a user's name",
		good + "\n" + good:  ":2: a stands there twice",
		good + "x":          "no bcrypt hash",
		"a:floor:" + strings.Replace(string(dear), "$04$", "$31$", 1): "has cost 31",
		strings.Repeat("x", 70000):                                    "token too long",
	} {
		_, err := ReadUsers(file(t, text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret-pw") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	for _, n := range []int{minPassword, 72} { // bcrypt takes no more
		if _, err := UserLine("a", Floor, strings.Repeat("x", n)); err != nil {
			t.Errorf("a password of %d bytes: %v", n, err)
		}
	}
	if _, err := ReadUsers("/nonexistent/users"); err == nil {
		t.Error("a file that is not there was read")
	}
	for _, u := range []struct {
		name     string
		role     Role
		password string
	}{{"a:b", Floor, "correct horse"}, {"", Floor, "correct horse"}, {"a", "boss", "correct horse"}, {"a", Floor, strings.Repeat("x", minPassword-1)}, {"a", Floor, strings.Repeat("x", 73)}} {
		if line, err := UserLine(u.name, u.role, u.password); err == nil || strings.Contains(err.Error(), u.password) {
			t.Errorf("%+v is %q, %v", u, line, err)
		}
	}
}

func FuzzParseUser(f *testing.F) {
	f.Add("a:floor:$2a$10$5c1LMkhDp4dEN9J8VQeG0.7nIA1zXx0jAnzbmQw7mMNvKX6zZ3zXO")
	f.Add("a:table:")
	f.Add(":::")
	f.Fuzz(func(t *testing.T, text string) {
		name, u, err := parseUser(text)
		if err == nil && text != name+":"+string(u.Role)+":"+u.Hash {
			t.Errorf("%q is %q, %+v", text, name, u)
		}
	})
}

// certificate is one for this machine that ends then, and who trusts it.
func certificate(t *testing.T, end time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.Add(-24 * time.Hour), NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	parsed, _ := x509.ParseCertificate(der)
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// With a certificate nobody comes in without encryption, but the program itself by its own door.
func TestEncryption(t *testing.T) {
	cert, pool := certificate(t, time.Now().Add(time.Hour))
	b := start(t, Config{Users: house, TLS: &tls.Config{Certificates: []tls.Certificate{cert}}})
	encrypted := options(b, "table")
	encrypted.Servers = nil
	encrypted.AddBroker("ssl://" + b.Addr())
	if dial(t, options(b, "table")) != nil {
		t.Error("one came in without encryption")
	}
	if dial(t, encrypted) != nil {
		t.Error("a certificate that nobody knows was trusted")
	}
	c := dial(t, encrypted.SetTLSConfig(&tls.Config{RootCAs: pool}))
	if c == nil {
		t.Fatal("the encrypted door is shut")
	}
	got := make(chan string, 1)
	wait(t, "subscribe", c.Subscribe("sabot/BJ-1/call", 1, func(_ paho.Client, m paho.Message) { got <- string(m.Payload()) }))
	own := dial(t, inside(b))
	if own == nil {
		t.Fatal("the program's own door is shut")
	}
	wait(t, "publish", own.Publish("sabot/BJ-1/call", 1, false, "x"))
	select {
	case <-got:
	case <-time.After(patience):
		t.Error("what came in inside did not get out")
	}
	if dial(t, inside(b).SetPassword("x")) != nil {
		t.Error("the program's own door has no lock")
	}
}

func inside(b *Broker) *paho.ClientOptions {
	own := b.Inside()
	return paho.NewClientOptions().AddBroker("tcp://" + own.Addr).SetClientID("inside").SetUsername(own.User).SetPassword(own.Password).SetAutoReconnect(false)
}

// A crowd at the door takes neither the process's files nor the program's own way in; when it is gone others come in.
func TestCrowd(t *testing.T) {
	b := start(t, Config{Users: house})
	var crowd []net.Conn
	closed := make(chan bool, 2*maxConns)
	for range 2 * maxConns {
		c, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		crowd = append(crowd, c)
		go func() {
			_, err := c.Read(make([]byte, 1))
			closed <- err != nil
		}()
	}
	for range maxConns {
		select {
		case <-closed:
		case <-time.After(patience):
			t.Fatal("more than the half of them is let in")
		}
	}
	if dial(t, inside(b)) == nil {
		t.Error("the program's own door is shut")
	}
	for _, c := range crowd {
		c.Close()
	}
	for range 100 {
		if c := dial(t, options(b, "table")); c != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("nobody comes in after them")
}

// failing is a listener that fails once.
type failing struct {
	net.Listener
	failed bool
}

func (f *failing) Accept() (net.Conn, error) {
	if !f.failed {
		f.failed = true
		return nil, errors.New("too many open files")
	}
	return f.Listener.Accept()
}

func TestFailedAcceptIsNotTheLast(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	out, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ours := newListener(&failing{Listener: l})
	c, err := ours.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	l.Close()
	if _, err := ours.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
