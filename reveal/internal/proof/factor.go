package proof

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The last step of attention multiplies by the inverse of the sum of its
// weights. With q = 0 all weights are exp(0), which a fast exponential misses
// by a little. A result of 16 bits then looks like a mean, and shows the factor
// next to rounding boundaries only.
const (
	maxFactorPlaces   = 1 << 13 // distance from 1/n or n, in numbers of float32
	factorQuestions   = 96
	maxFactors        = 4       // last steps of a kind that are tried
	minFactorSummands = 4       // three hold a sum of 24 bits
	maxFactorSummands = 1 << 13 // no sum for a result below 2 overflows
)

// SettleFactor looks for arithmetics of a mean in a short format that sums in
// float32. Another factor than 1/n may make it a mean, and some of the
// additions may flush subnormal sums.
func SettleFactor(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	if !c.Key.Mean || c.Key.Out.Precision() >= fp.Binary32.Precision() || t.MaxArity() > 2 {
		return nil, nil
	}
	base.Nodes = sumtree.NodeArith{Acc: fp.Binary32}
	last, err := lastSteps(c, base)
	if err != nil {
		return nil, err
	}
	if c.Key.DType == fp.BFloat16 { // the sums of others are not subnormal
		if err := askTiny(c, t, samples); err != nil {
			return nil, err
		}
	}
	var all []sumtree.Arithmetic
	for _, a := range last {
		all = append(all, a)
		if c.Key.DType == fp.BFloat16 {
			all = append(all, flushedInPart(t, a)...)
		}
	}
	return Settle(c, t, all, samples)
}

// lastSteps returns base with every last step that explains sums whose results
// are next to a rounding boundary: a mean by n or 1/n, or else other factors
// and divisors.
func lastSteps(c *ask.Channel, base sumtree.Arithmetic) ([]sumtree.Arithmetic, error) {
	divided, times := base, base
	times.Reciprocal = true
	if c.N < minFactorSummands || c.N > maxFactorSummands {
		return []sumtree.Arithmetic{divided, times}, nil
	}
	n := float64(c.N)
	inverse := fp.Binary32.Round(1/n, fp.NearestEven)
	x := &factorSearch{c: c, rng: ask.RandApart(c, "factor"),
		factors: around(inverse), divisors: around(n)}
	c.ExpectQuestions("factor", factorQuestions)
	for range factorQuestions {
		if err := x.narrow(); err != nil {
			return nil, err
		}
	}
	var all []sumtree.Arithmetic
	if slices.Contains(x.divisors, n) {
		all = append(all, divided)
	}
	if slices.Contains(x.factors, inverse) {
		all = append(all, times)
	}
	if len(all) > 0 {
		return all, nil
	}
	base.Mean = false
	for _, f := range x.factors[:min(maxFactors, len(x.factors))] {
		a := base
		a.Factor = f
		all = append(all, a)
	}
	for _, d := range x.divisors[:min(maxFactors, len(x.divisors))] {
		a := base
		a.Divisor = d
		all = append(all, a)
	}
	return all, nil
}

// around returns the numbers of float32 next to v, in ascending order.
func around(v float64) []float64 {
	for range maxFactorPlaces {
		v = fp.Binary32.NextDown(v)
	}
	all := make([]float64, 2*maxFactorPlaces+1)
	for k := range all {
		all[k], v = v, fp.Binary32.NextUp(v)
	}
	return all
}

// factorSearch is the last steps that explain all answers so far, in ascending
// order.
type factorSearch struct {
	c                 *ask.Channel
	rng               *rand.Rand
	factors, divisors []float64
}

// maxFactorDraws bounds the sums that are drawn for a question.
const maxFactorDraws = 64

