package display

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"sabot/mqtt"
	"sabot/table"
)

// floor is the supervisors' console.
type floor struct {
	hub      *hub
	accounts *Accounts
	sessions *sessions
	logins   *limiter // by address
	names    *limiter
	orders   *limiter
}

func newFloor(a *Accounts, h *hub, secure bool) *floor {
	return &floor{
		hub: h, accounts: a, sessions: &sessions{accounts: a, secure: secure, list: map[string]*session{}},
		logins: &limiter{tries: loginTries, pace: loginPace, full: map[string]time.Time{}},
		names:  &limiter{tries: nameTries, pace: namePace, full: map[string]time.Time{}}, orders: &limiter{tries: orderTries, pace: orderPace, full: map[string]time.Time{}},
	}
}

func (f *floor) routes(mux *http.ServeMux, s *Server) {
	mux.HandleFunc("GET /floor/login", func(w http.ResponseWriter, r *http.Request) { show(w, r, view{Page: "login"}) })
	mux.Handle("POST /floor/login", own(f.login))
	mux.Handle("POST /floor/logout", own(f.logout))
	mux.HandleFunc("GET /floor/{$}", f.staff(func(w http.ResponseWriter, r *http.Request, who *session) {
		show(w, r, view{Page: "wall", User: who.name, Token: who.token})
	}))
	mux.HandleFunc("GET /floor/wall", f.staff(f.wall))
	mux.HandleFunc("GET /floor/table/{table}", f.staff(func(w http.ResponseWriter, r *http.Request, who *session) {
		if !validName(r.PathValue("table")) {
			missing(w, r)
			return
		}
		show(w, r, view{Page: "desk", Table: r.PathValue("table"), User: who.name, Token: who.token})
	}))
	mux.HandleFunc("GET /floor/events/{table}", f.staff(func(w http.ResponseWriter, r *http.Request, _ *session) {
		s.stream(w, r, source{of: func(b *board) *ring { return &b.staff }, all: r.URL.Query().Has("all"), may: func() bool { return f.sessions.of(r) != nil }})
	}))
	mux.Handle("POST /floor/order/{table}", own(f.staff(f.order)))
}

// own refuses what another site's page sends.
func own(h http.HandlerFunc) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { refuse(w, r, http.StatusForbidden, "foreign") }))
	return p.Handler(h)
}

// staff lets only those in who are logged in, and shows pages' visitors where.
func (f *floor) staff(h func(http.ResponseWriter, *http.Request, *session)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who := f.sessions.of(r)
		switch {
		case who != nil:
			h(w, r, who)
		case r.URL.Path == "/floor/" || len(r.PathValue("table")) > 0 && r.URL.Path == "/floor/table/"+r.PathValue("table"):
			http.Redirect(w, r, "/floor/login?lang="+languageOf(r), http.StatusSeeOther)
		default:
			refuse(w, r, http.StatusUnauthorized, "login-first")
		}
	}
}

func (f *floor) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	name, password, now := r.PostFormValue("name"), r.PostFormValue("password"), time.Now()
	if !f.logins.allow(addressOf(r), now) || !f.names.allow(name[:min(len(name), 64)], now) {
		showAs(w, r, http.StatusTooManyRequests, view{Page: "login", Problem: "login-slow"})
		return
	}
	proof, ok := f.accounts.check(name, password)
	if !ok {
		showAs(w, r, http.StatusForbidden, view{Page: "login", Problem: "login-wrong"})
		return
	}
	f.sessions.begin(w, name, proof)
	http.Redirect(w, r, "/floor/?lang="+languageOf(r), http.StatusSeeOther)
}

func (f *floor) logout(w http.ResponseWriter, r *http.Request) {
	f.sessions.end(w, r)
	http.Redirect(w, r, "/floor/login?lang="+languageOf(r), http.StatusSeeOther)
}

// tile is a table on the wall.
type tile struct {
	Table   string   `json:"table"`
	Game    string   `json:"game"`
	Phase   string   `json:"phase"`
	Round   uint32   `json:"round"`
	Dealer  string   `json:"dealer"`
	Stopped string   `json:"stopped"`
	Card    int      `json:"card"` // seconds since the last one, -1 for none seen
	Stops   []string `json:"stops"`
	Stale   bool     `json:"stale"`

	Device *table.StopDevice `json:"device,omitempty"` // the one that the first stop is about
}

