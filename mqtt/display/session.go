package display

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	sessionTime = 12 * time.Hour // a shift
	maxSessions = 200
	cookieName  = "sabot-floor"

	loginTries = 5 // at once, from one address
	loginPace  = 12 * time.Second
	nameTries  = 20 // for one name, wherever from: several times what an address has, so that whoever guesses at one keeps nobody out by it
	namePace   = 2 * time.Second
	orderTries = 20
	orderPace  = 200 * time.Millisecond
	maxBuckets = 10000
)

// session is a person logged in.
type session struct {
	name, proof string
	token       string // what a page of ours sends with each order, and no other site can know
	begun       time.Time
}

// sessions are the people logged in, by their cookie.
type sessions struct {
	accounts *Accounts
	secure   bool

	mu   sync.Mutex
	list map[string]*session
}

// of is who sent a request; nil for nobody.
func (s *sessions) of(r *http.Request) *session {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.list[c.Value]
	if who != nil && (time.Since(who.begun) > sessionTime || !s.accounts.stands(who.name, who.proof)) {
		delete(s.list, c.Value)
		return nil
	}
	return who
}

// begin logs a person in. Where there are too many, the one who came first goes.
func (s *sessions) begin(w http.ResponseWriter, name, proof string) {
	id, now := rand.Text()+rand.Text(), time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxSessions {
		oldest := ""
		for key, who := range s.list {
			if oldest == "" || who.begun.Before(s.list[oldest].begun) {
				oldest = key
			}
		}
		delete(s.list, oldest)
	}
	s.list[id] = &session{name, proof, rand.Text(), now}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteStrictMode, MaxAge: int(sessionTime.Seconds())})
}

// end logs out whoever sent a request.
func (s *sessions) end(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		delete(s.list, c.Value)
		s.mu.Unlock()
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteStrictMode, MaxAge: -1})
}

// owns says whether the request carries the session's token.
func (who *session) owns(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Sabot-Token")), []byte(who.token)) == 1
}

// limiter lets each key do something a few times at once and then once in a while.
type limiter struct {
	tries int
	pace  time.Duration

	mu   sync.Mutex
	full map[string]time.Time // when each key will have all its tries again
}

func (l *limiter) allow(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.full) > maxBuckets {
		l.forget(now)
	}
	full := l.full[key]
	if full.Before(now) {
		full = now
	}
	if full = full.Add(l.pace); full.Sub(now) > time.Duration(l.tries)*l.pace || len(l.full) > maxBuckets {
		return false
	}
	l.full[key] = full
	return true
}

func (l *limiter) forget(now time.Time) {
	for key, full := range l.full {
		if full.Before(now) {
			delete(l.full, key)
		}
	}
}

// addressOf is where a request came from, without the port.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
