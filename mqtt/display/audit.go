package display

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"sabot/table"
	"sabot/table/journal"
)

// maxShown bounds the events of a round that are shown.
const maxShown = 2000

// Reopen makes games by the configuration in a record's header.
type Reopen func(configuration json.RawMessage) (func(table.Opening) table.Game, error)

// auditor shows one record, event by event, with the felt as it was after each. It plays the events again, from the header of the segment they stand in.
type auditor struct {
	dir    string
	reopen Reopen

	mu   sync.Mutex
	told map[string][]chapter // of segments that never change again, by file
}

// Audit is the pages of the record in a folder. They name every card, those that lay face down, too: serve them to nobody else. The record is only read,
// also while its table writes it.
func Audit(dir string, reopen Reopen) (http.Handler, error) {
	a := &auditor{dir: dir, reopen: reopen, told: map[string][]chapter{}}
	if err := a.begins(); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", missing)
	mux.HandleFunc("GET /static/{name...}", files)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { show(w, r, view{Page: "audit"}) })
	mux.HandleFunc("GET /audit/rounds", answer(func(*http.Request) (any, error) { return a.rounds() }))
	mux.HandleFunc("GET /audit/round", answer(func(r *http.Request) (any, error) {
		segment, err := strconv.Atoi(r.FormValue("segment"))
		round, err2 := strconv.ParseUint(r.FormValue("round"), 10, 32)
		if err != nil || err2 != nil {
			return nil, errors.New("display: segment and round are numbers")
		}
		return a.steps(segment, uint32(round))
	}))
	return local(guarded(mux)), nil
}

// local refuses pages of other sites, also of those that found a name of their own for this machine.
func local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		ip, _ := netip.ParseAddr(strings.Trim(host, "[]"))
		site := r.Header.Get("Sec-Fetch-Site")
		if host != "localhost" && !ip.IsLoopback() || site != "" && site != "same-origin" && site != "none" {
			refuse(w, r, http.StatusForbidden, "local-only")
			return
		}
		h.ServeHTTP(w, r)
	})
}

func answer(get func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := get(r)
		if err != nil {
			http.Error(w, fmt.Sprintf("%s: %v", Word(languageOf(r), "record-unread"), err), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body) // a browser that left
	}
}

// chapter is a round in a segment.
type chapter struct {
	Segment int    `json:"segment"`
	Round   uint32 `json:"round"`
	First   int64  `json:"first"` // the seq of its first entry there
	Entries int    `json:"entries"`
}

// segments are the record's files.
func (a *auditor) segments() ([]string, error) {
	files, err := journal.Segments(a.dir)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("display: there is no record in %s%s", a.dir, journal.Packed(a.dir, 0))
	}
	return files, err
}

// begins says why there is nothing to show. A record of years is not read for it.
func (a *auditor) begins() error {
	files, err := a.segments()
	if err != nil {
		return err
	}
	f, err := journal.OpenFile(files[0])
	if err != nil {
		return err
	}
	return f.Close()
}

// rounds are all rounds of the record, in order. What was read once of a segment that another one follows is not read again.
func (a *auditor) rounds() ([]chapter, error) {
	files, err := a.segments()
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []chapter{}
	for i, path := range files {
		part, known := a.told[path]
		if !known {
			if part, err = chapters(path); err != nil {
				return nil, err
			}
		}
		if i+1 < len(files) {
			a.told[path] = part
		}
		for _, c := range part {
			c.Segment = i
			list = append(list, c)
		}
	}
	return list, nil
}

// chapters are a segment's rounds.
func chapters(path string) (list []chapter, err error) {
	err = entries(path, func(_ *journal.Header, e *journal.Entry) error {
		if n := len(list); n == 0 || list[n-1].Round != e.Round {
			list = append(list, chapter{Round: e.Round, First: e.Seq})
		}
		list[len(list)-1].Entries++
		return nil
	})
	return list, err
}

// entries reads a segment. A line that is unfinished is being written, and not shown.
func entries(path string, take func(*journal.Header, *journal.Entry) error) error {
	f, err := journal.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := f.Header()
	for {
		e, err := f.Next()
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := take(&h, &e); err != nil {
			return err
		}
	}
}

// step is an entry of the record and the felt after it.
type step struct {
	Seq    int64           `json:"seq"`
	At     string          `json:"at"`
	Event  string          `json:"event"` // in the notation
	Calls  json.RawMessage `json:"calls"`
	Floor  json.RawMessage `json:"floor"`
	Game   json.RawMessage `json:"game"`
	Layout table.Layout    `json:"layout"`
	Same   bool            `json:"same"` // replay called what was recorded
}

// stepped is what a game calls. One that panics at what another version of the program recorded calls nothing, and that shows; with what it panics may be a face-down card.
func stepped(game table.Game, e *journal.Entry, calls []table.Call) (said []table.Call) {
	defer func() {
		if recover() != nil {
			said = nil
		}
	}()
	return game.Step(e.Event, calls)
}

// steps are a round's.
func (a *auditor) steps(segment int, round uint32) ([]step, error) {
	files, err := a.segments()
	if err != nil {
		return nil, err
	}
	if segment < 0 || segment >= len(files) {
		return nil, errors.New("display: there is no such segment")
	}
	var game table.Game
	var calls []table.Call
	list := []step{}
	err = entries(files[segment], func(h *journal.Header, e *journal.Entry) error {
		if game == nil {
			open, err := a.reopen(h.Configuration)
			if err != nil {
				return err
			}
			game = open(h.Opening)
		}
		calls = stepped(game, e, calls[:0])
		if e.Round != round || len(list) >= maxShown {
			return nil
		}
		l := game.Layout()
		l.Record, l.Seq, l.At, l.Table = h.Record, e.Seq, e.Time, h.Table
		same := true
		for to, was := range map[table.Audience]json.RawMessage{table.ToAll: e.Calls, table.ToFloor: e.Floor, table.ToGame: e.Game} {
			same = same && string(table.AppendCalls(nil, calls, to)) == string(was)
		}
		list = append(list, step{e.Seq, e.Time.Format("2006-01-02T15:04:05.000Z"), e.Event.String(), e.Calls, e.Floor, e.Game, l, same})
		return nil
	})
	return list, err
}
