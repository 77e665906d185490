package table

import (
	"slices"
	"strings"
)

// Orders are where a house departs from the procedure's table of irregularities: it may make one graver, never less grave, and it may allow
// fewer remedies, or have another default. The zero value departs from nothing.
type Orders struct {
	class [codes]Class
	first [codes]Remedy
	fit   [codes]remedySet
}

// row is an irregularity's row in this house.
func (o *Orders) row(c Code) irregular {
	row := irregularities[c]
	row.inRound, row.between = max(row.inRound, o.class[c]), max(row.between, o.class[c])
	if row.fit == 0 {
		row.first, row.fit = Device, of(Device) // once it holds it must be possible to let it go
	}
	if o.fit[c] != 0 {
		row.first, row.fit = o.first[c], o.fit[c]
	}
	return row
}

// ordered says that a house has a say in an irregularity. In two it has none: a refusal changes nothing, whatever is thought of it; and a card that
// a correction moved waits for the remedies of the table.
func ordered(c Code) bool {
	row, known := irregularities[c]
	return known && row.inRound != NoClass && c != Refused && c != CardMoved
}

// Settings are a house's orders, named classes.CODE and remedies.CODE.
func (o *Orders) Settings() Settings {
	var list Settings
	for c := OK; c < codes; c++ {
		if ordered(c) {
			list = append(list, o.classSetting(c))
		}
		if row := irregularities[c]; ordered(c) && row.fit != 0 {
			list = append(list, o.remedySetting(c))
		}
	}
	return list
}

// classSetting raises a class. What is graver in a round than between rounds can be raised between them.
func (o *Orders) classSetting(c Code) Setting {
	row := irregularities[c]
	least := min(row.inRound, row.between)
	words := classNames[least:]
	return Setting{"classes." + c.String(), strings.Join(words, " or ") + ": a class may be raised, never lowered", func(v string) bool {
		i := slices.Index(words, v)
		if i == 0 {
			o.class[c] = NoClass
		}
		if i > 0 {
			o.class[c] = least + Class(i)
		}
		return i >= 0
	}, func() string { return max(least, o.class[c]).String() }}
}

// remedySetting is a list of the remedies that may be ordered, the default first.
func (o *Orders) remedySetting(c Code) Setting {
	row := irregularities[c]
	possible := remedyWords(row.first, row.fit)
	return Setting{"remedies." + c.String(), "one or more of " + strings.Join(possible, ", ") + ", each once, the default first", func(v string) bool {
		var first Remedy
		var fit remedySet
		for i, word := range strings.Split(v, ",") {
			r, ok := ParseRemedy(strings.TrimSpace(word))
			if !ok || row.fit&of(r) == 0 || fit&of(r) != 0 {
				return false
			}
			if i == 0 {
				first = r
			}
			fit |= of(r)
		}
		if first == row.first && fit == row.fit {
			first, fit = NoRemedy, 0
		}
		o.first[c], o.fit[c] = first, fit
		return true
	}, func() string {
		row := o.row(c)
		return strings.Join(remedyWords(row.first, row.fit), ",")
	}}
}
