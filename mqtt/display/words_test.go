package display

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sabot/mqtt"
	"sabot/table"
)

// common are English words that Portuguese does not have, of those that most sentences hold.
var common = strings.Fields("the of is are was were and not to with this that there here it its only by been be at an who what when which where from on in for has have had will may must can than then too yet so such or if but they you your we our card cards table round shoe dealer hand first log page reason")

var letters = regexp.MustCompile(`\p{L}+`)

// englishIn are the words of a text that are English and not Portuguese: those that every sentence holds, and all of the pages' own.
func englishIn(text string) []string {
	known := map[string]bool{}
	for _, w := range common {
		known[w] = true
	}
	portuguese := map[string]bool{}
	for language, into := range map[string]map[string]bool{"en": known, "pt": portuguese} {
		for _, sentence := range wordsIn(language, true) {
			for _, w := range letters.FindAllString(sentence, -1) {
				into[strings.ToLower(w)] = true
			}
		}
	}
	var list []string
	for _, w := range letters.FindAllString(text, -1) {
		if w = strings.ToLower(w); known[w] && !portuguese[w] {
			list = append(list, w)
		}
	}
	return list
}

// What is said in Portuguese is Portuguese: no sentence or word holds an English one, none was left as it was, but for those that rule sheets have in both languages.
func TestPortugueseIsPortuguese(t *testing.T) {
	same := strings.Fields("Blackjack Baccarat Natural 21")
	english, portuguese := wordsIn("en", true), wordsIn("pt", true)
	for name, pt := range portuguese {
		for _, w := range letters.FindAllString(pt, -1) {
			for _, e := range common {
				if strings.ToLower(w) == e {
					t.Errorf("%s: %q holds %q", name, pt, w)
				}
			}
		}
		if pt == english[name] && pt != "" && !slices.Contains(same, pt) {
			t.Errorf("%s is %q in both languages", name, pt)
		}
	}
	for c := range 256 {
		en, pt := mqtt.Sentence("en", table.Code(c)), mqtt.Sentence("pt", table.Code(c))
		if (en == "") != (pt == "") || en != "" && (en == pt || !strings.HasSuffix(pt, ".")) {
			t.Errorf("%s: %q and %q", table.Code(c), en, pt)
		}
	}
}

var (
	unseen = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)
	titles = regexp.MustCompile(`(?:aria-label|title|placeholder|alt)="([^"]*)"`)
)

// readable is the text of an answer that a person may read.
func readable(body string) string {
	text := unseen.ReplaceAllString(body, " ")
	for _, m := range titles.FindAllStringSubmatch(body, -1) {
		text += " " + m[1]
	}
	return html.UnescapeString(text)
}

// Whatever is asked for in Portuguese, and whatever comes of it, is answered in Portuguese: pages, the login, what is refused, to a browser that wants a page and to a page that asks for a line.
func TestEveryAnswerIsInTheLanguageAskedFor(t *testing.T) {
	s := open(t)
	s.say("layout", layoutText("r", 1, `,"round":1,"last":null`))
	s.heard(1)
	browser, token := s.login()
	long := strings.Repeat("x", mqtt.MaxBecause+1)
	asks := []struct {
		method, path, body, token string
		want                      int
	}{
		{"GET", "/", "", "", 200}, {"GET", "/overlay/T", "", "", 200}, {"GET", "/dealer/T", "", "", 200}, {"GET", "/floor/", "", "", 200}, {"GET", "/floor/table/T", "", "", 200}, {"GET", "/floor/login", "", "", 200},
		{"GET", "/x", "", "", 404}, {"GET", "/overlay/a.b", "", "", 404}, {"GET", "/dealer/a.b", "", "", 404}, {"GET", "/floor/table/a.b", "", "", 404}, {"GET", "/events/a.b", "", "", 404}, {"GET", "/static/", "", "", 404},
		{"GET", "/dealer/T?key=x", "", "", 403}, {"POST", "/floor/login", "name=a&password=b", "", 403},
		{"POST", "/floor/order/T", `{"do":"pause"}`, "x", 403}, {"POST", "/floor/order/U", `{"do":"pause"}`, token, 404}, {"POST", "/floor/order/T", `{"do":"dance"}`, token, 400}, {"POST", "/floor/order/T", `{`, token, 400},
		{"POST", "/floor/order/T", `{"do":"void"}`, token, 400}, {"POST", "/floor/order/T", `{"do":"void","because":"` + long + `"}`, token, 400},
	}
	for range loginTries - 1 { // the last one is one too many
		asks = append(asks, asks[13])
	}
	asks[len(asks)-1].want = 429
	for _, ask := range asks {
		for _, accept := range []string{"text/html", "*/*"} {
			if ask.path == "/floor/login" && ask.method == "POST" && accept == "*/*" {
				continue // only a form logs in
			}
			s.answers(t, browser, ask.method, ask.path, ask.body, ask.want, map[string]string{"Accept": accept, "X-Sabot-Token": ask.token})
		}
	}
	s.answers(t, browser, "POST", "/floor/order/T", `{"do":"pause"}`, 403, map[string]string{"Sec-Fetch-Site": "cross-site"})
	s.answers(t, http.DefaultClient, "GET", "/floor/wall", "", 401, nil)
	s.table.Unsubscribe("sabot/+/command/floor").Wait()
	s.answers(t, browser, "POST", "/floor/order/T", `{"do":"pause"}`, 504, map[string]string{"X-Sabot-Token": token})
}

