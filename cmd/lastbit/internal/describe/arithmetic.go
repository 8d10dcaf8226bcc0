package describe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// unknown is the value of a trait that the inputs did not show.
const unknown = "unknown"

// Arithmetic describes the known traits of a finding in one phrase, and names
// the unknown ones.
func Arithmetic(f *reveal.Finding) (known string, untold []string) {
	var parts []string
	for _, t := range traits(f) {
		if t.Value == unknown {
			untold = append(untold, traitName(t))
		} else {
			parts = append(parts, describeTrait(t))
		}
	}
	return strings.Join(parts, ", "), untold
}

// Drawing returns the input of package report for a finding.
func Drawing(f *reveal.Finding) report.Drawing {
	d := report.Drawing{
		Title: f.Key.Target, Key: f.Key, Verdict: string(f.Verdict), Verified: f.Verified,
		Family: f.Family, Calls: f.Calls, Traits: traits(f), Warnings: f.Warnings, Tree: f.Tree,
		Meaning: f.Meaning(), FamilyMeaning: FamilyMeaning(f), Witness: Witness(f),
	}
	if unit := Accelerator(f); unit != "" {
		d.Traits = append(d.Traits, report.Trait{Name: "unit", Value: unit})
	}
	if f.Tree == nil || f.Arithmetic == nil || len(f.Arithmetic.Except) == 0 {
		return d
	}
	d.Class = make([]int, f.Tree.Inner())
	d.Classes = []string{describeNode(f.Arithmetic.Nodes)}
	for _, e := range f.Arithmetic.Except {
		for _, r := range e.Inner {
			for k := r[0]; k < r[1]; k++ {
				d.Class[k] = len(d.Classes)
			}
		}
		d.Classes = append(d.Classes, describeNode(e.Arith))
	}
	return d
}

// traits lists the arithmetic of a finding.
func traits(f *reveal.Finding) []report.Trait {
	t := f.Traits
	all := []report.Trait{
		{Name: "accumulator", Value: t.Accumulator},
		{Name: "rounding", Value: t.Rounding},
		{Name: "subnormals", Value: t.Subnormals},
		{Name: "initial", Value: t.Initial},
	}
	if op := f.Key.Op; op.Products() || op.Squares() || multiplies(f.Arithmetic) {
		all = append(all, report.Trait{Name: "fma", Value: describeFMA(t.FMA)})
	}
	if t.Result != "" {
		all = append(all, report.Trait{Name: "result", Value: t.Result})
	}
	if t.Width > 0 {
		fused := fmt.Sprintf("%d operands at once", t.Width)
		all = append(all, report.Trait{Name: "fused", Value: fused})
	}
	if t.Align > 0 {
		kept := strconv.Itoa(t.Align)
		all = append(all, report.Trait{Name: "fraction bits kept", Value: kept})
	}
	if t.Carries > 0 {
		all = append(all, report.Trait{Name: "carries", Value: strconv.Itoa(t.Carries)})
	}
	if t.Summands != "" {
		all = append(all, report.Trait{Name: "summands", Value: t.Summands})
	}
	if t.Weights != "" {
		all = append(all, report.Trait{Name: "weights", Value: t.Weights})
	}
	if t.NaN == reveal.NaNSkipped || t.NaN == reveal.NaNOther {
		all = append(all, report.Trait{Name: "NaN", Value: t.NaN})
	}
	if t.Special != "" {
		all = append(all, report.Trait{Name: "special", Value: t.Special})
	}
	switch {
	case t.Mean != "":
		all = append(all, report.Trait{Name: "mean", Value: t.Mean})
	case f.IsMean() && f.Verdict == reveal.TreeVerdict && f.Verified:
		all = append(all, report.Trait{Name: "mean", Value: "divided by n"})
	}
	return all
}

// describeNaN describes what a NaN summand does, and results that differ from
// IEEE 754. It returns "" where nothing is known.
func describeNaN(f *reveal.Finding) string {
	t := f.Traits
	words := map[string]string{
		reveal.NaNKept:    "kept: a NaN summand makes the result NaN",
		reveal.NaNSkipped: "skipped: the others are added, which a replay does not do",
		reveal.NaNOther:   "other: not the NaN that a replay gives",
	}[t.NaN]
	switch {
	case t.Special == "":
		return words
	case words == "":
		return t.Special
	}
	return words + "; " + t.Special
}

// multiplies reports whether the summands of a sum are squares, or are
// multiplied by weights that some additions fuse.
func multiplies(a *sumtree.Arithmetic) bool {
	return a != nil && (a.Products || len(a.Weights) > 0 && a.FMA != sumtree.FMANone)
}

// traitName names a trait whose value is unknown.
func traitName(t report.Trait) string {
	if t.Name == "mean" {
		return "how the sum is divided by n"
	}
	return t.Name
}

// dividesByN describes a mean, and doesNotDivide the sum that it is compared
// with.
const (
	dividesByN    = "divides by n"
	doesNotDivide = "does not divide by n"
)

// describeFMA writes the trait fma, which has more values than yes and no.
func describeFMA(v reveal.Fusion) string {
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

// describeTrait explains the value of a trait.
func describeTrait(t report.Trait) string {
	phrases := map[string]string{
		"rounding rne": "rounds to nearest even",
		"rounding rz":  "rounds toward zero",
		"rounding ru":  "rounds up",
		"rounding rd":  "rounds down",
		"rounding ro":  "rounds to odd",
		"rounding rna": "rounds to nearest, ties away from zero",
		"initial +0":   "begins with +0",
		"initial -0":   "begins with the first summand",
		"fma yes":      "products fused with their addition (fma)",
		"fma no":       "products rounded before they are added (no fma)",
		"fma in part":  "some products fused with their addition (fma)",

		"fma no matter, products are exact": "products exact",

		"mean divided by n": dividesByN,
		"mean times 1/n":    "multiplies by the rounded 1/n",
	}
	if s, ok := phrases[t.Name+" "+t.Value]; ok {
		return s
	}
	switch t.Name {
	case "accumulator":
		if formats, mixed := strings.CutPrefix(t.Value, "mixed: "); mixed {
			return "adds in " + strings.ReplaceAll(formats, ", ", " and ") + ", by part"
		}
		if t.Value == "exact" {
			return "adds exactly"
		}
		if strings.HasPrefix(t.Value, "x87") {
			return "adds in the 80-bit format of x87"
		}
		return "adds in " + t.Value
	case "subnormals":
		for _, part := range []string{"inputs", "operands", "results"} {
			if rest, ok := strings.CutPrefix(t.Value, part); ok {
				return "subnormal " + part + rest
			}
		}
		return "subnormals " + t.Value
	case "fused":
		return "adds " + t.Value
	case "carries":
		if t.Value == "1" {
			return "1 addition carries its rounding error along (Kahan)"
		}
		return t.Value + " additions carry their rounding error along (Kahan)"
	case "summands":
		return "the summand i is " + t.Value
	case "mean":
		return "divides by n, " + strings.TrimPrefix(t.Value, "divided ")
	case "special":
		return t.Value
	case "fraction bits kept":
		return "aligned with " + t.Value + " fraction bits"
	}
	return t.Name + " " + t.Value
}

// describeNode describes how a node of a tree rounds.
func describeNode(a sumtree.NodeArith) string {
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
	if a.KeepsSubnormals {
		s += ", subnormals kept"
	}
	if a.FlushOperands {
		s += ", subnormal operands flushed"
	}
	switch a.Carry {
	case sumtree.CarryOn:
		s += ", error carried along"
	case sumtree.CarryAdded:
		s += ", error carried along and added"
	}
	return s
}
