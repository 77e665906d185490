package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// offhand are answers to the questions that take any, beside what is offered.
var offhand = map[string][]string{
	"table":  {"null"},
	"port":   {"/dev/serial/by-id/usb-a b: #1-if00", "tcp://10.0.0.7:4001"},
	"box":    {"/dev/serial/by-id/usb-box-if00"},
	"broker": {"tcp://broker.studio:1883", "ssl://broker.studio:8883"},
	"user":   {"it's: #1"},
	"keep":   {"1d"},
}

// alone are the questions whose answers change nothing for another: one is tried at a time, in turn.
var alone = []string{"table", "port", "user", "journal", "keep"}

// everyPlan goes through all ways to answer the questions from number i on.
func everyPlan(p *plan, i int, turn *int, done func(*plan)) {
	if i == len(questions) {
		*turn++
		done(p)
		return
	}
	q := &questions[i]
	if q.arises != nil && !q.arises(p) {
		everyPlan(p, i+1, turn, done)
		return
	}
	answers := slices.Clone(offhand[q.name])
	if q.name == "ca" {
		answers = append(answers, p.beside(".ca"))
	}
	for _, o := range q.offer(p) {
		answers = append(answers, o.word)
	}
	if slices.Contains(alone, q.name) {
		answers = answers[*turn%len(answers):][:1]
	}
	for _, v := range answers {
		if why := q.refuse(p, v); why != "" {
			continue
		}
		p.said[q.name] = v
		everyPlan(p, i+1, turn, done)
	}
	delete(p.said, q.name)
}

// remarkedKey is a line that would be a key without its #.
var remarkedKey = regexp.MustCompile(`(?m)^( *)# ([a-z_]+: )`)

