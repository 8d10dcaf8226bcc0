package proof

import (
	"math"
	"math/big"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// JudgePositive holds samples, and inputs that are halfway between two results
// except for a speck, against the correctly rounded sums of exact and of
// rounded squares. It means something only for sums that lose no tiny summand
// to a large one, which is the first of its facts.
//
// The other is AllRounded, or Indistinct where a few summands have no room for
// such a speck; NotRoundedWide where every speck within some wider
// format counts and none beyond it does; NoTree where too few ordinary results
// are right for a compensated sum; NotRounded otherwise.
func JudgePositive(
	c *ask.Channel, kind sumtree.EpilogueKind, samples []ask.Sample,
) (e verdict.Evidence, tried, matched int, err error) {
	hard, err := askSpecks(c)
	if err != nil {
		return nil, 0, 0, err
	}
	for range driftSamples {
		s := c.Inputs.Sample(ask.Drift, nil, nil)
		out, err := c.AskMain(nil, ask.Values(s.X))
		if err != nil {
			return nil, 0, 0, err
		}
		s.Out = out[0]
		samples = append(samples, s)
	}
	lost := verdict.Fact{Reason: verdict.NothingLost, What: "no summand is lost to a large one"}
	var best judgement
	for _, rounded := range []bool{false, true} {
		j := judge(c, kind, rounded, samples, hard)
		if !rounded || j.matched > best.matched {
			best = j
		}
	}
	tried = len(samples) + len(hard)
	no := best.verdict(c)
	if no.Reason == verdict.AllRounded && len(hard) == 0 {
		no = verdict.Fact{Reason: verdict.Indistinct, What: "every result was correctly rounded, " +
			"but so few summands leave no room for one that only an exact sum counts"}
	}
	if no.Reason == verdict.NoTree {
		return verdict.Evidence{no}, tried, best.matched, nil
	}
	return verdict.Evidence{lost, no}, tried, best.matched, nil
}

// driftSamples is the number of samples of kind Drift that are asked besides.
const driftSamples = 24

// judgement counts the inputs that came out correctly rounded.
type judgement struct {
	matched  int   // of all
	ordinary tally // of kind Drift, which a sum in ascending order rounds often
	wide     bool
	wrong    *ask.Sample // the first that did not
	want     float64
}

// judge counts results that are the correctly rounded sum of squares, rounded
// themselves or not.
func judge(
	c *ask.Channel, kind sumtree.EpilogueKind, rounded bool, samples []ask.Sample, hard []speck,
) judgement {
	var j judgement
	right := func(s *ask.Sample) bool {
		e := exactSquares(c, kind, rounded, s)
		if ask.SameBits(e, s.Out) {
			j.matched++
			return true
		}
		if j.wrong == nil {
			j.wrong, j.want = s, e
		}
		return false
	}
	for k := range samples {
		switch ok := right(&samples[k]); samples[k].Kind {
		case ask.Drift:
			j.ordinary.add(ok)
		}
	}
	fits := map[int]bool{}
	for k := range hard {
		h := &hard[k]
		if _, seen := fits[h.width]; !seen {
			fits[h.width] = true
		}
		fits[h.width] = right(&h.Sample) == h.within && fits[h.width]
	}
	for _, f := range fits {
		j.wide = j.wide || f
	}
	return j
}

// verdict returns the fact of a judgement.
func (j *judgement) verdict(c *ask.Channel) verdict.Fact {
	var no verdict.Fact
	switch {
	case c.Key.Op != probe.SumSq:
		no = verdict.Fact{Reason: verdict.NotRoundedWide, What: "no summand is lost to a large " +
			"one, and what is computed from the sum hides whether it is exact"}
	case j.wrong == nil:
		return verdict.Fact{Reason: verdict.AllRounded, What: "every result was correctly rounded"}
	case j.wide:
		no = verdict.Fact{Reason: verdict.NotRoundedWide,
			What: "the accumulator is wider than rooted triples can show"}
	case !j.ordinary.mostly():
		no = verdict.Fact{Reason: verdict.NoTree, What: "no tiny summand is lost to a large " +
			"one, as if it were added first, yet few sums are correctly rounded"}
	default:
		no = verdict.Fact{Reason: verdict.NotRounded,
			What: "no summand is lost to a large one, yet this sum is not correctly rounded"}
	}
	if j.wrong != nil {
		no.Witness = c.Witness(no.What, nil, ask.Values(j.wrong.X), []float64{j.wrong.Out}, &j.want)
	}
	return no
}

// speck is an input whose sum is halfway between two results except for one
// summand that decides: the last bit that an accumulator of width bits holds
// beside the largest summand, or, unless within, one far below it.
type speck struct {
	ask.Sample
	width  int
	within bool
}

// speckTurns is the number of places that each speck is tried in.
const speckTurns = 6

// askSpecks asks specks for every accumulator wider than the result: float32,
// float64, the 64 bits of the x87, and one wider than a pair of results.
func askSpecks(c *ask.Channel) ([]speck, error) {
	if c.N < 3 || c.Key.Op != probe.SumSq {
		return nil, nil
	}
	var all []speck
	for _, width := range []int{fp.Binary32.Precision(), fp.Binary64.Precision(), 64,
		2*c.Key.Out.Precision() + 20} {
		if width <= c.Key.Out.Precision() {
			continue
		}
		for k := range 2 * speckTurns {
			h := newSpeck(c, width, k%2 == 0)
			out, err := c.AskMain(nil, ask.Values(h.X))
			if err != nil {
				return nil, err
			}
			h.Out = out[0]
			all = append(all, h)
		}
	}
	return all, nil
}

// newSpeck returns a speck in a random place. Besides the speck, h being half
// the precision p, the sum is 9·2^(2h−2) and half of its last place: halfway
// between an even number and the next, whose roots differ as well.
func newSpeck(c *ask.Channel, width int, within bool) speck {
	q := c.Rand.Perm(c.N)
	x := make([]float64, c.N)
	p := c.Key.Out.Precision()
	half := (p + 1) / 2
	if c.N == 3 {
		x[q[0]], x[q[1]] = tieOfTwo(c)
	} else {
		x[q[0]] = math.Ldexp(1.5, half)
		x[q[1]] = 2 // p is odd, and half of the last place 4
		if p%2 == 0 {
			x[q[1]], x[q[2]] = 1, 1
		}
	}
	exp := half - (width-2)/2
	if !within {
		exp -= 3
	}
	x[q[min(3, c.N-1)]] = math.Ldexp(1, exp)
	return speck{ask.Sample{Kind: ask.Halfway, X: x}, width, within}
}

// tieOfTwo draws two integers whose squares the input format holds, so that
// none is rounded. Their sum has one bit more than results, and is halfway
// between an even number and the next, whose roots differ as well.
func tieOfTwo(c *ask.Channel) (a, b float64) {
	in, out := c.Key.DType, c.Key.Out
	least := math.Ldexp(1, out.Precision())
	root := func(s float64) float64 { return out.Round(math.Sqrt(s), fp.NearestEven) }
	draw := func() float64 {
		for {
			v := math.Floor(math.Sqrt(2*least) * c.Rand.Float64())
			if in.Contains(v*v) && math.FMA(v, v, -float64(v*v)) == 0 {
				return v
			}
		}
	}
	for range maxProbeTries {
		a, b = draw(), draw()
		restA, restB := math.Mod(float64(a*a), 4), math.Mod(float64(b*b), 4)
		low := (float64(a*a) - restA) + (float64(b*b) - restB)
		if restA+restB == 1 && low >= least && low < 2*least && root(low) != root(low+2) {
			break
		}
	}
	return a, b
}

// exactSquares returns the correctly rounded sum of the squares of x, rounded
// themselves or not, or the rounded root of that sum.
func exactSquares(
	c *ask.Channel, kind sumtree.EpilogueKind, rounded bool, s *ask.Sample,
) float64 {
	const bits = 4400
	sum := new(big.Float).SetPrec(bits)
	for _, x := range s.X {
		t := new(big.Float).SetPrec(bits).SetFloat64(x)
		t.Mul(t, t)
		if rounded {
			t.SetFloat64(c.Key.DType.RoundBig(t, fp.NearestEven))
		}
		sum.Add(sum, t)
	}
	if sum.Sign() == 0 {
		return 0
	}
	e := c.Key.Out.RoundBig(sum, fp.NearestEven)
	if kind == sumtree.Root {
		e = c.Key.Out.Round(math.Sqrt(e), fp.NearestEven)
	}
	return e
}

// CompensatesSquares returns the evidence of Kahan's summation of the squares
// from the first to the last or from the last to the first; nil where that does
// not give the results.
func CompensatesSquares(c *ask.Channel, samples []ask.Sample) verdict.Evidence {
	if c.Key.Op != probe.SumSq {
		return nil
	}
	products := slices.Clone(samples)
	for k := range products {
		products[k].Y = products[k].X
	}
	up := sumtree.Family{Kind: sumtree.Chain}.Tree(c.N)
	down := reversed(c.N)
	if !Compensates(c, up, products) && !Compensates(c, down, products) {
		return nil
	}
	j := judge(c, "", true, samples, nil)
	what := "rounding errors are carried along: Kahan's summation along the summands " +
		"gives the results, and no plain sum does"
	return verdict.Evidence{
		{Reason: verdict.NearlyRight, What: what},
		{Reason: verdict.NotRounded, What: what, Witness: c.Witness(
			what, nil, ask.Values(j.wrong.X), []float64{j.wrong.Out}, &j.want)},
	}
}

// reversed returns the chain from the last summand to the first.
func reversed(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	acc := n - 1
	for i := n - 2; i >= 0; i-- {
		acc = b.Node(acc, i)
	}
	return b.MustTree()
}