// answers asks in Portuguese, and looks for English in what comes.
func (s *studio) answers(t *testing.T, browser *http.Client, method, path, body string, want int, head map[string]string) {
	t.Helper()
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	r, _ := http.NewRequest(method, s.url+path+sign+"lang=pt", strings.NewReader(body))
	if strings.HasPrefix(body, "name=") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for k, v := range head {
		r.Header.Set(k, v)
	}
	answer, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	said := readable(string(text))
	if english := englishIn(said); answer.StatusCode != want || len(english) > 0 || len(letters.FindAllString(said, -1)) == 0 {
		t.Errorf("%s %s %.40s: %s, want %d; %q holds %q", method, path, body, answer.Status, want, said, english)
	}
}

// The auditor's pages likewise; what went wrong with the record itself is said as the log says it.
func TestTheAuditorsAnswersAreInTheLanguageAskedFor(t *testing.T) {
	h := local(guarded(http.HandlerFunc(missing)))
	for host, want := range map[string]int{"evil.example": 403, "127.0.0.1:8080": 404} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", fmt.Sprintf("http://%s/?lang=pt", host), nil))
		if english := englishIn(readable(w.Body.String())); w.Code != want || len(english) > 0 {
			t.Errorf("%s: %d %s holds %q", host, w.Code, w.Body, english)
		}
	}
}

// A script or a style is there under its name; no folder is listed, and nothing else of the program or the machine is there, however it is asked for.
func TestStaticIsItsFilesAndNothingElse(t *testing.T) {
	s := open(t)
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://x/", nil)
		r.URL.Path, r.RequestURI = path, path
		s.server.Handler().ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, name := range []string{"sabot.js", "base.css", "icon.svg"} {
		if code, body := get("/static/" + name); code != http.StatusOK || len(body) < 100 {
			t.Errorf("%s: %d", name, code)
		}
	}
	for _, path := range []string{
		"/static", "/static/", "/static/.", "/static/./", "/static//", "/static/..", "/static/../", "/static/../pages.go", "/static/../../../../etc/passwd", "/static//etc/passwd", "/static/sabot.js/", "/static/sabot.js/..", "/static/./sabot.js/../../floor.go",
		"/static/..%2fpages.go", "/static/%2e%2e/pages.go", "/static/..\\pages.go", "/static/sabot.js\x00", "/static/static/sabot.js", "/static/index.html", "/static/SABOT.JS", "/static/*", "//static/", "/static/" + strings.Repeat("../", 200) + "etc/passwd",
	} {
		code, body := get(path)
		if code != http.StatusNotFound && (code < 300 || code > 399) || strings.Contains(body, "sabot.js") || strings.Contains(body, "root:") || strings.Contains(body, "package display") {
			t.Errorf("%q: %d %.120s", path, code, body)
		}
	}
	answer, err := http.Get(s.url + "/static/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("the folder: %s", answer.Status)
	}
}

// A reason is counted in letters, whatever they weigh; see ../README.md.
func TestReasonsAreCountedInLetters(t *testing.T) {
	for _, letter := range []string{"a", "ã", "€", "\U0001f0a1"} {
		for n, want := range map[int]string{mqtt.MaxBecause: "", mqtt.MaxBecause + 1: "because-long"} {
			o := order{Do: "void", Because: strings.Repeat(letter, n)}
			if got := o.problem(); got != want {
				t.Errorf("%d of %s: %q", n, letter, got)
			}
		}
	}
	if want := fmt.Sprint(mqtt.MaxBecause); !strings.Contains(words["because-long"][0], want) || !strings.Contains(words["because-long"][1], want) {
		t.Errorf("%q", words["because-long"])
	}
}