// TestEverySetupPassesCheck writes a configuration for each way to answer: it is what was answered, check takes it, and it takes it with
// every remark that would be a key made one.
func TestEverySetupPassesCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := &plan{said: map[string]string{}, file: filepath.Join(dir, "sabot.yaml")}
	for _, ending := range []string{".password", ".cards", ".ca"} {
		if err := os.WriteFile(p.beside(ending), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	everyPlan(p, 0, &n, func(p *plan) {
		text := p.text()
		for _, text := range []string{text, remarkedKey.ReplaceAllString(text, "$1$2")} {
			r := readText(p.file, text)
			r.files()
			c, problems := r.result()
			if len(problems) > 0 {
				t.Fatalf("%v: %v\n%s", p.said, problems, text)
			}
			if list := c.Play.overrides(); len(list) > 0 {
				t.Fatalf("%v: a remark says what the rules do not: %v", p.said, list)
			}
			p.compare(t, &c)
		}
	})
	if n < 900 {
		t.Errorf("only %d configurations were tried", n)
	}
	t.Logf("%d configurations", n)
}

// compare holds what was read against what was answered.
func (p *plan) compare(t *testing.T, c *Config) {
	t.Helper()
	said := map[string]string{
		"rules": c.Play.Rules, "table": c.Table, "journal": c.Journal, c.Device.Name: p.said[c.Device.Name], "keep": "all",
		"box": cmp.Or(c.Box.Port, "none"), "broker": cmp.Or(c.MQTT.Broker, "embedded"),
	}
	if c.Keep.All > 0 {
		said["keep"] = fmt.Sprintf("%dd", int(c.Keep.All.Hours())/24)
	}
	if p.said["keep"] == "all" {
		said["keep"] = "all" // with its remark made a key it is not
	}
	if len(c.Box.GPIO.Buttons) > 0 {
		said["box"] = "standard"
	}
	if !p.reader().virtual() {
		said["port"] = c.Device.Port
	}
	if decided(p) {
		said["decisions"] = c.Play.settings.Get("decisions")
	}
	if remote(p) {
		said["user"] = cmp.Or(c.MQTT.User, "none")
	}
	if encrypted(p) {
		said["ca"] = cmp.Or(c.MQTT.CA, "system")
	}
	if fmt.Sprint(said) != fmt.Sprint(p.said) {
		t.Fatalf("answered\n%v\nwritten\n%v", p.said, said)
	}
}

// TestExamples holds the examples in systemd/examples against what setup writes, and has them checked as they lie there. With -update it writes them.
func TestExamples(t *testing.T) {
	const folder = "../../systemd/examples"
	var files []string
	for _, name := range sorted(examples) {
		file := filepath.Join(folder, name+".yaml")
		files = append(files, file)
		text, stderr, code := sabot("setup", "--example", name, "-")
		if code != exitOK {
			t.Fatalf("%s: %s", name, stderr)
		}
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != text {
			t.Errorf("%s is not what setup writes (%v); -update writes it:\n%s", file, err, text)
		}
		if _, stderr, code := sabot("check", file); code != exitOK || stderr != "" {
			t.Errorf("%s: exit %d, %s", file, code, stderr)
		}
	}
	if there, err := filepath.Glob(folder + "/*.yaml"); err != nil || !slices.Equal(there, files) {
		t.Errorf("%s holds %v, and the examples are %v", folder, there, files)
	}
}

func TestQuoted(t *testing.T) {
	for _, v := range []string{"BJ-1", "a", "1", "007", "null", "No", "~", "yes", "1e3", "0x1F", "a: b", "a #b", "#", "-", "- a", "'", `"\`, "é\u2028", "/dev/a b", "tcp://[::1]:1883", "{a}", "a:", ""} {
		root := newReader("quoted").document("v: " + quoted(v) + " # remark\n")
		if n := valueOf(root, "v"); n == nil || n.Value != v || n.Tag == "!!null" {
			t.Errorf("%q is written %s, and read as %+v", v, quoted(v), n)
		}
	}
}

// TestSetupAsks answers at a terminal, as somebody does who errs now and then: each bad answer is asked again, and says why.
func TestSetupAsks(t *testing.T) {
	far, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer tty.Close()
	c := &console{t: t, in: far, code: make(chan int, 1)}
	go func() {
		p := make([]byte, 4096)
		for n, err := far.Read(p); err == nil; n, err = far.Read(p) {
			c.Write(p[:n])
		}
	}()
	file := filepath.Join(t.TempDir(), "new", "sabot.yaml")
	go func() { c.code <- run([]string{"setup", file}, tty, tty, tty) }()
	for _, one := range []struct{ asked, typed, answer string }{
		{"rules [deluxe]: ", "delux", "delux is none of them; did you mean deluxe?"},
		{"rules [deluxe]: ", "2", ""}, // classic, now in the place of deluxe
		{"table [BJ-1]: ", "BJ 2", `"BJ 2" is none; write 1 to 32 letters`},
		{"table [BJ-1]: ", "BJ-2", ""},
		{"shoe [none]: ", "line", ""},
		{"port [", "ttyUSB0", "ttyUSB0 is none; write /dev/serial/by-id/NAME"},
		{"port [", "/dev/serial/by-id/usb-shoe", ""},
		{"box [none]: ", "/dev/serial/by-id/usb-shoe", "is taken already"},
		{"box [none]: ", "2", ""},
		{"decisions [buttons]: ", "", ""},
		{"broker [embedded]: ", "broker.studio", "broker.studio is none; write embedded, or tcp://"},
		{"broker [embedded]: ", "ssl://broker.studio:8883", ""},
		{"user [none]: ", "table-2", ""},
		{"ca [system]: ", "/nowhere/ca.crt", "no such file"},
		{"ca [system]: ", "", ""},
		{"journal [" + filepath.Dir(file) + "/BJ-2]: ", "", ""},
		{"keep [400d]: ", "a year", "write a number of days"},
		{"keep [400d]: ", "all", ""},
		{"password of table-2 at ssl://broker.studio:8883: ", "pass word 1", ""},
		{"again: ", "pass word 1", ""},
	} {
		c.until(one.asked)
		c.types(one.typed)
		c.until(one.answer)
	}
	if code := c.end(); code != exitOK {
		t.Fatalf("exit %d:\n%s", code, c.all())
	}
	c.until("then: sabot run " + file)
	if strings.Contains(c.all(), "pass word") {
		t.Error("the password was shown")
	}
	for name, want := range map[string]string{"sabot.yaml": "rules:\n  preset: classic", "sabot.password": "pass word 1\n"} {
		name = filepath.Join(filepath.Dir(file), name)
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o027 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if out, stderr, code := sabot("check", file); code != exitOK {
		t.Errorf("check: %s%s", out, stderr)
	}
}

// TestSetupWritesOverNothing: a file that came while the questions were answered stays.
func TestSetupWritesOverNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	if err := os.WriteFile(file, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := (&plan{}).put(file, "ours", shared)
	text, _ := os.ReadFile(file)
	if err == nil || string(text) != "theirs" {
		t.Errorf("%v; it holds %q", err, text)
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left beside it: %v", left)
	}
}