// wall is all tables at this moment.
func (f *floor) wall(w http.ResponseWriter, _ *http.Request, _ *session) {
	tiles := []tile{}
	for _, name := range f.hub.names() {
		tiles = append(tiles, f.hub.board(name).tile())
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(tiles) // a browser that left
}

func (b *board) tile() tile {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := tile{
		Table: b.name, Game: b.layout.Game, Phase: b.layout.Phase.String(), Round: b.layout.Round, Dealer: b.floor.Dealer,
		Card: since(b.dealt), Stops: []string{}, Stale: b.stale,
	}
	if b.layout.Stopped != nil {
		t.Stopped = *b.layout.Stopped
	}
	for _, s := range b.floor.Stops {
		t.Stops = append(t.Stops, s.Code)
	}
	if len(b.floor.Stops) > 0 {
		t.Device = b.floor.Stops[0].Device
	}
	return t
}

// order is what a page of ours asks for; see the contract for what each command takes. Who asks is not for the page to say.
type order struct {
	Do           string `json:"do"`
	Round        *int64 `json:"round,omitempty"`
	Seen         *int64 `json:"seen,omitempty"`
	Irregularity *int64 `json:"irregularity,omitempty"`
	Remedy       string `json:"remedy,omitempty"`
	Hand         string `json:"hand,omitempty"`
	Card         string `json:"card,omitempty"`
	Seq          *int64 `json:"seq,omitempty"`
	Pocket       *int64 `json:"pocket,omitempty"`
	Number       *int64 `json:"number,omitempty"`
	Seat         *int64 `json:"seat,omitempty"`
	Seats        *[]int `json:"seats,omitempty"`
	Cards        *int64 `json:"cards,omitempty"`
	Name         string `json:"name,omitempty"`
	Because      string `json:"because,omitempty"`
}

// command is an order as it goes to the table.
type command struct {
	V  int    `json:"v"`
	ID string `json:"id"`
	By string `json:"by"`
	order
}

// doable is what the floor may ask for, and whether it must say why.
var doable = map[string]bool{
	"release": false, "exposed": false, "pause": false, "resume": false, "table-open": false, "table-close": false, "shoe": false, "count": false, "dealer": false, "burn": false,
	"close": false, "hit": true, "stand": true, "double": true, "split": true, "surrender": true, "insure": true, "even-money": true, "decline": true,
	"draw": false, "result": false, "dispute": false, "correct": true, "undo": true, "void": true, "retire": true,
}

// problem is the word for what is wrong with an order; "" for nothing.
func (o *order) problem() string {
	why, known := doable[o.Do]
	switch {
	case !known:
		return "code.UNKNOWN_ACTION"
	case why && o.Because == "":
		return "because-must"
	case utf8.RuneCountInString(o.Because) > mqtt.MaxBecause:
		return "because-long"
	}
	return ""
}

// readOrder reads an order, or gives the word for what is wrong with it.
func readOrder(body io.Reader) (o order, problem string) {
	in := json.NewDecoder(body)
	in.DisallowUnknownFields()
	err := in.Decode(&o)
	if _, more := in.Token(); err != nil || more != io.EOF {
		return o, "code.MALFORMED"
	}
	return o, o.problem()
}

// order sends an order to a table under the name of whoever is logged in, and answers with the table's reply.
func (f *floor) order(w http.ResponseWriter, r *http.Request, who *session) {
	name := r.PathValue("table")
	switch {
	case !who.owns(r):
		refuse(w, r, http.StatusForbidden, "foreign")
		return
	case !slices.Contains(f.hub.names(), name):
		missing(w, r)
		return
	case !f.orders.allow(who.name, time.Now()):
		refuse(w, r, http.StatusTooManyRequests, "code.RATE")
		return
	}
	o, problem := readOrder(http.MaxBytesReader(w, r.Body, 4<<10))
	if problem != "" {
		refuse(w, r, http.StatusBadRequest, problem)
		return
	}
	c := command{V: 1, ID: "floor-" + rand.Text(), By: who.name, order: o}
	reply, err := f.hub.ask(r.Context(), name, c.ID, c)
	if err != nil {
		refuse(w, r, http.StatusGatewayTimeout, "no-answer")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(reply) // a browser that left
}
