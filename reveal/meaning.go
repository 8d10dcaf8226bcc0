package reveal

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/sumtree"
)

// IsMean reports whether the result is the sum divided by n: the target says
// so, or it was found.
func (f *Finding) IsMean() bool {
	return f.Key.Mean || f.Arithmetic != nil && f.Arithmetic.Mean
}

// Meaning explains the verdict on one line, which does not name it.
func (f *Finding) Meaning() string {
	switch {
	case f.Integers != nil && f.Verdict != Nondeterministic:
		return f.Integers.meaning()
	case f.Verdict == TreeVerdict && f.Verified && f.Arithmetic != nil:
		return meaningOf(*f.Arithmetic) + f.exceptSpecial()
	case f.Verdict == Compensated && f.Method != "":
		return methods[f.Method]
	case f.Constant != nil:
		return meaningOfConstant((*f.Constant)[0])
	case f.Except != "":
		return "one order, and replaying it gives the same bits, but " + f.Except
	case f.Verdict != TreeVerdict || f.Verified:
	case f.Key.Op.Positive():
		return "rooted triples see one order, but replaying it does not give the same bits"
	default:
		return "the masks see one order, but replaying it does not give the same bits"
	}
	return meanings[f.Verdict]
}

// exceptSpecial excludes the inputs that a replay gives NaN for and the target
// does not, in a clause.
func (f *Finding) exceptSpecial() string {
	switch t := f.Traits; {
	case t.NaN == NaNSkipped && t.Special == "":
		return ", except where summands are NaN"
	case t.NaN == NaNSkipped || t.NaN == NaNOther || t.Special != "":
		return ", except where summands or sums are NaN or infinities of both signs"
	}
	return ""
}

// meaningOf explains a verified tree with an arithmetic.
func meaningOf(a sumtree.Arithmetic) string {
	switch {
	case a.Neighbours != 0:
		return "one fixed order of the sums of neighbours, x[i] + x[i+1], and replaying it " +
			"gives the same bits"
	case a.Centre != nil:
		return "one fixed order of the squares of x[i] − mean, and replaying both passes gives " +
			"the same bits"
	}
	return meanings[TreeVerdict]
}

// methods explains each compensated summation that Finding.Method names.
var methods = map[string]string{
	"Kahan":         "Kahan's summation carries each rounding error into the next addition",
	"Neumaier":      "Neumaier's summation adds all rounding errors at the end",
	"double-double": "the sum is kept as a pair of numbers, a double-double",
}

// meaningOfConstant explains a function that gave one result to every input.
func meaningOfConstant(v float64) string {
	if math.IsInf(v, 0) {
		return fmt.Sprintf("every input tried gave %v, as if the sum always overflowed", v)
	}
	return fmt.Sprintf("every input tried gave %v, so the summands do not matter", v)
}

// meanings explains each verdict, a tree as a verified one.
var meanings = map[Verdict]string{
	TreeVerdict: "one fixed order, and replaying it gives the same bits",
	Exact:       "the result is the correctly rounded one, so order does not matter",
	Compensated: "rounding errors are carried along, " +
		"so no tree of plain additions gives these bits",
	Nondeterministic: "the same input gave different results in one run",
	ValueDependent:   "the order, or a scaling, depends on the values",
	NotASum:          "a summand is dropped, doubled or scaled",
	Unsupported:      "with this range and precision of the numbers, the order cannot be found",
}
