package explainfiles

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/explain"
)

// Report is the differences of two arrays, and their causes.
type Report struct {
	Name string `json:"name,omitempty"`
	*explain.Differences
	*explain.Explanation
	// Worst element's values are printed with these names.
	A, B Place `json:"-"`
}

// Reports holds a report for each pair of two folders or archives.
type Reports struct {
	Count     int64           `json:"count"`
	Differing int64           `json:"differing"`
	MaxULPs   uint64          `json:"max_ulps"`
	Explained bool            `json:"explained"`
	Causes    []explain.Cause `json:"causes"`
	Arrays    []*Report       `json:"arrays"`
	OnlyA     []string        `json:"only_a"`
	OnlyB     []string        `json:"only_b"`
}

// Gather adds up reports.
func Gather(list []*Report, m *Matches) *Reports {
	r := &Reports{Arrays: list, OnlyA: m.OnlyA, OnlyB: m.OnlyB, Causes: []explain.Cause{}}
	for _, one := range list {
		r.Count += one.Count
		r.Differing += one.Differing
		r.MaxULPs = max(r.MaxULPs, one.MaxULPs)
	}
	return r
}

// Same reports whether nothing differs.
func (r *Reports) Same() bool { return r.Differing == 0 && len(r.OnlyA)+len(r.OnlyB) == 0 }

// Headline returns the differences on one line.
func Headline(d *explain.Differences) string {
	s := fmt.Sprintf("%d of %d elements differ", d.Differing, d.Count)
	switch {
	case d.Differing == 0 && d.Count == 1:
		return "the one element is equal, bit for bit"
	case d.Differing == 0:
		return fmt.Sprintf("all %d elements are equal, bit for bit", d.Count)
	case d.Count == 1:
		s = "the one element differs"
	}
	if d.Worst != nil {
		s += fmt.Sprintf(", by %s at most (median %s)", text.ULPs(d.MaxULPs), number(d.MedianULPs))
	}
	return s + fmt.Sprintf("; first at %v", d.First)
}

// number writes a number of at most a few digits.
func number(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// Write writes a report. The first line has the differences, the next ones the
// cause.
func Write(w io.Writer, r *Report, asked bool) {
	p := text.For(w)
	p.Line("", Headline(r.Differences))
	if r.Differing == 0 {
		return
	}
	if asked {
		writeCause(p, r.Explanation)
	}
	writeKinds(p, r.Differences)
	writeHistogram(p, r.Differences)
	writeBits(p, r.Differences)
	if len(r.Where.Clusters) > 0 || r.Differing >= manyPlaces {
		writePlaces(p, r.Where)
	}
}

// manyPlaces is the least number of differences that are spread all over an
// array.
const manyPlaces = 8

// writeCause writes the cause, the models and their errors.
func writeCause(p *text.Printer, x *explain.Explanation) {
	if x.Explained {
		for _, v := range x.Values {
			p.Line("", fmt.Sprintf("%s %s: a = %s, b = %s", p.Good("Cause:"), v.Cause, v.A, v.B))
			p.Line("  to agree: ", v.Advice)
		}
	} else {
		p.Line("", fmt.Sprintf("%s: %s", p.Doubtful("Unexplained"), x.Reason))
	}
	fmt.Fprintln(p)
	var rows [][]string
	for _, s := range []struct {
		name string
		side *explain.Side
	}{{"a", x.A}, {"b", x.B}} {
		model := text.Or(s.side.Model, "no model")
		rows = append(rows, []string{s.name, model, fmt.Sprintf("reproduces %d", s.side.Reproduces),
			sizes(s.side)})
	}
	text.Table(p, "  ", rows)
	p.Line("  ", closer(x))
}

// sizes returns the sizes of the errors of a side in words.
func sizes(s *explain.Side) string {
	const noNumber = math.MaxUint64 // of ULPs, between NaN and a number
	if s.MaxError == noNumber {
		return "NaN in the place of a number, or a number in the place of NaN"
	}
	return fmt.Sprintf("error up to %s, median %s", text.ULPs(s.MaxError), number(s.MedianError))
}

// closer returns a sentence about the true result.
func closer(x *explain.Explanation) string {
	s := "neither is closer to the true result"
	if x.Closer != "" {
		s = x.Closer + " is closer to the true result"
	}
	if x.Condition == 0 {
		return s
	}
	s += fmt.Sprintf("; the median condition number is %.3g", x.Condition)
	const ill = 1e3
	switch {
	case !x.Allowed:
		return s + ", which does not allow errors as large as these"
	case x.Condition >= ill:
		return s + ": the sums are ill-conditioned, which allows these errors"
	}
	return s + ", which allows these errors"
}

// writeKinds writes the counts of special differences.
func writeKinds(p *text.Printer, d *explain.Differences) {
	var parts []string
	for _, k := range []struct {
		n    int64
		what string
	}{
		{d.SignFlips, "sign flip"}, {d.NaN, "NaN in one"}, {d.Inf, "infinity in one"},
		{d.Zeros, "+0 and −0"}, {d.Subnormals, "subnormal"},
	} {
		if k.n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", k.what, k.n))
		}
	}
	if parts != nil {
		p.Line("  of these  ", strings.Join(parts, "; "))
	}
}

