package audit

import (
	"fmt"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Report is the result of an audit.
type Report struct {
	Summary   Summary         `json:"summary"`
	Machine   Machine         `json:"machine"`
	Libraries []Library       `json:"libraries"`
	Tables    []*Table        `json:"tables"`
	Absent    []probe.Listing `json:"absent"` // not here, with the reason

	// Starts is the time that targets took to start, their libraries to load.
	Starts time.Duration `json:"-"`
}

// Table is one operation in one format: its targets and their findings.
type Table struct {
	Op      probe.Op  `json:"op"`
	DType   fp.Format `json:"dtype"`
	N       int       `json:"n"`
	M       int       `json:"m,omitempty"`
	Cols    int       `json:"cols,omitempty"`
	Tried   int       `json:"tried"` // inputs given to all
	Summary Summary   `json:"summary"`
	Groups  []Group   `json:"groups"`
	Failed  []Failure `json:"failed"`
	Pairs   []Pair    `json:"differences"` // of the first group from each other one
	Matrix  []Cell    `json:"matrix"`      // of every group from every other one

	// Alike holds the differences of groups that have the same words.
	Alike []Pair `json:"alike,omitempty"`

	spec probe.Spec
	rows []*Row
}

// Group is a set of targets that agreed in every bit, and in tree and
// arithmetic.
type Group struct {
	Letter  string `json:"letter"`
	Words   string `json:"words"`
	Members []*Row `json:"members"`
}

// Row is a target: its finding, and the one for data that begins one element
// past a multiple of 64 bytes, where that was tried and differs.
type Row struct {
	Finding *reveal.Finding `json:"finding"`
	Shifted *reveal.Finding `json:"shifted,omitempty"`

	address string
	group   [2]int // of the comparison, by alignment
	fault   error
}

// Failure is a target that could not be run.
type Failure struct {
	Target string       `json:"target"`
	Error  *probe.Fault `json:"error"`
}

// Pair holds the differences of two groups.
type Pair struct {
	A          string             `json:"a"`
	B          string             `json:"b"`
	Difference *reveal.Difference `json:"difference"` // nil where no result differs, or formats do
	Note       string             `json:"note,omitempty"`
}

// Cell is a Pair without its inputs.
type Cell struct {
	A           string    `json:"a"`
	B           string    `json:"b"`
	Tried       int       `json:"tried"`        // N(0,1) inputs
	Differ      int       `json:"differ"`       // of these
	TypicalULPs uint64    `json:"typical_ulps"` // median distance on these
	ULPs        uint64    `json:"ulps"`         // on the smallest input found
	Summands    int       `json:"summands"`     // of that input that are not zero
	Bits        [2]string `json:"bits"`         // of the results of that input
	Formats     bool      `json:"formats"`      // the results are of different formats
	Note        string    `json:"note,omitempty"`

	pair Pair
}

// Library is a library that was audited, with the CPU kernels that it used and
// the files or interpreters that it was found in.
type Library struct {
	Name     string   `json:"name"`
	Kernels  []string `json:"kernels,omitempty"`
	Settings []string `json:"settings,omitempty"` // in use, as the library reports them
	Runtimes []string `json:"runtimes,omitempty"`
}

// findings returns the findings of a row: one, or two where the order depends
// on the address of the data.
func (r *Row) findings() []*reveal.Finding {
	if r.Shifted == nil {
		return []*reveal.Finding{r.Finding}
	}
	return []*reveal.Finding{r.Finding, r.Shifted}
}

// calls returns the number of calls that the findings of a row took.
func (r *Row) calls() (n int) {
	for _, f := range r.findings() {
		n += f.Calls
	}
	return n
}

// words describes a row: the family, and any unusual arithmetic.
func (r *Row) words() string {
	if r.Shifted == nil {
		return describe.Brief(r.Finding)
	}
	s := "depends on the address"
	if a, b := describe.Brief(r.Finding), describe.Brief(r.Shifted); a != b {
		s += ": " + a + ", or " + b
	}
	return s
}

// proof names the evidence of a row, for a column of a table.
func (r *Row) proof() string {
	f, g := r.Finding, r.Shifted
	switch {
	case g == nil:
		return describe.BriefEvidence(f)
	case f.Verdict != reveal.TreeVerdict || g.Verdict != reveal.TreeVerdict:
		return "2 verdicts, by alignment"
	}
	return "2 trees, by alignment"
}

// title names the operation, its format and its shape.
func (t *Table) title() string {
	s := t.name() + fmt.Sprintf(" · n = %d", t.N)
	switch {
	case t.Cols > 0:
		s += fmt.Sprintf(" · %d × %d results, the first of them", t.M, t.Cols)
	case t.M > 0:
		s += fmt.Sprintf(" · %d results, the first of them", t.M)
	}
	if t.Tried > 0 {
		s += fmt.Sprintf(" · %d inputs to each", t.Tried)
	}
	return s
}

// name names the operation and its format.
func (t *Table) name() string { return fmt.Sprintf("%s · %s", t.Op, longName(t.DType)) }

// longName returns a format's name as NumPy writes it.
func longName(f fp.Format) string {
	return map[fp.Format]string{
		fp.Binary64: "float64", fp.Binary32: "float32",
		fp.Binary16: "float16", fp.BFloat16: "bfloat16",
	}[f]
}

// command returns the command line that shows the differences of two groups.
func (t *Table) command(p Pair) string {
	s := fmt.Sprintf("lastbit compare %s %s --op %s --dtype %s -n %d",
		t.first(p.A), t.first(p.B), t.Op, t.DType, t.N)
	if t.M > 0 {
		s += fmt.Sprintf(" --m %d", t.M)
	}
	if t.Cols > 0 {
		s += fmt.Sprintf(" --cols %d", t.Cols)
	}
	if p.Difference != nil && p.Note != "" {
		s += fmt.Sprintf(" --align %d", t.DType.Bytes())
	}
	return s
}

// first returns the address of the first target under a letter.
func (t *Table) first(letter string) string {
	for _, g := range t.Groups {
		if g.Letter == letter {
			return g.Members[0].address
		}
	}
	return ""
}
