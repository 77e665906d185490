//go:build real

package systemd

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long anything may take.
const patience = time.Minute

// machine is this one, started anew beside itself: the same root under an overlay that goes away with the test, and systemd as its first program. Nothing
// that is enabled here runs there, and it has no network but its own loopback. Systemd, sandboxes and Debian's tools are real; only DeviceAllow is not enforced there.
type machine struct {
	t    *testing.T
	dir  string // up has what changed, root is what the machine sees
	init int    // its first program, as this machine numbers it
}

func startMachine(t *testing.T) *machine {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("this test starts a machine: run it as root")
	}
	dir, err := os.MkdirTemp("/dev/shm", "machine") // an overlay cannot lie on itself
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := &machine{t: t, dir: dir}
	for _, name := range []string{"up", "work", "root"} {
		os.Mkdir(m.path(name), 0o755)
	}
	m.here("mount", "-t", "overlay", "overlay", "-o", "lowerdir=/,upperdir="+m.path("up")+",workdir="+m.path("work"), m.path("root"))
	t.Cleanup(func() { m.here("umount", "--lazy", m.path("root")) })
	wants, err := filepath.Glob(m.path("root/etc/systemd/system/*.wants"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wants {
		os.RemoveAll(w)
	}
	os.Symlink("/dev/null", m.path("root/etc/systemd/system/packagekit.service")) // apt asks for it where there is one
	m.boot()
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.dir, name) }

