package libm

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// A Difference holds the differences of two fingerprints.
type Difference struct {
	Here      Machine           `json:"here"`
	There     Machine           `json:"there"`
	Libraries []LibraryCompared `json:"libraries"`
	Compared  int               `json:"compared"` // functions that both have
	Differ    []PrintsDiffer    `json:"differ"`
	OnlyOne   []PrintOfOne      `json:"only_one"` // functions that one of them has
	// Broken reports that crmath differs: one of the builds is broken.
	Broken bool `json:"broken"`

	here, there *Fingerprint
}

// LibraryCompared is a library that at least one of two fingerprints has.
type LibraryCompared struct {
	Library  string  `json:"library"`
	Here     *string `json:"here"` // its version; null where it is missing
	There    *string `json:"there"`
	Compared int     `json:"compared"` // functions that both have
	Same     int     `json:"same"`     // functions whose results do not differ
}

// PrintsDiffer is a function of a library that gave other results elsewhere.
type PrintsDiffer struct {
	Here  *Print `json:"here"`
	There *Print `json:"there"`
}

// PrintOfOne is a function that was not compared.
type PrintOfOne struct {
	Where string `json:"where"` // here, there
	Print *Print `json:"print"`
}

// libraryOrder holds the names of libraries in JSON, in the order of sentences.
var libraryOrder = []string{"crmath", "go", "c", "numpy"}

// libraryNames holds their names in sentences.
var libraryNames = map[string]string{"crmath": "crmath", "go": "Go", "c": "C", "numpy": "NumPy"}

// Diff compares the functions of both fingerprints, in the formats of f.
func (f *Fingerprint) Diff(o *Fingerprint) *Difference {
	d := &Difference{
		Here: f.Machine, There: o.Machine, Differ: []PrintsDiffer{}, OnlyOne: []PrintOfOne{},
		here: f, there: o,
	}
	for _, name := range libraryOrder {
		l := LibraryCompared{Library: name, Here: f.version(name), There: o.version(name)}
		if l.Here != nil || l.There != nil {
			d.Libraries = append(d.Libraries, l)
		}
	}
	for _, p := range f.Prints {
		if q := o.find(p); q != nil {
			d.compare(p, q)
		} else {
			d.OnlyOne = append(d.OnlyOne, PrintOfOne{"here", p})
		}
	}
	formats := f.Formats()
	for _, q := range o.Prints {
		if slices.Contains(formats, q.DType) && f.find(q) == nil {
			d.OnlyOne = append(d.OnlyOne, PrintOfOne{"there", q})
		}
	}
	return d
}

// find returns the print of the same function, or nil.
func (f *Fingerprint) find(p *Print) *Print {
	for _, q := range f.Prints {
		if p.Library == q.Library && p.Function == q.Function && p.DType == q.DType {
			return q
		}
	}
	return nil
}

// compare adds a function that both have.
func (d *Difference) compare(p, q *Print) {
	i := slices.IndexFunc(d.Libraries,
		func(l LibraryCompared) bool { return l.Library == p.Library })
	l := &d.Libraries[i]
	d.Compared++
	l.Compared++
	if p.Hash == q.Hash && p.Count == q.Count {
		l.Same++
		return
	}
	d.Differ = append(d.Differ, PrintsDiffer{p, q})
	d.Broken = d.Broken || p.Library == "crmath"
}

// version returns a library's version, or nil.
func (f *Fingerprint) version(library string) *string {
	for _, p := range f.Prints {
		if p.Library == library {
			return &p.Version
		}
	}
	return nil
}

// Write prints a difference.
func (d *Difference) Write(w io.Writer) {
	fmt.Fprintf(w, "here   %s\n       %s\n", d.Here, d.here.versions())
	fmt.Fprintf(w, "there  %s\n       %s\n\n",
		text.Visible(d.There.String()), text.Visible(d.there.versions()))
	if len(d.Differ) == 0 {
		fmt.Fprintf(w, "the same: %d functions gave the same bits\n", d.Compared)
	} else {
		fmt.Fprintf(w, "different: %d of %d functions\n", len(d.Differ), d.Compared)
		rows := [][]string{{"function", "where", "library", "wrong", "worst", "hash", "at"}}
		for _, p := range d.Differ {
			here := []string{p.Here.name(), "here", p.Here.Version}
			there := []string{"", "there", text.Visible(p.There.Version)}
			rows = append(rows, append(here, p.Here.cells()...), append(there, p.There.cells()...))
		}
		text.Table(w, "", rows, 3)
		d.writeSame(w)
	}
	d.writeOnlyOne(w)
	if d.Broken {
		fmt.Fprintln(w)
		text.WriteWrapped(w, "",
			"crmath differs, and its results are the same on every machine: one of the two builds "+
				"is broken. The one here was checked, so the other one is broken, or its file was "+
				"changed. Do not trust the share of wrong results in it.")
	}
}

// writeSame prints, by library, how many functions do not differ.
func (d *Difference) writeSame(w io.Writer) {
	var parts []string
	for _, l := range d.Libraries {
		if l.Same > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", l.Same, libraryNames[l.Library]))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "\nthe same: %s\n", strings.Join(parts, ", "))
	}
}

// writeOnlyOne prints the omissions: libraries, or functions of one.
func (d *Difference) writeOnlyOne(w io.Writer) {
	for _, where := range []string{"here", "there"} {
		var parts []string
		for _, l := range d.Libraries {
			var names []string
			for _, p := range d.OnlyOne {
				if p.Where == where && p.Print.Library == l.Library {
					names = append(names, text.Visible(p.Print.name()))
				}
			}
			switch {
			case len(names) == 0:
			case l.Compared == 0:
				all := fmt.Sprintf("all %d functions of %s", len(names), libraryNames[l.Library])
				parts = append(parts, all)
			default:
				parts = append(parts, libraryNames[l.Library]+"'s "+strings.Join(names, ", "))
			}
		}
		if len(parts) > 0 {
			fmt.Fprintln(w)
			text.WriteWrapped(w, "only "+where+", not compared: ", strings.Join(parts, "; "))
		}
	}
}

// versions lists the versions of a fingerprint's libraries.
func (f *Fingerprint) versions() string {
	var versions []string
	for _, p := range f.Prints {
		if p.Library != "crmath" && !slices.Contains(versions, p.Version) {
			versions = append(versions, p.Version)
		}
	}
	for _, a := range f.Absent {
		versions = append(versions, "no "+libraryNames[a.Library])
	}
	return strings.Join(versions, ", ")
}
