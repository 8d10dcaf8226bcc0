package overview

import (
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Version is the version of the JSON. It changes where Compare cannot read
// older files.
const Version = 1

// Report is the report of everything. The parts that were not asked for, or
// that could not be made, are nil; Sections has the reasons.
type Report struct {
	Version     int           `json:"report"`
	Made        time.Time     `json:"made"`
	Interrupted bool          `json:"interrupted"`
	Answers     []Answer      `json:"answers"`
	Sections    []*Section    `json:"sections"`
	Machine     audit.Machine `json:"machine"`

	Audit     *audit.Report     `json:"audit,omitempty"`
	Agreement *lock.Agreement   `json:"agreement,omitempty"` // of the audit's notable pair
	Libm      *libm.Fingerprint `json:"libm,omitempty"`
	Invariant []*Sweep          `json:"invariant,omitempty"`
	Lock      *Lock             `json:"lock,omitempty"`
	Vet       *Vet              `json:"vet,omitempty"`
	Digits    []*Program        `json:"digits,omitempty"`
	Explain   []*Pair           `json:"explain,omitempty"`
}

// State is how far a section is.
type State string

// The states of a section.
const (
	Done        State = "done"
	Failed      State = "failed"      // Error has the cause and the cure
	Absent      State = "absent"      // Why says what is missing
	Interrupted State = "interrupted" // before it was done
)

// Section is a section of a report.
type Section struct {
	Verb  string `json:"verb"`   // that fills it
	ID    string `json:"anchor"` // of the page
	Title string `json:"title"`
	State State  `json:"state"`
	// Why is the reason of a state other than Done, in one line.
	Why     string       `json:"why,omitempty"`
	Error   *probe.Fault `json:"error,omitempty"`
	Seconds float64      `json:"seconds"`
}

// titles holds the anchors and the titles of sections by the verbs that fill
// them, in the order of the page.
var titles = []struct{ verb, id, title string }{
	{"audit", "ways", "Ways to add"},
	{"libm", "functions", "Elementary functions"},
	{"invariant", "invariance", "Batch, threads and ranks"},
	{"lock", "project", "This project"},
	{"vet", "go", "Go code"},
	{"digits", "digits", "Digits"},
	{"explain", "differences", "Differences"},
}

// newSection returns the section of a verb.
func newSection(verb string) *Section {
	for _, t := range titles {
		if t.verb == verb {
			return &Section{Verb: t.verb, ID: t.id, Title: t.title}
		}
	}
	panic("overview: no section " + verb)
}

// Sweep is the invariance of one operation over the values of an axis.
type Sweep struct {
	Name   string             `json:"name"` // the command line after lastbit invariant
	Answer string             `json:"answer,omitempty"`
	Result *reveal.Invariance `json:"result,omitempty"`
	Error  *probe.Fault       `json:"error,omitempty"`
}

// Conclude fills Answer from Result.
func (s *Sweep) Conclude() { s.Answer = describe.InvarianceVerdict(s.Result) }

// Lock is the check of a lock file.
type Lock struct {
	File   string `json:"file"`
	Answer string `json:"answer"`
	*lock.Report
}

// Vet holds the findings in a project's Go code.
type Vet struct {
	Packages int            `json:"packages"`
	Asked    bool           `json:"asked"` // the compiler, for fused operations
	Findings []Place        `json:"findings"`
	Failed   []*probe.Fault `json:"failed"` // packages that could not be examined
}

// Place is a place in Go code that computes other bits elsewhere.
type Place struct {
	Package  string   `json:"package"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Analyzer string   `json:"analyzer"`
	Message  string   `json:"message"`
	Targets  []string `json:"targets,omitempty"`
	Source   string   `json:"source,omitempty"` // the line
}

// Program is a Go program whose digits were counted.
type Program struct {
	Name    string          `json:"name"` // the package and its arguments
	Answer  string          `json:"answer,omitempty"`
	Wrong   int             `json:"wrong_numbers"` // numbers with digits that are not right
	Output  string          `json:"output,omitempty"`
	Result  *digits.Report  `json:"result,omitempty"`
	Listing *digits.Listing `json:"-"`
	Error   *probe.Fault    `json:"error,omitempty"`
}

// Pair is two results and their differences.
type Pair struct {
	A       string                 `json:"a"`
	B       string                 `json:"b"`
	Op      string                 `json:"op,omitempty"`
	Reports []*explainfiles.Report `json:"arrays,omitempty"`
	OnlyA   []string               `json:"only_a,omitempty"` // arrays that B lacks
	OnlyB   []string               `json:"only_b,omitempty"`
	Error   *probe.Fault           `json:"error,omitempty"`
}

// section returns the section of a verb, or nil.
func (r *Report) section(verb string) *Section {
	for _, s := range r.Sections {
		if s.Verb == verb {
			return s
		}
	}
	return nil
}

// reason describes a fault in one line: the thing, the cause and the cure.
func reason(f *probe.Fault) string {
	s := f.Thing + ": " + f.Cause
	if f.Err != nil {
		s += " (" + f.Err.Error() + ")"
	}
	return s + prefixed("; ", f.Cure)
}

func prefixed(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}