// widest is the length of the longest bar.
const widest = 40

func bar(n, largest int64) string {
	return strings.Repeat("█", max(int(widest*n/max(largest, 1)), 1))
}

// writeHistogram writes the numbers of elements by distance.
func writeHistogram(p *text.Printer, d *explain.Differences) {
	if len(d.Histogram) == 0 {
		return
	}
	largest := slices.MaxFunc(d.Histogram, func(a, b explain.Bin) int {
		return int(a.Count - b.Count)
	}).Count
	fmt.Fprintln(p, "\n"+p.Heading("ULPs"))
	var rows [][]string
	for _, b := range d.Histogram {
		rows = append(rows, []string{span(b), fmt.Sprint(b.Count), bar(b.Count, largest)})
	}
	text.Table(p, "  ", rows, 0, 1)
}

// span writes the distances of a bin.
func span(b explain.Bin) string {
	if b.From == b.To {
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d–%d", b.From, b.To)
}

// writeBits writes the bits that differ.
func writeBits(p *text.Printer, d *explain.Differences) {
	fraction := d.Format.Precision() - 1
	groups := []struct {
		name     string
		from, to int
	}{
		{"sign", len(d.Bits) - 1, len(d.Bits)}, {"exponent", fraction, len(d.Bits) - 1},
		{"fraction", 0, fraction},
	}
	var parts []string
	for _, g := range groups {
		first, last, n := -1, -1, int64(0)
		for i := g.from; i < g.to; i++ {
			if d.Bits[i] > 0 {
				if first < 0 {
					first = i
				}
				last = i
				n = max(n, d.Bits[i])
			}
		}
		switch {
		case first < 0:
		case first == last:
			parts = append(parts, fmt.Sprintf("%s bit %d", g.name, first))
		default:
			parts = append(parts, fmt.Sprintf("%s bits %d to %d", g.name, first, last))
		}
	}
	if parts != nil {
		fmt.Fprintln(p)
		p.Line("bits    ", strings.Join(parts, "; ")+" (0 is the last)")
	}
}

// writePlaces writes where the differences are.
func writePlaces(p *text.Printer, w explain.Where) {
	if len(w.Clusters) == 0 {
		p.Line("places  ", "all over the array")
		return
	}
	p.Line("places  ", strings.Join(w.Clusters, "; "))
}

// WriteAll writes the reports of several arrays.
func WriteAll(w io.Writer, r *Reports) {
	p := text.For(w)
	differ := 0
	for _, one := range r.Arrays {
		if one.Differing > 0 {
			differ++
		}
	}
	arrays := text.Count(len(r.Arrays), "array")
	if r.Same() {
		p.Line("", fmt.Sprintf("all %s are equal, bit for bit", arrays))
		return
	}
	verb := "differ"
	if len(r.Arrays) == 1 {
		verb = "differs"
	}
	headline := fmt.Sprintf("%d of %s %s: %d of %d elements, by %s at most", differ, arrays, verb,
		r.Differing, r.Count, text.ULPs(r.MaxULPs))
	if differ == 0 {
		headline = "the arrays of both are equal, bit for bit; others are in one only"
	}
	p.Line("", headline)
	for _, one := range r.Arrays {
		if one.Differing > 0 {
			p.Line("  "+one.Name+"  ", Headline(one.Differences))
		}
	}
	for _, only := range []struct {
		side  string
		names []string
	}{{"first", r.OnlyA}, {"second", r.OnlyB}} {
		if len(only.names) > 0 {
			p.Line("  ", "only in the "+only.side+": "+strings.Join(only.names, ", "))
		}
	}
}

// WriteTrace writes the first step of two traces that differs.
func WriteTrace(w io.Writer, d *Divergence) {
	p := text.For(w)
	if d.Step < 0 {
		answer := fmt.Sprintf("all %s are equal", text.Count(d.Steps, "step"))
		if d.Norms {
			answer += `, by norms, which miss small changes: hash_fn="hash_tensor" shows all`
		}
		p.Line("", text.Or(d.Reason, answer))
		return
	}
	const first = "step %d of %d, %s, is the first with equal inputs and different outputs"
	p.Line("", fmt.Sprintf(first, d.Step, d.Steps, d.Name))
	if d.Reason != "" {
		p.Line("", p.Doubtful("Unexplained")+": "+d.Reason)
	}
	if d.Report != nil {
		fmt.Fprintln(p)
		Write(p, d.Report, d.Reason == "")
	}
}
