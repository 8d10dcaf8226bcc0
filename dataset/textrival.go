package dataset

import (
	"bytes"
	"fmt"
	"slices"
)

// rivals are separators that split every line of a text, so far, as well as the
// one in use or better. If one is left at the end, the cells that were read are
// parts of others: column 1 of the line 1,5;2 is 1.5, and not 1.
//
// A rival splits a line better if it gives at least as many numbers and no more
// cells that hold the other separator, while the separator in use leaves such a
// cell.
type rivals struct {
	separator byte
	marks     Marks
	left      []rival
	data      int64 // lines that are not a header
}

// A rival is a separator and the number of cells that it gives for every line.
type rival struct {
	separator byte
	cells     int
	commas    bool // some of its numbers hold a comma
}

func newRivals(separator byte, m Marks) *rivals {
	r := &rivals{separator: separator, marks: m}
	for _, s := range []byte{';', '\t', '|', ',', ' '} {
		isTextual := s == ' ' && separator == '\t' // blanks within cells, as in dates and times
		if s != separator && s != m.decimal() && m.Thousands != string(rune(s)) && !isTextual {
			r.left = append(r.left, rival{separator: s})
		}
	}
	return r
}

// see looks at a line, nil for one with quotes: those show the separator.
func (r *rivals) see(line []byte, isHeader bool) {
	if r == nil || len(r.left) == 0 {
		return
	}
	if !isHeader {
		r.data++
	}
	if line == nil {
		r.left = nil
		return
	}
	r.left = slices.DeleteFunc(r.left, func(v rival) bool {
		return v.separator != ' ' && bytes.IndexByte(line, v.separator) < 0 ||
			len(bytes.TrimSpace(line)) == 0
	})
	kept := r.left[:0]
	for _, v := range r.left {
		if r.splits(&v, line, isHeader) {
			kept = append(kept, v)
		}
	}
	r.left = kept
}

// splits reports whether a rival splits a line at least as well.
func (r *rivals) splits(v *rival, line []byte, isHeader bool) bool {
	theirs := split(line, v.separator)
	if len(theirs) < 2 || v.cells != 0 && len(theirs) != v.cells {
		return false
	}
	v.cells = len(theirs)
	numbers, broken, commas := countCells(theirs, r.separator)
	v.commas = v.commas || commas
	if isHeader && v.separator != ' ' {
		return true
	}
	if v.separator == ' ' && broken > 0 {
		return false
	}
	myNumbers, myBroken, _ := countCells(split(line, r.separator), v.separator)
	return isHeader || numbers >= myNumbers && broken <= myBroken && myBroken > 0
}

// split cuts a line at a separator, and at runs of blanks for a blank.
func split(line []byte, separator byte) [][]byte {
	if separator == ' ' {
		return bytes.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	}
	cells := bytes.Split(line, []byte{separator})
	for i, c := range cells {
		cells[i] = trimSpace(c)
	}
	return cells
}

// countCells counts the cells that are numbers in some wording, and those that
// are not and hold another separator.
func countCells(cells [][]byte, other byte) (numbers, broken int, commas bool) {
	for _, c := range cells {
		switch {
		case isNumeral(c) && (other != ' ' || bytes.IndexByte(c, ' ') < 0):
			numbers++
			commas = commas || bytes.IndexByte(c, ',') >= 0
		case bytes.IndexByte(c, other) >= 0:
			broken++
		}
	}
	return numbers, broken, commas
}

// cure returns the flags for a rival that is left, or "".
func (r *rivals) cure() string {
	if r == nil || len(r.left) == 0 || r.data == 0 {
		return ""
	}
	v := r.left[0]
	cure := fmt.Sprintf("add --separator '%c'", v.separator)
	if v.separator == '\t' {
		cure = "add --format tsv"
	}
	if v.commas && r.marks.decimal() == '.' {
		cure += " and --decimal ,"
	}
	return cure
}

// refuse returns an error if a rival is left at the end of the text.
func (r *rivals) refuse() error {
	cure := r.cure()
	if cure == "" {
		return nil
	}
	return &Error{
		Cause: fmt.Sprintf("every line splits as well or better by %s than by %s",
			separatorName(r.left[0].separator), separatorName(r.separator)),
		Cure: cure + ", or --separator " + separatorFlag(r.separator) + " to keep this one",
	}
}

// separatorName returns a separator in words.
func separatorName(b byte) string {
	switch b {
	case '\t':
		return "tabs"
	case ' ':
		return "blanks"
	}
	return fmt.Sprintf("%q", string(rune(b)))
}

// separatorFlag returns the value of --separator for a separator, as a shell
// reads it.
func separatorFlag(b byte) string {
	if b == '\t' {
		return `$'\t'`
	}
	return fmt.Sprintf("'%c'", b)
}
