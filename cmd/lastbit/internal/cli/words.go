package cli

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// meaning says on one line what a verdict means.
func meaning(f *reveal.Finding) string {
	switch f.Verdict {
	case reveal.TreeVerdict:
		if f.Verified {
			return "tree, verified: one fixed order, and replaying it gives the same bits"
		}
		return "tree, unverified: the masks see one order, but replaying it does not give the same bits"
	case reveal.Exact:
		return "exact: the result is the correctly rounded one, so order does not matter"
	case reveal.Compensated:
		return "compensated: rounding errors are carried along, so no tree of plain additions gives these bits"
	case reveal.Nondeterministic:
		return "nondeterministic: the same input gave different results in one run"
	case reveal.ValueDependent:
		return "value-dependent: the order, or a scaling, depends on the values"
	case reveal.NotASum:
		return "not a sum: a summand is dropped, doubled or scaled"
	}
	return string(f.Verdict) + ": with this range and precision of the numbers, the order cannot be told"
}

// code is the exit code of a finding.
func code(f *reveal.Finding) int {
	if f.Verified && (f.Verdict == reveal.TreeVerdict || f.Verdict == reveal.Exact) {
		return same
	}
	return other
}

// familyOf names what a finding is, in a word or two.
func familyOf(f *reveal.Finding) string {
	switch {
	case f.Verdict == reveal.Exact:
		return "exact: order does not matter"
	case f.Verdict != reveal.TreeVerdict:
		return string(f.Verdict)
	case !f.Verified:
		return "unverified " + orWord(f.Family, "tree")
	}
	return orWord(f.Family, "tree of no known family")
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// wordsOf says what a finding is: the family, and what is unusual in its arithmetic.
func wordsOf(f *reveal.Finding) string {
	s := familyOf(f)
	if f.Verdict == reveal.TreeVerdict && f.Verified {
		if acc := f.Traits.Accumulator; acc != f.Key.DType.String() && acc != unknown {
			s += ", in " + strings.ReplaceAll(strings.TrimPrefix(acc, "mixed: "), ", ", " and ")
		}
		switch f.Traits.FMA {
		case reveal.Fused:
			s += ", fma"
		case reveal.PartlyFused:
			s += ", fma in part"
		}
	}
	if f.Key.Out != f.Key.DType {
		s += " → " + f.Key.Out.String()
	}
	return s
}

// shortProof is proof for a column.
func shortProof(f *reveal.Finding) string {
	e := f.Evidence
	var parts []string
	if e.CertificateCalls > 0 {
		parts = append(parts, "certificate")
	}
	switch {
	case e.ReplayTried == 0:
	case correctlyRounded(f):
		parts = append(parts, fmt.Sprintf("correctly rounded: %d of %d", e.ReplayMatched, e.ReplayTried))
	case e.ReplayMatched == e.ReplayTried:
		parts = append(parts, fmt.Sprintf("%d replays", e.ReplayTried))
	default:
		parts = append(parts, fmt.Sprintf("replays: %d of %d", e.ReplayMatched, e.ReplayTried))
	}
	if len(parts) == 0 {
		return "witness"
	}
	return strings.Join(parts, ", ")
}

// correctlyRounded tells whether it was the correctly rounded results that the
// outputs were held against, for want of a tree.
func correctlyRounded(f *reveal.Finding) bool {
	return f.Verdict == reveal.Exact || f.Verdict == reveal.Compensated && f.Evidence.CertificateCalls == 0
}

// proof says what a finding rests on.
func proof(f *reveal.Finding) string {
	var parts []string
	e := f.Evidence
	switch {
	case e.CertificateCalls == 1:
		parts = append(parts, "certificate: 1 call")
	case e.CertificateCalls > 1:
		parts = append(parts, fmt.Sprintf("certificate: %d calls", e.CertificateCalls))
	}
	if e.ReplayTried > 0 {
		what := "replay"
		if correctlyRounded(f) {
			what = "correctly rounded"
		}
		parts = append(parts, fmt.Sprintf("%s: %d of %d", what, e.ReplayMatched, e.ReplayTried))
	}
	if e.Lanes > 1 {
		parts = append(parts, fmt.Sprintf("%d lanes", e.Lanes))
	}
	return strings.Join(parts, ", ")
}

// unknown is the value of a trait that could not be told.
const unknown = "unknown"

// traits lists the arithmetic of a finding.
func traits(f *reveal.Finding) []report.Trait {
	t := f.Traits
	all := []report.Trait{{Name: "accumulator", Value: t.Accumulator}, {Name: "rounding", Value: t.Rounding},
		{Name: "subnormals", Value: t.Subnormals}, {Name: "initial", Value: t.Initial}}
	if f.Key.Op.Products() {
		all = append(all, report.Trait{Name: "fma", Value: fmaWords(t.FMA)})
	}
	if t.Width > 0 {
		all = append(all, report.Trait{Name: "fused", Value: fmt.Sprintf("%d operands at once", t.Width)})
	}
	if t.Align > 0 {
		all = append(all, report.Trait{Name: "fraction bits kept", Value: strconv.Itoa(t.Align)})
	}
	return all
}

// fmaWords gives the trait fma, which is no yes or no everywhere.
func fmaWords(v reveal.Fusion) string {
	switch v {
	case reveal.Fused:
		return "yes"
	case reveal.NotFused:
		return "no"
	case reveal.PartlyFused:
		return "in part"
	case reveal.ExactProducts:
		return "no matter, products are exact"
	}
	return string(v)
}

// arithmeticWords gives the known traits as one phrase, and the names of the others.
func arithmeticWords(f *reveal.Finding) (known string, untold []string) {
	var parts []string
	for _, t := range traits(f) {
		if t.Value == unknown {
			untold = append(untold, t.Name)
		} else {
			parts = append(parts, traitWords(t))
		}
	}
	return strings.Join(parts, ", "), untold
}

// traitWords says what a trait means.
func traitWords(t report.Trait) string {
	phrases := map[string]string{
		"rounding rne": "rounds to nearest even", "rounding rz": "rounds toward zero",
		"rounding ru": "rounds up", "rounding rd": "rounds down",
		"initial +0": "begins with +0", "initial -0": "begins with the first summand",
		"fma yes": "products fused with their addition (fma)", "fma no": "products rounded before they are added (no fma)",
		"fma in part": "some products fused with their addition (fma)", "fma no matter, products are exact": "products exact",
	}
	if s, ok := phrases[t.Name+" "+t.Value]; ok {
		return s
	}
	switch t.Name {
	case "accumulator":
		if formats, mixed := strings.CutPrefix(t.Value, "mixed: "); mixed {
			return "adds in " + strings.ReplaceAll(formats, ", ", " and ") + ", by part"
		}
		if t.Value != "exact" {
			return "adds in " + t.Value
		}
	case "subnormals":
		return "subnormals " + t.Value
	case "fused":
		return "adds " + t.Value
	case "fraction bits kept":
		return "aligned with " + t.Value + " fraction bits"
	}
	return t.Name + " " + t.Value
}

// drawing makes of a finding what package report draws.
func drawing(f *reveal.Finding) report.Drawing {
	d := report.Drawing{Title: f.Key.Target, Key: f.Key, Verdict: string(f.Verdict), Verified: f.Verified,
		Family: f.Family, Calls: f.Calls, Traits: traits(f), Warnings: f.Warnings, Tree: f.Tree}
	if f.Tree == nil || f.Arithmetic == nil || len(f.Arithmetic.Except) == 0 {
		return d
	}
	d.Class = make([]int, f.Tree.Inner())
	d.Classes = []string{nodeWords(f.Arithmetic.Nodes)}
	for _, e := range f.Arithmetic.Except {
		for _, r := range e.Inner {
			for k := r[0]; k < r[1]; k++ {
				d.Class[k] = len(d.Classes)
			}
		}
		d.Classes = append(d.Classes, nodeWords(e.Arith))
	}
	return d
}

// nodeWords describes how a node rounds.
func nodeWords(a sumtree.NodeArith) string {
	s := a.Acc.String()
	if a.Store != 0 && a.Store != a.Acc {
		s += ", stored as " + a.Store.String()
	}
	if a.Mode != fp.NearestEven {
		s += ", " + a.Mode.String()
	}
	if a.Align > 0 {
		s += fmt.Sprintf(", %d bits kept", a.Align)
	}
	return s
}

// writeFinding writes a finding for people: the verdict first, and the tree last.
func writeFinding(w io.Writer, f *reveal.Finding) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, meaning(f))
	row := func(name, value string) {
		if value != "" {
			writeWrapped(b, fmt.Sprintf("  %-10s ", name), value)
		}
	}
	known, untold := arithmeticWords(f)
	row("family", f.Family)
	row("arithmetic", known)
	if known != "" && len(untold) > 0 {
		row("", "not told: "+strings.Join(untold, ", "))
	}
	row("evidence", proof(f))
	row("calls", fmt.Sprintf("%d (algorithm %s)", f.Calls, f.Algorithm))
	row("key", f.Key.String())
	row("runtime", f.Key.Runtime)
	for _, s := range f.Warnings {
		row("warning", s)
	}
	if f.Witness != nil {
		writeWitness(b, f)
	}
	if err := b.Flush(); err != nil || f.Tree == nil || f.Tree.Leaves() < 2 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return report.Tree(w, drawing(f))
}

