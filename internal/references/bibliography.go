package references

import (
	"fmt"
	"regexp"
	"strings"
)

// Bibliography maps a key to its entry.
type Bibliography map[string]Entry

// Entry is one reference: its kind (article, book …) and its fields in plain
// text, with names of fields in lower case.
type Entry struct {
	Kind   string
	Fields map[string]string
}

var (
	entryStart = regexp.MustCompile(`^@(\w+)\{(\w+),$`)
	fieldLine  = regexp.MustCompile(`^  (\w+) *= \{(.*)\},?$`)
)

// Parse reads the part of BibTeX that docs/references.bib uses: an entry begins
// with "@kind{key,", holds one "  name = {value}," a line, and ends with "}".
// Anything else is an error that names the line.
func Parse(bib string) (Bibliography, error) {
	b := Bibliography{}
	var key string
	n := 0
	for line := range strings.Lines(bib) {
		n++
		line = strings.TrimRight(line, "\n")
		start, field := entryStart.FindStringSubmatch(line), fieldLine.FindStringSubmatch(line)
		switch {
		case key == "" && line == "":
		case key == "" && start != nil:
			key = start[2]
			if _, twice := b[key]; twice {
				return nil, fmt.Errorf("line %d: %s is defined twice", n, key)
			}
			b[key] = Entry{strings.ToLower(start[1]), map[string]string{}}
		case key != "" && field != nil:
			b[key].Fields[strings.ToLower(field[1])] = plain(field[2])
		case key != "" && line == "}":
			key = ""
		default:
			return nil, fmt.Errorf("line %d: %q is not understood", n, line)
		}
	}
	if key != "" {
		return nil, fmt.Errorf("%s has no end", key)
	}
	return b, nil
}

// plainReplacer replaces TeX's accents and dashes by the characters themselves,
// and drops the braces that keep capitals.
var plainReplacer = strings.NewReplacer(
	`{\"u}`, "ü", `{\"a}`, "ä", `{\"o}`, "ö", `{\'e}`, "é", "{\\`e}", "è",
	`\&`, "&", "--", "–", "{", "", "}", "")

func plain(tex string) string { return plainReplacer.Replace(tex) }

// String returns the reference as one line: authors, title, where it appeared,
// year.
func (e Entry) String() string {
	f := e.Fields
	var where string
	switch e.Kind {
	case "article":
		where = f["journal"] + " " + f["volume"]
		if f["number"] != "" {
			where += "(" + f["number"] + ")"
		}
		if f["pages"] != "" {
			where += ":" + f["pages"]
		}
	case "inproceedings":
		where = f["booktitle"]
		if f["pages"] != "" {
			where += ", pages " + f["pages"]
		}
	case "book":
		where = f["publisher"]
	default:
		where = f["note"]
		if f["eprint"] != "" {
			where = f["archiveprefix"] + ":" + f["eprint"]
		}
	}
	title := f["title"]
	if f["edition"] != "" {
		title += ", edition " + f["edition"]
	}
	return fmt.Sprintf("%s. %s. %s, %s.", authors(f["author"]), title, where, f["year"])
}

// authors turns "A and B and C" into "A, B and C".
func authors(list string) string {
	names := strings.Split(list, " and ")
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
