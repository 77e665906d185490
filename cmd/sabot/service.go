package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sabot/table"
)

// manager is what started the program and wants to hear how it goes. Systemd's protocol is datagrams of KEY=VALUE lines to the socket in $NOTIFY_SOCKET: sd_notify(3).
//
// Like a lamp it is told what is, each time: a message that it had no time for is made good by the next. Nothing here waits.
type manager struct {
	socket int // -1 where nobody wants to hear anything
	to     unix.SockaddrUnix
	every  time.Duration // it is told at least this often
	said   string
	at     time.Time
}

// tellNobody is how often a manager is told that has no watchdog.
const tellNobody = time.Minute

// findManager finds who started the program.
func findManager(getenv func(string) string) (*manager, error) {
	m := &manager{socket: -1, every: tellNobody, to: unix.SockaddrUnix{Name: getenv("NOTIFY_SOCKET")}}
	if m.to.Name == "" {
		return m, nil
	}
	if limit, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil {
		m.every = time.Duration(limit) * time.Microsecond / 4
	}
	var err error
	if m.socket, err = unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, fmt.Errorf("service: the manager cannot be told anything: %w", err)
	}
	return m, nil
}

func (m *manager) send(text string) error {
	to := m.to // Sendto writes into it, and the loop is not the only one that sends
	return unix.Sendto(m.socket, []byte(text), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, &to)
}

// lives says that the program is ready and lives, and how the table stands.
func (m *manager) lives(status string) {
	if m.socket < 0 || status == m.said && time.Since(m.at) < m.every {
		return
	}
	if m.send("READY=1\nWATCHDOG=1\nSTATUS="+status) == nil {
		m.said, m.at = status, time.Now()
	}
}

// ends says that the program is about to end.
func (m *manager) ends() {
	if m.socket >= 0 {
		m.send("STOPPING=1")
	}
}

// service is a table as its manager has it: it lives, it is in some phase, and it can be exchanged for another build of the program.
//
// All of it comes out of the loop, by what that shows and by its beats: a loop that hangs falls silent, and the watchdog ends the program. A SIGHUP asks for the
// exchange. A round is not cut for it: the program ends as soon as none is under way, in good order, and systemd starts what is installed by then.
type service struct {
	*manager
	status  string
	between bool            // no round is under way
	wanted  context.Context // ends when the exchange is asked for
	leave   context.CancelFunc
}

// serve makes a service of what follows. Its context ends when e's does, or when the table is to leave.
func serve(e *env) (context.Context, *service, error) {
	m, err := findManager(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(e.ctx)
	wanted, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGHUP)
	context.AfterFunc(ctx, func() {
		m.ends()
		stop()
	})
	return ctx, &service{manager: m, wanted: wanted, leave: cancel}, nil
}

// show takes what the table shows.
func (s *service) show(now table.Snapshot) {
	s.status, s.between = standing(&now.Layout), now.Layout.BetweenRounds()
	s.beat()
}

// beat is told by the loop that it turns.
func (s *service) beat() {
	if s.between && s.wanted.Err() != nil {
		s.leave()
	}
	s.lives(s.status)
}

// standing is how a table stands, as everybody at it sees.
func standing(l *table.Layout) string {
	status := fmt.Sprintf("round %d, %s", l.Round, l.Phase)
	if l.Stopped != nil {
		status += ", " + *l.Stopped
	}
	return status
}