// writeWitness writes the input that shows a verdict, shortened.
func writeWitness(w io.Writer, f *reveal.Finding) {
	k, v := f.Key, f.Witness
	if len(v.Seen) == 0 { // a reason, which no call had to show
		writeWrapped(w, fmt.Sprintf("  %-10s ", "because"), v.What)
		return
	}
	writeWrapped(w, fmt.Sprintf("  %-10s ", "witness"), v.What)
	fmt.Fprintf(w, "  %-10s %s\n", "  x", sparse(v.X, k.DType))
	if len(v.Y) > 0 {
		fmt.Fprintf(w, "  %-10s %s\n", "  y", sparse(v.Y, k.DType))
	}
	fmt.Fprintf(w, "  %-10s %s\n", "  seen", withBits(v.Seen, k.Out))
	if v.Want != nil {
		fmt.Fprintf(w, "  %-10s %s\n", "  expected", withBits(*v.Want, k.Out))
	}
}

// shown is how many entries of a long input are printed.
const shown = 6

// sparse writes a long input shortly: what most of it is, and the first entries
// that are something else.
func sparse(x []float64, f fp.Format) string {
	if len(x) <= shown {
		return "[" + joined(x, f) + "]"
	}
	fill, most := commonest(x)
	if most < 3 {
		return fmt.Sprintf("[%s … (%d in all; --json has them)]", joined(x[:shown], f), len(x))
	}
	s, left := decimal(fill, f)+" everywhere", 0
	first := true
	for i, v := range x {
		switch {
		case fp.Binary64.Bits(v) == fp.Binary64.Bits(fill):
		case left >= shown:
			left++
		default:
			if first {
				s += " but "
			} else {
				s += ", "
			}
			first = false
			left++
			s += fmt.Sprintf("[%d] = %s", i, decimal(v, f))
		}
	}
	if left > shown {
		s += fmt.Sprintf(" … (%d others in all; --json has them)", left)
	}
	return s
}

