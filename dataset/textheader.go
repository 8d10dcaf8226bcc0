package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// choose finds the columns asked for, with the first line as their names or as
// data.
func (t *text) choose(o Options, head []string) error {
	if len(o.Columns) == 0 {
		only, err := onlyPosition(o.Key, head)
		if err != nil {
			return err
		}
		o.Columns = []string{only}
	}
	if len(head) > 0 {
		uncomment(o, head)
	}
	if names := t.commented(o, head); names != nil {
		head, o.Header = names, WithHeader
		defer func() { t.held = true }() // the first line is data
	} else if t.held {
		var err error
		if o.Header, err = header(o, head); err != nil {
			return err
		}
	}
	t.names = slices.Clone(columnNames(o))
	for j, name := range t.names {
		if n, ok := position(name); ok {
			t.names[j] = strconv.Itoa(n)
		}
		i, err := t.find(name, head, o.Header)
		if err != nil {
			return err
		}
		t.at = append(t.at, i)
		t.cells = max(t.cells, i+1)
		if o.Header == WithHeader && i < len(head) && head[i] != "" {
			t.names[j] = head[i]
		}
	}
	if o.Header == WithHeader {
		t.held = false
	}
	return nil
}

// uncomment cuts the # off the name of the first column, which NumPy's savetxt
// writes before a header, unless the name is asked for with it.
func uncomment(o Options, head []string) {
	name := strings.TrimSpace(strings.TrimLeft(head[0], "#"))
	if name != "" && isWord(name) && isWord(head[0]) && !slices.Contains(columnNames(o), head[0]) {
		head[0] = name
	}
}

// commented returns the names of columns in a comment before the first line, as
// NumPy's savetxt writes them, if they are asked for and as many as the cells;
// nil otherwise.
func (t *text) commented(o Options, head []string) []string {
	names := strings.Fields(string(t.records.comment))
	if len(names) == 0 || len(names) != len(head) || o.Header == NoHeader {
		return nil
	}
	isAsked := func(s string) bool { _, ok := position(s); return !ok && slices.Contains(names, s) }
	if o.Header == WithHeader && !slices.ContainsFunc(head, isWord) ||
		slices.ContainsFunc(columnNames(o), isAsked) {
		return names
	}
	return nil
}

// find returns the index of a column asked for. A file without a line has every
// number, and no name.
func (t *text) find(name string, head []string, h Header) (int, error) {
	if !t.held {
		if n, ok := position(name); ok && n > 0 {
			return 0, nil
		}
		return 0, &Error{
			Line:   1,
			Column: name,
			Cause:  "the file is empty, without a header",
			Cure:   "give a file with one",
		}
	}
	if h != WithHeader {
		return columnNumber(name, len(head))
	}
	return headedColumn(name, head)
}

// header decides whether the first line of a text names its columns, by the
// rules of DetectHeader if the options leave it open.
func header(o Options, head []string) (Header, error) {
	named := slices.ContainsFunc(columnNames(o), func(s string) bool { return isName(s, head) })
	switch {
	case named && o.Header == NoHeader:
		return 0, &Error{
			Cause: "without a header its columns have no names",
			Cure:  "name them by their numbers, from 1",
		}
	case named:
		return WithHeader, nil
	case o.Header != DetectHeader:
		return o.Header, nil
	}
	return detectHeader(o, head)
}

// detectHeader decides about a first line whose columns are all asked for by
// their numbers.
func detectHeader(o Options, head []string) (Header, error) {
	var asked []int
	for _, name := range o.Columns {
		if n, _ := position(name); n > 0 {
			asked = append(asked, n-1)
		}
	}
	key, _ := position(o.Key)
	var word, askedWord, number, marked string
	for i, cell := range head {
		isAsked := slices.Contains(asked, i)
		switch {
		case isWord(cell) && isAsked:
			askedWord = cmp.Or(askedWord, cell)
		case isWord(cell) && i != key-1:
			word = cmp.Or(word, cell)
		case isAsked:
			if _, err := parseNumber([]byte(cell)); err == nil {
				number = cmp.Or(number, cell)
			} else if isNumeral([]byte(cell)) {
				marked = cmp.Or(marked, cell)
			}
		}
	}
	if askedWord != "" { // one of both is wrong; alone, 1,5 is data and no name
		number = cmp.Or(number, marked)
	}
	word = cmp.Or(askedWord, word)
	switch {
	case word != "" && number != "":
		return 0, &Error{
			Line: 1,
			Cause: fmt.Sprintf("%q is a word, as in a header, and %q is a number, as in data", word,
				number),
			Cure: "add --header or --no-header",
		}
	case askedWord != "":
		return WithHeader, nil
	}
	return NoHeader, nil
}

// position returns the number of a column named as 2 or #2.
func position(s string) (n int, ok bool) {
	digits := strings.TrimPrefix(s, "#")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// isName reports whether a column asked for can only be meant by its name: it
// is not a number, or it is one that is too large and that a cell of the first
// line holds.
func isName(s string, head []string) bool {
	n, ok := position(s)
	return !ok || n > len(head) && slices.Contains(head, s)
}

// headedColumn returns the index of a column of a text with a header. A number
// may be a name too, as in a table with a column for each year.
func headedColumn(name string, head []string) (int, error) {
	n, isNumber := position(name)
	isNumber = isNumber && 0 < n && n <= len(head)
	if isNumber && name[0] == '#' {
		return n - 1, nil
	}
	i := slices.Index(head, name)
	switch {
	case i < 0 && isNumber:
		return n - 1, nil
	case i < 0:
		if _, ok := position(name); ok {
			return columnNumber(name, len(head))
		}
		return 0, &Error{
			Line:   1,
			Column: name,
			Cause:  "there is no column of that name",
			Cure:   "the first line names " + listed(head),
		}
	case slices.Contains(head[i+1:], name):
		return 0, &Error{
			Line:   1,
			Column: name,
			Cause:  "two columns have that name",
			Cure:   "name it by its number, from 1, as #1",
		}
	case isNumber && n-1 != i:
		return 0, &Error{
			Line: 1, Column: name,
			Cause: fmt.Sprintf("it is the name of column %d, and the number of column %q", i+1,
				head[n-1]),
			Cure: fmt.Sprintf("write #%d for the first, or #%d for the second", i+1, n),
		}
	}
	return i, nil
}

// onlyPosition returns the number of the only column besides the key.
func onlyPosition(key string, head []string) (string, error) {
	numbers := make([]string, max(len(head), 1))
	for i := range numbers {
		numbers[i] = "#" + strconv.Itoa(i+1)
	}
	n, _ := position(key)
	if isName(key, head) {
		n = slices.Index(head, key) + 1
	}
	shown := head
	if !slices.ContainsFunc(head, isWord) { // no header, so that they have no names
		shown = numbers
	}
	only, err := onlyColumn(numbers, "#"+strconv.Itoa(n), shown)
	if err != nil {
		return "", err
	}
	return only[0], nil
}