// here runs a program on this machine.
func (m *machine) here(name string, args ...string) {
	m.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		m.t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

func (m *machine) boot() {
	m.t.Helper()
	console, err := os.Create(m.path("console"))
	if err != nil {
		m.t.Fatal(err)
	}
	nspawn := exec.Command("systemd-nspawn", "--quiet", "--directory="+m.path("root"), "--register=no", "--keep-unit", "--private-network", "--resolv-conf=off",
		"--bind-ro="+folder+":/packages", "--console=read-only", "--boot")
	nspawn.Stdout, nspawn.Stderr = console, console
	if err := nspawn.Start(); err != nil {
		m.t.Fatalf("systemd-nspawn is needed (package systemd-container): %v", err)
	}
	m.t.Cleanup(func() {
		if m.init != 0 {
			m.try("systemctl poweroff --force --force")
		}
		time.AfterFunc(patience, func() { nspawn.Process.Kill() })
		nspawn.Wait()
	})
	said := func() string {
		text, _ := os.ReadFile(console.Name())
		return string(text)
	}
	m.until("the machine starts", said, func() bool { m.init = firstProgram(nspawn.Process.Pid); return m.init != 0 })
	m.until("systemd is up", said, func() bool {
		state, _ := m.try("systemctl is-system-running")
		return state == "running\n" || state == "degraded\n"
	})
}

// firstProgram is the systemd that nspawn started; 0 if there is none yet.
func firstProgram(nspawn int) int {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", nspawn, nspawn))
	for _, child := range strings.Fields(string(children)) {
		if name, _ := os.ReadFile("/proc/" + child + "/comm"); string(name) == "systemd\n" {
			n, _ := strconv.Atoi(child)
			return n
		}
	}
	return 0
}

// command is a shell's command on the machine.
func (m *machine) command(line string) *exec.Cmd {
	return exec.Command("nsenter", "-t", strconv.Itoa(m.init), "-m", "-u", "-i", "-p", "-n", "-C", "-r", "-w", "--", "sh", "-c", line)
}

func (m *machine) try(line string) (string, error) {
	out, err := m.command(line).CombinedOutput()
	return string(out), err
}

// sh runs a command that has to succeed.
func (m *machine) sh(line string) string {
	m.t.Helper()
	out, err := m.try(line)
	if err != nil {
		m.t.Fatalf("%s: %v: %s\n%s", line, err, out, m.log())
	}
	return out
}

// fails runs a command that must not succeed.
func (m *machine) fails(line string) string {
	m.t.Helper()
	out, err := m.try(line)
	if err == nil {
		m.t.Errorf("%s: succeeded: %s", line, out)
	}
	return out
}

// says holds what a command prints against what is to be in it.
func (m *machine) says(line, want string) {
	m.t.Helper()
	if out := m.sh(line); !strings.Contains(out, want) {
		m.t.Errorf("%s says\n%snot %q", line, out, want)
	}
}

func (m *machine) write(file, text string) {
	m.t.Helper()
	if err := os.WriteFile(m.path("root"+file), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) log() string {
	out, _ := m.try("journalctl --no-pager --lines=60; systemctl status sabot --no-pager")
	return out
}

// until waits for something to come true; story tells of it if it does not.
func (m *machine) until(what string, story func() string, true func() bool) {
	m.t.Helper()
	for limit := time.Now().Add(patience); !true(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			m.t.Fatalf("it does not come to it that %s\n%s", what, story())
		}
	}
}

// property is one that systemd keeps of the table.
func (m *machine) property(name string) string {
	m.t.Helper()
	return strings.TrimSpace(m.sh("systemctl show --value --property=" + name + " sabot"))
}

// comes waits until a property is as it should be.
func (m *machine) comes(property, want string) {
	m.t.Helper()
	m.until("sabot's "+property+" is "+want, m.log, func() bool { return m.property(property) == want })
}

// kept are the files that came to be on the machine, beside what every Debian keeps of what it did.
func (m *machine) kept() map[string]bool {
	m.t.Helper()
	files := map[string]bool{}
	err := filepath.WalkDir(m.path("up"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == m.path("up") {
			return err
		}
		name := strings.TrimPrefix(file, m.path("up"))
		if slices.ContainsFunc(books, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return nil
		}
		if _, err := os.Stat(name); err != nil { // what this machine has was only touched
			files[name] = true
		}
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return files
}

// books are where Debian, systemd and the shell keep theirs.
var books = []string{"/var/lib/dpkg", "/var/lib/apt", "/var/lib/systemd", "/var/log", "/var/cache", "/var/tmp", "/tmp", "/run", "/root", "/etc/machine-id", "/etc/.pwd.lock"}

// table is the one on the machine, with those around it.
type table struct {
	*machine
	typed io.WriteCloser // at the shoe
	shoe  *exec.Cmd
}

const configuration = `table: T-1
game: baccarat
rules: {preset: puntobanco, burn: none}
journal: /var/lib/sabot/T-1
shoe: {protocol: line, port: /run/table/shoe}
mqtt: {broker: tcp://127.0.0.1:1883}
`

// furnish gives the machine a broker, a shoe, and a configuration.
func furnish(m *machine) *table {
	m.t.Helper()
	d := &table{machine: m}
	m.write("/etc/broker.conf", "listener 1883 127.0.0.1\nallow_anonymous true\n")
	m.sh("systemd-run --quiet --unit=broker mosquitto -c /etc/broker.conf && install -d -o sabot /run/table")
	d.shoe = m.command("exec runuser -u sabot -- sabot emulate --link /run/table/shoe line")
	var err error
	if d.typed, err = d.shoe.StdinPipe(); err != nil {
		m.t.Fatal(err)
	}
	if err := d.shoe.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.until("there is a shoe", m.log, func() bool { _, err := m.try("test -e /run/table/shoe"); return err == nil })
	m.write("/etc/sabot/sabot.yaml", configuration)
	return d
}

// orders says something to the table on the floor; it has to obey.
func (d *table) orders(order string) {
	d.t.Helper()
	d.sh("sabot floor --by S-1 " + order)
}

// game says something for the game server, until the table stands as it should.
func (d *table) game(do string, status string) {
	d.t.Helper()
	d.sh(`mosquitto_pub -q 1 -t sabot/T-1/command/game -m '{"v":1,"id":"g` + strconv.FormatInt(time.Now().UnixNano(), 36) + `",` + do + `}'`)
	d.comes("StatusText", status)
}

// draws draws cards.
func (d *table) draws(status string, cards ...string) {
	d.t.Helper()
	io.WriteString(d.typed, strings.Join(cards, "\n")+"\n")
	d.comes("StatusText", status)
}

// state is what the broker keeps of the table's life.
func (d *table) state() string {
	out, _ := d.try("timeout 5 mosquitto_sub -C 1 -t sabot/T-1/status")
	return out
}

// TestMachine is a table's life on a Debian machine, from the installation to the purge.
func TestMachine(t *testing.T) {
	mustPack(t)
	if err := pack("..", "1.1", nil, filepath.Join(folder, "next"), runtime.GOARCH); err != nil {
		t.Fatal(err)
	}
	m := startMachine(t)
	before, users := m.kept(), m.sh("cat /etc/passwd /etc/group /etc/shadow /etc/gshadow")
	m.install("/packages", version)
	m.judge()
	d := furnish(m)
	d.refusesToStart()
	d.start()
	d.survives()
	d.upgrades()
	d.ends()
	m.purge(before, users)
}

func (m *machine) install(from, version string) string {
	m.t.Helper()
	return m.sh("DEBIAN_FRONTEND=noninteractive apt-get -qq -o APT::Sandbox::User=root install --allow-downgrades " + from + "/sabot_" + version + "_$(dpkg --print-architecture).deb 2>&1")
}

// judge has systemd and udev read what was installed.
func (m *machine) judge() {
	m.t.Helper()
	m.says("sabot version", "sabot "+version+"\n  commit  "+commit+"\n")
	if out := m.sh("systemd-analyze verify sabot.service sabot@BJ-1.service sabot-display.service"); out != "" {
		m.t.Errorf("systemd-analyze verify says %s", out)
	}
	for _, unit := range []string{"sabot.service", "sabot@.service", "sabot-display.service"} {
		m.sh("systemd-analyze security --offline=true --threshold=25 " + unit)
	}
	if out := m.sh("udevadm test /devices/virtual/mem/null 2>&1 | grep -F rules.d/60-sabot"); out != "Reading rules file: /usr/lib/udev/rules.d/60-sabot.rules\n" {
		m.t.Errorf("udev says of the rules: %s", out)
	}
	m.says("man sabot", "SIGHUP")
	m.says("stat -c '%U %G %a' /etc/sabot", "root sabot 2750")
	m.says("id sabot", "(dialout)")
	m.fails("systemctl is-enabled sabot sabot-display")
}

// refusesToStart: what a new start would not help is not tried again, and its reason is where people look first.
func (d *table) refusesToStart() {
	d.t.Helper()
	d.write("/etc/sabot/sabot.yaml", configuration+"shoo: {}\n")
	d.fails("systemctl start sabot")
	status := d.fails("systemctl status --no-pager sabot")
	for _, want := range []string{"status=78", "/etc/sabot/sabot.yaml:7:1: ", "did you mean shoe?"} {
		if !strings.Contains(status, want) {
			d.t.Errorf("systemctl status says\n%snot %q", status, want)
		}
	}
	d.says("journalctl --no-pager --priority=err --unit=sabot", "/etc/sabot/sabot.yaml:7:1: ")
	time.Sleep(2 * time.Second) // a restart would come after one
	if n := d.property("NRestarts"); n != "0" || d.property("ActiveState") != "failed" {
		d.t.Errorf("with a bad configuration it was started again %s times", n)
	}
	d.write("/etc/sabot/sabot.yaml", configuration)
	d.sh("systemctl reset-failed sabot")
}

// start begins the day, with a watchdog that does not try the test's patience.
func (d *table) start() {
	d.t.Helper()
	d.sh("mkdir -p /run/systemd/system/sabot.service.d && printf '[Service]\\nWatchdogSec=5\\n' >/run/systemd/system/sabot.service.d/test.conf && systemctl daemon-reload")
	d.sh("systemctl enable --quiet --now sabot sabot-display")
	d.comes("StatusText", "round 0, closed")
	d.until("the pages are served", d.log, func() bool {
		out, _ := d.try(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080 && printf "GET /overlay/T-1 HTTP/1.0\r\n\r\n" >&3 && head -1 <&3'`)
		return strings.Contains(out, "200 OK")
	})
	d.orders("table-open")
	d.orders("shoe 1")
	d.game(`"round":1,"do":"open"`, "round 1, bets")
	d.game(`"round":1,"do":"close","seats":[1]`, "round 1, deal")
	d.draws("round 1, deal", "9s")
}

// survives: a program that is killed, and one that hangs, in mid-round come back by themselves, are held, and finish the round. (A killed program leaves a pty locked until
// the virtual shoe takes note; a real port is free at once.)
func (d *table) survives() {
	d.t.Helper()
	for signal, story := range map[string]string{"KILL": "status=9/KILL", "STOP": "Watchdog timeout"} {
		pid := d.property("MainPID")
		d.sh("systemctl kill --kill-whom=main --signal=" + signal + " sabot")
		d.until("another program runs", d.log, func() bool { now := d.property("MainPID"); return now != pid && now != "0" })
		d.says("journalctl --no-pager --unit=sabot", story)
		d.released("round 1, deal")
	}
	d.draws("round 1, result", "2c", "Kd", "Kh")
}

// stop is one that the supervisor can release.
var stop = regexp.MustCompile(`(?m)^ +release (\d+) `)

// released is the table as it stands after everything that stops it was released; a restart in mid-round does.
func (d *table) released(status string) {
	d.t.Helper()
	said, restarts := "", 0 // the table was held for so many, at least
	d.until("the table is released", func() string { return said + d.log() }, func() bool {
		said, _ = d.try("sabot floor state")
		if strings.Contains(said, "RESTART") {
			restarts++
		}
		if first := stop.FindStringSubmatch(said); first != nil {
			d.try("sabot floor --by S-1 release " + first[1])
		}
		_, away := d.try("ls -l /proc/" + d.property("MainPID") + "/fd | grep /dev/pts")
		return away == nil && restarts > 0 && d.property("StatusText") == status
	})
}

// upgrades: a round under way is not cut, and the new program comes as soon as it has ended.
func (d *table) upgrades() {
	d.t.Helper()
	d.game(`"round":2,"do":"open"`, "round 2, bets")
	d.game(`"round":2,"do":"close","seats":[1]`, "round 2, deal")
	d.draws("round 2, deal", "9d")
	pid := d.property("MainPID")
	said := d.install("/packages/next", "1.1")
	if !strings.Contains(said, "sabot.service goes over to version 1.1 as soon as no round is under way") {
		d.t.Errorf("the upgrade says %s", said)
	}
	d.draws("round 2, deal", "2d")
	if now := d.property("MainPID"); now != pid {
		d.t.Errorf("process %s became %s in a round", pid, now)
	}
	d.says("ls -l /proc/"+pid+"/exe", "(deleted)")
	d.draws("round 2, result", "Kc", "Qs")
	d.until("another program runs", d.log, func() bool { now := d.property("MainPID"); return now != pid && now != "0" })
	d.comes("StatusText", "round 2, result")
	d.says("ls -l /proc/"+d.property("MainPID")+"/exe", "/usr/bin/sabot\n")
	d.says("cat /etc/sabot/sabot.yaml", configuration)
	d.until("the new program is at the broker", func() string { return said + d.log() }, func() bool {
		var err error
		said, err = d.try("sabot floor state")
		return err == nil
	})
	if strings.Contains(said, "RESTART") {
		d.t.Errorf("a new program between rounds stops the table: %s", said)
	}
	d.install("/packages", version) // and back, which must work too; nothing is under way now
	d.until("the first program runs again", d.log, func() bool { out, _ := d.try("sabot version"); return strings.HasPrefix(out, "sabot "+version+"\n") })
}

// ends: who is asked to stop says good-bye, and leaves a record that holds.
func (d *table) ends() {
	d.t.Helper()
	d.comes("ActiveState", "active")
	d.comes("StatusText", "round 2, result")
	d.sh("systemctl stop sabot")
	d.says("systemctl show --property=ExecStopPost sabot", "code=exited ; status=0")
	if state := d.state(); !strings.Contains(state, `"offline"`) {
		d.t.Errorf("a table that was stopped is %s", state)
	}
	d.says("sabot verify /var/lib/sabot/T-1", ": version 1.1, ")
	log := d.sh("journalctl --no-pager --output=short --unit=sabot --priority=info")
	if strings.Contains(log, "time=") || strings.Contains(log, "level=") || !strings.Contains(log, "msg=ready table=T-1") {
		d.t.Errorf("the journal has\n%s", log)
	}
	d.sh("systemctl start sabot") // a removal stops it
	d.typed.Close()
	d.shoe.Wait()
}

// purge takes everything away but the record.
func (m *machine) purge(before map[string]bool, users string) {
	m.t.Helper()
	said := m.sh("DEBIAN_FRONTEND=noninteractive apt-get -qq purge sabot 2>&1 && systemctl stop broker && rm -r /etc/broker.conf")
	if !strings.Contains(said, "the record stays in /var/lib/sabot") {
		m.t.Errorf("the purge says %s", said)
	}
	for _, file := range slices.Sorted(maps.Keys(m.kept())) {
		if !before[file] && file != "/var/lib/sabot" && !strings.HasPrefix(file, "/var/lib/sabot/T-1") {
			m.t.Errorf("%s is left", file)
		}
	}
	m.says("stat -c '%U %a' /var/lib/sabot", "root 700")
	m.says("ls /var/lib/sabot/T-1", ".journal")
	if now := m.sh("cat /etc/passwd /etc/group /etc/shadow /etc/gshadow"); now != users {
		m.t.Errorf("the users were\n%sand are\n%s", users, now)
	}
	m.fails("systemctl status sabot")
}
