package describe

import (
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// Verdict explains the verdict of a finding on one line.
func Verdict(f *reveal.Finding) string {
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

// Family names what a finding is, in a word or two.
func Family(f *reveal.Finding) string {
	switch {
	case f.Verdict == reveal.Exact:
		return "exact: order does not matter"
	case f.Verdict != reveal.TreeVerdict:
		return string(f.Verdict)
	case !f.Verified:
		return "unverified " + text.Or(f.Family, "tree")
	}
	return text.Or(f.Family, "tree of no known family")
}

// Brief names the family of a finding and what is unusual in its arithmetic.
func Brief(f *reveal.Finding) string {
	s := Family(f)
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
