package instrument

import (
	"slices"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// Kind is the kind of an operation.
type Kind string

// The kinds. A comparison and a conversion to an integer are not perturbed, but
// observed: there an error changes the program's course. Calls of code outside
// are counted.
const (
	Sum        Kind = "sum"
	Product    Kind = "product"
	Quotient   Kind = "quotient"
	Function   Kind = "function"
	Conversion Kind = "conversion"
	Comparison Kind = "comparison"
	ToInteger  Kind = "to integer"
	Outside    Kind = "outside" // a call of code that was not rewritten
)

// IsObserved reports whether operations of the kind are only observed.
func (k Kind) IsObserved() bool { return k == Comparison || k == ToInteger || k == Outside }

// A Site is an operation in the source of a program. The place of a site in
// Program.Sites is its number in the control file.
type Site struct {
	Package string `json:"package"`
	File    string `json:"file"` // relative to the module of the package
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Kind    Kind   `json:"kind"`
	Text    string `json:"text"` // the operation's source

	// Compared is set for an operation in an operand of a comparison: its
	// result decides and goes no further.
	Compared bool `json:"compared,omitempty"`
}

// IsStandard reports whether the operation is of the standard library, which
// nobody edits.
func (s Site) IsStandard() bool { return numeric[s.Package] }

// An Omission is a place that was left alone, and why.
type Omission struct {
	Package string `json:"package"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Why     string `json:"why"`

	// Reached is set where the place can lie on the way to a printed number:
	// the program called it, or nobody knows.
	Reached bool `json:"reached"`

	// Calls counts the calls of functions that carry numbers to the place, in
	// one run, where they can be counted.
	Calls uint64 `json:"calls,omitempty"`

	// Operations counts the operations that were left alone, where they are
	// known.
	Operations int `json:"operations,omitempty"`

	// Tag is a build tag that leaves the place out, or "".
	Tag string `json:"tag,omitempty"`
}

// The reasons of omissions, in Omission.Why.
const (
	Assembly = "assembly"
	Cgo      = "cgo"
	NotGo    = "not Go"
	Linkname = "unsafe: a function of another package, by go:linkname"
	Chosen   = "not among the packages chosen"
	Failed   = "it does not compile rewritten"
	BigFloat = "roundings of math/big"
)

// CallsOutside reports whether rewritten code calls code that is not, with
// numbers.
func (p *Program) CallsOutside() bool { return len(p.outside) > 0 }

// Omissions returns the places that were left alone, given the records of a
// run, or nil.
func (p *Program) Omissions(records []perturb.Record) []Omission {
	all := slices.Clone(p.Omitted)
	for site, k := range p.outside {
		if records != nil && records[site].Count > 0 {
			all[k].Reached = true
			all[k].Calls += records[site].Count
		}
	}
	return all
}