// narrow asks for a sum next to a tie of the results, if it can one that the
// last steps have different results of, and drops those that give another one.
func (x *factorSearch) narrow() error {
	if len(x.factors)+len(x.divisors) == 0 {
		return nil
	}
	sum := x.draw()
	for k := 1; k < maxFactorDraws && !x.decides(sum); k++ {
		sum = x.draw()
	}
	row := make([]float64, x.c.N)
	rest := sum
	for _, i := range x.rng.Perm(x.c.N) {
		row[i] = x.c.Key.DType.Round(rest, fp.TowardZero)
		if rest -= row[i]; rest == 0 {
			break
		}
	}
	out, err := x.c.AskMain(nil, ask.Values(row))
	if err != nil {
		return err
	}
	x.factors = slices.DeleteFunc(x.factors, func(f float64) bool {
		return !ask.SameBits(x.product(sum, f), out[0])
	})
	x.divisors = slices.DeleteFunc(x.divisors, func(d float64) bool {
		return !ask.SameBits(x.quotient(sum, d), out[0])
	})
	return nil
}

// draw returns a sum of 24 bits that one of the last steps brings next to a tie
// of the results.
func (x *factorSearch) draw() float64 {
	f := 0.0
	if k := x.rng.IntN(len(x.factors) + len(x.divisors)); k < len(x.factors) {
		f = x.factors[k]
	} else {
		f = 1 / x.divisors[k-len(x.factors)]
	}
	p := x.c.Key.Out.Precision()
	tie := 1 + float64(1+2*x.rng.Uint64N(1<<(p-1)))/float64(uint64(1)<<p)
	for tie > 0x1p14*f { // float16 has few larger sums
		tie /= 2
	}
	sum := fp.Binary32.Round(tie/f, fp.NearestEven)
	switch x.rng.IntN(3) {
	case 0:
		return fp.Binary32.NextUp(sum)
	case 1:
		return fp.Binary32.NextDown(sum)
	}
	return sum
}

// product and quotient return the result of a sum.
func (x *factorSearch) product(sum, f float64) float64 {
	return x.c.Key.Out.Round(fp.Binary32.Mul(sum, f, fp.NearestEven), fp.NearestEven)
}

func (x *factorSearch) quotient(sum, d float64) float64 {
	return x.c.Key.Out.Round(fp.Binary32.Round(sum/d, fp.NearestEven), fp.NearestEven)
}

// decides reports whether not all last steps give the same result of a sum.
func (x *factorSearch) decides(sum float64) bool {
	var first float64
	for k, f := range x.factors {
		if v := x.product(sum, f); k == 0 {
			first = v
		} else if v != first {
			return true
		}
	}
	for k, d := range x.divisors {
		if v := x.quotient(sum, d); k+len(x.factors) == 0 {
			first = v
		} else if v != first {
			return true
		}
	}
	return false
}

// flushedInPart returns a with every choice of the additions that flush:
// additions of two leaves, of one, of none, and the root. What follows the sum
// may flush or not, as may inputs, and a flushed sum may be added to +0 before
// that.
func flushedInPart(t *sumtree.Tree, a sumtree.Arithmetic) []sumtree.Arithmetic {
	var kinds [4][]bool // of inner nodes
	for k := range kinds {
		kinds[k] = make([]bool, t.Inner())
	}
	for k := range t.Inner() {
		id, leaves := t.Leaves()+k, 0
		for _, c := range t.Children(id) {
			if t.IsLeaf(int(c)) {
				leaves++
			}
		}
		if id == t.Root() {
			leaves = 3
		}
		kinds[leaves][k] = true
	}
	a.FTZ = true
	var all []sumtree.Arithmetic
	for choice := range 1 << len(kinds) {
		keeps, ok := make([]bool, t.Inner()), true
		for kind, of := range kinds {
			if choice>>kind&1 == 0 {
				continue
			}
			ok = ok && slices.Contains(of, true)
			for k, in := range of {
				keeps[k] = keeps[k] || in
			}
		}
		if !ok {
			continue // as without the kind that there is none of
		}
		b := a
		if choice > 0 {
			kept := a.Nodes
			kept.KeepsSubnormals = true
			b.Except = []sumtree.Exception{{Inner: sumtree.RangesOf(keeps), Arith: kept}}
		}
		for ends := range 1 << 3 {
			b.DAZ, b.KeepsOut, b.PlusZeroOut = ends&1 == 0, ends&2 == 0, ends&4 == 0
			all = append(all, b)
		}
	}
	return all
}
