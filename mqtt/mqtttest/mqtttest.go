// Package mqtttest is what tests of brokers, and of those who talk to them, share: an address for a broker that is not there yet, or that goes and comes back.
package mqtttest

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// Systems give ports between these to nobody who does not ask for one: those who connect, and those who listen at port 0, get higher ones
// (Linux: /proc/sys/net/ipv4/ip_local_port_range; elsewhere RFC 6335's 49152 and up).
const lowest, highest = 10000, 30000

// given counts the ports that were handed out here.
var given atomic.Int64

// FreeAddr is a host:port of this machine where nobody listens, nor will anybody who was not told it, however long the test leaves it free.
func FreeAddr(t testing.TB) string {
	t.Helper()
	begin := int64(os.Getpid()) * 101 // tests of other packages, which run beside these, begin elsewhere
	var err error
	for range highest - lowest {
		addr := fmt.Sprint("127.0.0.1:", lowest+(begin+given.Add(1))%(highest-lowest))
		var l net.Listener
		if l, err = net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal(err)
	return ""
}
