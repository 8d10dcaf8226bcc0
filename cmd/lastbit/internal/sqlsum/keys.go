package sqlsum

import (
	"fmt"
	"strings"
)

// Keys. A group is the rows whose keys the engine prints alike, so that it
// depends on the rows alone. GROUP BY may join keys of several texts: 0 and −0,
// '1 month' and '30 days', texts in a collation. Its row for such a group has
// the key of any of them, and rows of other places and parts may have another.
// So the table is grouped by texts, except where those are known to be as many
// as the keys: they are slower than numbers.

// A key is a column of keys.
type key struct {
	// columns are the expressions that the table is grouped by.
	columns []string
	// text is the key as a text, or its bytes, by the names of the columns.
	text func(names []string) string
}

// keyOf returns a column of keys.
func (w *writer) keyOf(by string) key {
	first := func(names []string) string { return names[0] }
	k := w.quote(by)
	text := expand(w.key, k)
	switch {
	case w.keepsKeys:
		return key{columns: []string{k}, text: first}
	case w.addsAlike:
		return key{[]string{k}, func(names []string) string { return expand(w.key, names[0]) }}
	case w.hasOneText != "":
		// An engine that knows the type computes one of the columns only.
		isTyped := expand(w.hasOneText, expand(w.typeOf, k))
		return key{[]string{
			"CASE WHEN " + isTyped + " THEN " + k + " END",
			"CASE WHEN " + isTyped + " THEN NULL ELSE " + text + " END",
		}, func(names []string) string {
			return "COALESCE(" + expand(w.key, names[0]) + ", " + names[1] + ")"
		}}
	}
	return key{[]string{text}, first}
}

// nameKeys names the columns of keys.
func (w *writer) nameKeys() {
	for i, by := range w.By {
		of, names := w.keyOf(by), []string{}
		for j, c := range of.columns {
			name := w.n("k" + fmt.Sprint(i+1) + strings.Repeat("t", j))
			names = append(names, name)
			w.keyColumns = append(w.keyColumns, c+" AS "+name)
		}
		w.keys = append(w.keys, names...)
		w.keyTexts = append(w.keyTexts, of.text(names))
	}
}

// keyText returns the mark and the keys of a group as letters and digits.
func (w *writer) keyText(mark string) string {
	text := "'" + mark + ":'"
	for i, k := range w.keyTexts {
		if i > 0 {
			text += " || '.'"
		}
		text += fmt.Sprintf(" || CASE WHEN %s IS NULL THEN 'null' ELSE 'x' || %s END", k,
			expand(w.hex, k))
	}
	return text
}

// addAlike returns the rows of all parts with the rows added whose keys are
// printed alike: NaN of several bits, the hour that a clock shows twice.
func (w *writer) addAlike(rows []string) string {
	with := *w
	with.keys = w.names("mark", "part")
	return with.merged(strings.Join(rows, "\n  UNION ALL "))
}
