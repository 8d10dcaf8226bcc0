package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// libmDifference says in what two fingerprints differ.
type libmDifference struct {
	Here      libm.Machine      `json:"here"`
	There     libm.Machine      `json:"there"`
	Libraries []libraryCompared `json:"libraries"`
	Compared  int               `json:"compared"` // functions that both have
	Differ    []printsDiffer    `json:"differ"`
	OnlyOne   []printOfOne      `json:"only_one"` // functions that one of them has
	Broken    bool              `json:"broken"`   // crmath differs, which it cannot unless one of the builds is broken
}

// libraryCompared is a library that one of two fingerprints has, or both.
type libraryCompared struct {
	Library  string  `json:"library"`
	Here     *string `json:"here"` // its version; null where there is none
	There    *string `json:"there"`
	Compared int     `json:"compared"` // functions that both have
	Same     int     `json:"same"`     // of these, how many do not differ
}

// printsDiffer is a function of a library that gave other results on another machine.
type printsDiffer struct {
	Here  *libm.Print `json:"here"`
	There *libm.Print `json:"there"`
}

// printOfOne is a function that was not compared.
type printOfOne struct {
	Where string      `json:"where"` // here, there
	Print *libm.Print `json:"print"`
}

// difference compares what both have, of the formats that were asked for here.
func (f *fingerprint) difference(o *fingerprint) *libmDifference {
	d := &libmDifference{Here: f.Machine, There: o.Machine, Differ: []printsDiffer{}, OnlyOne: []printOfOne{}}
	for _, name := range libmOrder {
		l := libraryCompared{Library: name, Here: f.version(name), There: o.version(name)}
		if l.Here != nil || l.There != nil {
			d.Libraries = append(d.Libraries, l)
		}
	}
	find := func(in *fingerprint, p *libm.Print) *libm.Print {
		for _, q := range in.Prints {
			if p.Library == q.Library && p.Function == q.Function && p.DType == q.DType {
				return q
			}
		}
		return nil
	}
	for _, p := range f.Prints {
		q := find(o, p)
		if q == nil {
			d.OnlyOne = append(d.OnlyOne, printOfOne{"here", p})
			continue
		}
		d.Compared++
		l := d.library(p.Library)
		l.Compared++
		if p.Hash == q.Hash && p.Count == q.Count {
			l.Same++
		} else {
			d.Differ = append(d.Differ, printsDiffer{p, q})
			d.Broken = d.Broken || p.Library == "crmath"
		}
	}
	asked := f.formats()
	for _, q := range o.Prints {
		if slices.Contains(asked, q.DType) && find(f, q) == nil {
			d.OnlyOne = append(d.OnlyOne, printOfOne{"there", q})
		}
	}
	return d
}

// library is one that one of the two has.
func (d *libmDifference) library(name string) *libraryCompared {
	return &d.Libraries[slices.IndexFunc(d.Libraries, func(l libraryCompared) bool { return l.Library == name })]
}

// version is a library's, or nil.
func (f *fingerprint) version(library string) *string {
	for _, p := range f.Prints {
		if p.Library == library {
			return &p.Version
		}
	}
	return nil
}

func (a *app) libmDiff(file string, here, there *fingerprint) error {
	d := here.difference(there)
	if d.Compared == 0 {
		return &probe.Fault{ID: "bad-data", Thing: file, Cause: "it has no function of a library and a format that was looked at here", Cure: "make one here with --save, and see what differs"}
	}
	if len(d.Differ) > 0 {
		a.code = other
	}
	if a.json {
		return a.printJSON(d)
	}
	fmt.Fprintf(a.stdout, "here   %s\n       %s\nthere  %s\n       %s\n\n", d.Here, here.versions(), visible(d.There.String()), visible(there.versions()))
	if len(d.Differ) == 0 {
		fmt.Fprintf(a.stdout, "the same: %d functions gave the same bits\n", d.Compared)
	} else {
		fmt.Fprintf(a.stdout, "different: %d of %d functions\n", len(d.Differ), d.Compared)
		rows := [][]string{{"function", "where", "library", "wrong", "worst", "hash", "at"}}
		for _, p := range d.Differ {
			rows = append(rows, append([]string{functionName(p.Here), "here", p.Here.Version}, cells(p.Here)...), append([]string{"", "there", visible(p.There.Version)}, cells(p.There)...))
		}
		table(a.stdout, "", rows, map[int]bool{3: true})
		a.writeSame(d)
	}
	a.writeOnlyOne(d)
	if d.Broken {
		fmt.Fprintln(a.stdout)
		writeWrapped(a.stdout, "", "crmath differs, and its results are the same on every machine: one of the two builds is broken. The one here was checked, so it is the one there, or its file was changed: what it says is wrong may not be.")
	}
	return nil
}

// libmNames are the libraries' in sentences.
var libmNames = map[string]string{"crmath": "crmath", "go": "Go", "c": "C", "numpy": "NumPy"}

// libmOrder is theirs in sentences.
var libmOrder = []string{"crmath", "go", "c", "numpy"}

// writeSame says what does not differ, by library.
func (a *app) writeSame(d *libmDifference) {
	var parts []string
	for _, l := range d.Libraries {
		if l.Same > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", l.Same, libmNames[l.Library]))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(a.stdout, "\nthe same: %s\n", strings.Join(parts, ", "))
	}
}

// writeOnlyOne says what was not compared: a library, or functions of one.
func (a *app) writeOnlyOne(d *libmDifference) {
	for _, where := range []string{"here", "there"} {
		var parts []string
		for _, l := range d.Libraries {
			var names []string
			for _, p := range d.OnlyOne {
				if p.Where == where && p.Print.Library == l.Library {
					names = append(names, visible(functionName(p.Print)))
				}
			}
			switch {
			case len(names) == 0:
			case l.Compared == 0:
				parts = append(parts, fmt.Sprintf("all %d functions of %s", len(names), libmNames[l.Library]))
			default:
				parts = append(parts, libmNames[l.Library]+"'s "+strings.Join(names, ", "))
			}
		}
		if len(parts) > 0 {
			fmt.Fprintln(a.stdout)
			writeWrapped(a.stdout, "only "+where+", not compared: ", strings.Join(parts, "; "))
		}
	}
}

// versions are those of a fingerprint's libraries.
func (f *fingerprint) versions() string {
	var versions []string
	for _, p := range f.Prints {
		if p.Library != "crmath" && !slices.Contains(versions, p.Version) {
			versions = append(versions, p.Version)
		}
	}
	for _, absent := range f.Absent {
		versions = append(versions, "no "+libmNames[absent.Library])
	}
	return strings.Join(versions, ", ")
}