// commonest returns the value that x has most often, and how often.
func commonest(x []float64) (value float64, most int) {
	count := map[uint64]int{}
	for _, v := range x {
		b := fp.Binary64.Bits(v)
		count[b]++
		if count[b] > most {
			value, most = v, count[b]
		}
	}
	return value, most
}

func joined(x []float64, f fp.Format) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = decimal(v, f)
	}
	return strings.Join(s, ", ")
}

// decimal writes a value of a format with as many digits as tell it from every
// other one of that format.
func decimal(x float64, f fp.Format) string {
	size := 64
	if f != fp.Binary64 {
		size = 32
	}
	return strconv.FormatFloat(x, 'g', -1, size)
}

// hex writes the encoding of a value.
func hex(x float64, f fp.Format) string { return fmt.Sprintf("0x%0*x", 2*f.Bytes(), f.Bits(x)) }

func withBits(x []float64, f fp.Format) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = decimal(v, f) + " (" + hex(v, f) + ")"
	}
	return strings.Join(s, ", ")
}

// library names a key's library and version.
func library(k probe.Key) string {
	if strings.HasPrefix(strings.ToLower(k.Version), strings.ToLower(k.Library)) {
		return k.Version // go1.26
	}
	return strings.TrimSpace(k.Library + " " + k.Version)
}

// pad fills s with spaces to a width in characters.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// table writes rows with aligned columns; right tells which are numbers.
func table(w io.Writer, indent string, rows [][]string, right map[int]bool) {
	var width []int
	for _, row := range rows {
		for i, s := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, s := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			if right[i] {
				line.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(s)) + s)
			} else {
				line.WriteString(pad(s, width[i]))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
