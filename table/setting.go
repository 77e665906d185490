package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Setting is one field of a game's rules as configurations and transcripts write it.
type Setting struct {
	Name   string                  // the field
	Values string                  // what may be written, for people
	Set    func(value string) bool // false, and nothing changed, for what may not
	Get    func() string           // the text Set takes
}

// Settings are a game's, in the order of the rules reference.
type Settings []Setting

// Names are the fields.
func (s Settings) Names() []string {
	var names []string
	for _, one := range s {
		names = append(names, one.Name)
	}
	return names
}

// Set changes one field from its text. The error says what may be written.
func (s Settings) Set(field, value string) error {
	for _, one := range s {
		if one.Name != field {
			continue
		}
		if !one.Set(value) {
			return fmt.Errorf("%s: %q is not understood; write %s", field, value, one.Values)
		}
		return nil
	}
	return fmt.Errorf("%q is no setting of this game", field)
}

// Get is a field's text, "" for one that is not known.
func (s Settings) Get(field string) string {
	for _, one := range s {
		if one.Name == field {
			return one.Get()
		}
	}
	return ""
}

// Choice is a setting of an enumeration whose values from 0 on have these words, two or more.
func Choice[T ~uint8](name string, to *T, words ...string) Setting {
	last := len(words) - 1
	return Setting{name, strings.Join(words[:last], ", ") + " or " + words[last], func(v string) bool {
		i := slices.Index(words, v)
		if i >= 0 {
			*to = T(i)
		}
		return i >= 0
	}, func() string { return words[*to] }}
}

// Either is a setting of two words.
func Either(name string, to *bool, no, yes string) Setting {
	return Setting{name, no + " or " + yes, func(v string) bool {
		ok := v == no || v == yes
		if ok {
			*to = v == yes
		}
		return ok
	}, func() string {
		if *to {
			return yes
		}
		return no
	}}
}

// Whole is a setting of a number.
func Whole(name string, to *uint8, least, most uint8) Setting {
	return Setting{name, fmt.Sprintf("a number from %d to %d", least, most), func(v string) bool {
		n, err := strconv.ParseUint(v, 10, 8)
		ok := err == nil && uint8(n) >= least && uint8(n) <= most
		if ok {
			*to = uint8(n)
		}
		return ok
	}, func() string { return strconv.Itoa(int(*to)) }}
}

// Percent is a setting of a part of the whole.
func Percent(name string, to *uint8, most uint8) Setting {
	return Setting{name, fmt.Sprintf("a part such as 50%%, at most %d%%; 0%% for none", most), func(v string) bool {
		digits, ok := strings.CutSuffix(v, "%")
		n, err := strconv.ParseUint(digits, 10, 8)
		ok = ok && err == nil && uint8(n) <= most
		if ok {
			*to = uint8(n)
		}
		return ok
	}, func() string { return strconv.Itoa(int(*to)) + "%" }}
}

// maxTime bounds every clock of a table.
const maxTime = 10 * time.Minute

// Span is a setting of a time.
func Span(name string, to *time.Duration) Setting {
	return Setting{name, "a time such as 15s, at most 10m; 0s for none", func(v string) bool {
		d, err := time.ParseDuration(v)
		ok := err == nil && d >= 0 && d <= maxTime
		if ok {
			*to = d
		}
		return ok
	}, func() string { return to.String() }}
}

// MaxBurn is the most cards that a new shoe can lose before it is played, and that the supervisor can have burnt at once.
const MaxBurn = 20

// Burnt is the setting of what is burnt from a new shoe.
func Burnt(name string, to *BurnRule) Setting {
	return Setting{name, fmt.Sprintf("value, none, or a number from 1 to %d", MaxBurn), func(v string) bool {
		n, err := strconv.ParseUint(v, 10, 8)
		switch {
		case v == "value":
			*to = BurnRule{ByValue: true}
		case v == "none":
			*to = BurnRule{}
		case err == nil && n >= 1 && n <= MaxBurn:
			*to = BurnRule{N: uint8(n)}
		default:
			return false
		}
		return true
	}, func() string {
		switch {
		case to.ByValue:
			return "value"
		case to.N == 0:
			return "none"
		}
		return strconv.Itoa(int(to.N))
	}}
}

// Problem is a rule out of its range, or one that makes no sense beside the others.
type Problem struct {
	Field string // the rule's name in a configuration
	Text  string // what is wrong; what to write instead
}

// Problems gathers what makes rules unplayable, in the order it is asked.
type Problems []Problem

// Refuse adds a problem if bad.
func (p *Problems) Refuse(bad bool, field, format string, args ...any) {
	if bad {
		*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
	}
}

// Within refuses a number outside its range.
func (p *Problems) Within(field string, n, least, most uint8) {
	p.Refuse(n < least || n > most, field, "%d is out of range; write a number from %d to %d", n, least, most)
}
