package proof

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// LosesNothing returns the fact NothingLost if no count was ever lost to a
// mask, and nil otherwise. Three leaves suffice in a fixed tree, since at least
// two of their three pairs meet above the third leaf; more triples show orders
// that depend on the values.
func LosesNothing(c *ask.Channel, o ask.Opening) (*verdict.Fact, error) {
	for k, s := range o.Structures {
		if o.Counts[k] != s.Unmasked() {
			return nil, nil
		}
	}
	if c.N < 3 {
		return nil, nil
	}
	i, j, l := 0, c.N/2, c.N-1
	for _, q := range [][3]int{{i, j, l}, {i, l, j}, {j, l, i}} {
		out, err := c.Ask(nil, func(row []float64) {
			m := c.Inputs.Mask()
			row[q[0]], row[q[1]], row[q[2]] = m, -m, c.Scale.Unit
		})
		if err != nil {
			return nil, err
		}
		if n, ok := c.Scale.Count(out[0]); !ok || n != 1 {
			return nil, nil
		}
	}
	rng := ask.RandApart(c, "lost")
	for k := range wideTriples {
		at, m := rng.Perm(c.N), c.Inputs.Mask()
		if k&1 == 1 {
			m = -m
		}
		out, err := c.AskMain(nil, func(row []float64) {
			row[at[0]], row[at[1]], row[at[2]] = m, -m, c.Scale.Unit
		})
		if err != nil {
			return nil, err
		}
		if n, ok := c.Scale.Count(out[0]); !ok || n != 1 {
			return nil, nil
		}
	}
	return &verdict.Fact{Reason: verdict.NothingLost, What: "no summand is lost to a huge one"}, nil
}

// Rounding is the outcome of JudgeRounding.
type Rounding struct {
	verdict.Fact
	Tried, Matched int // inputs, and those that came out correctly rounded
}

// JudgeRounding holds samples against the correctly rounded results. Its fact
// is AllRounded, NotRounded, NotRoundedShort, NotRoundedWide or Indistinct. It
// means something only for sums that seem to keep more than a plain sum does.
func JudgeRounding(c *ask.Channel, samples []ask.Sample) Rounding {
	var wrong *ask.Sample
	var want float64
	matched, overflowed := 0, 0
	for k := range samples {
		s := &samples[k]
		e := exactSum(c, s)
		switch {
		case ask.SameBits(e, s.Out) || e == 0 && s.Out == 0:
			matched++
		case s.Out-s.Out != 0 && absoluteSum(s) > c.Key.Out.Max():
			overflowed++ // of a partial sum: neither order nor rounding
		case wrong == nil:
			wrong, want = s, e
		}
	}
	r := Rounding{Tried: len(samples), Matched: matched}
	shown := func(what string, s *ask.Sample, want *float64) {
		r.What = what
		r.Witness = c.Witness(what, s.Y, ask.Values(s.X), []float64{s.Out}, want)
		if want != nil {
			r.Shows = notRounded(c)
		}
	}
	switch {
	case wrong != nil && isShortProduct(c):
		// Wide accumulators, and fused sums, hold all products of a short
		// format as well.
		r.Reason = verdict.NotRoundedShort
		shown("no summand is lost to a huge one, in a format whose sums a wide accumulator "+
			"holds exactly, yet this sum is not correctly rounded", wrong, &want)
	case wrong != nil && losesSmallest(c):
		r.Reason = verdict.NotRoundedWide
		shown("the accumulator is wider than masks can show: only summands as far apart as "+
			"the format allows are lost beside each other", wrong, &want)
	case wrong != nil && between(c, samples) != 0:
		r.Reason = verdict.NotRounded
		shown(fmt.Sprintf("every sum is the exact one, but rounded twice, to %s and then to %s: "+
			"this one is not correctly rounded", between(c, samples), c.Key.Out), wrong, &want)
	case wrong != nil:
		r.Reason = verdict.NotRounded
		shown("this sum is not the correctly rounded one", wrong, &want)
	case !distinguishesExact(c, samples):
		r.Reason = verdict.Indistinct
		shown("every result was correctly rounded, but in this format no input distinguishes "+
			"that from a plain sum in a wider one", &samples[0], nil)
	default:
		r.Reason, r.What = verdict.AllRounded, "every result was correctly rounded"
		if overflowed > 0 {
			r.Warning = fmt.Sprintf(
				"%d inputs whose partial sums may overflow gave no finite result", overflowed)
		}
	}
	return r
}

// between returns the format that the exact sum is rounded to before the
// result's format, in every sample, or 0.
func between(c *ask.Channel, samples []ask.Sample) fp.Format {
	for _, middle := range []fp.Format{fp.Binary64, fp.Binary32} {
		if middle.Precision() <= c.Key.Out.Precision() {
			continue
		}
		twice := func(s ask.Sample) bool {
			want := c.Key.Out.Round(roundedSum(c, &s, middle), fp.NearestEven)
			return ask.SameBits(want, s.Out) || want == 0 && s.Out == 0 ||
				s.Out-s.Out != 0 && absoluteSum(&s) > c.Key.Out.Max()
		}
		if !slices.ContainsFunc(samples, func(s ask.Sample) bool { return !twice(s) }) {
			return middle
		}
	}
	return 0
}

// notRounded returns a function that reports whether an output is finite and
// not the correctly rounded sum.
func notRounded(c *ask.Channel) func(x, y []float64, out float64) (float64, bool) {
	return func(x, y []float64, out float64) (want float64, shown bool) {
		want = exactSum(c, &ask.Sample{X: x, Y: y})
		return want, out-out == 0 && want-want == 0 && out != want
	}
}

// losesSmallest reports whether a summand is lost next to one that is as far
// above it as the format allows, and none that a few bits more than a float64
// has would hold: then the accumulator is a wide one, and nothing is
// compensated. An error of the target counts as no.
func losesSmallest(c *ask.Channel) bool {
	f := c.Key.DType
	large, small := math.Ldexp(1, f.MaxExp()-3), f.MinNormal()
	if c.N < 3 || c.Key.Mean {
		return false
	}
	if holds, err := holdsApart(c, fp.Binary64.Precision()+2); err != nil || !holds {
		return false
	}
	i, j, l := 0, c.N/2, c.N-1
	for _, q := range [][3]int{{i, j, l}, {i, l, j}, {j, l, i}} {
		out, err := c.Ask(nil, func(row []float64) {
			row[q[0]], row[q[1]], row[q[2]] = large, -large, small
		})
		if err == nil && out[0] == 0 {
			return true
		}
	}
	return false
}

// distinguishesExact reports whether at least two samples distinguish an exact
// sum from a plain chain, in each possible accumulator. (Sums of float16 values
// in float64 are exact, and left out.)
func distinguishesExact(c *ask.Channel, samples []ask.Sample) bool {
	chain := sumtree.Family{Kind: sumtree.Chain}.Tree(c.N)
	for _, acc := range ask.Accumulators(c.Key) {
		if c.Key.DType == fp.Binary16 && acc == fp.Binary64 && !c.Key.Op.Products() {
			continue
		}
		a := baseArithmetic(c)
		a.Nodes.Acc = acc
		if c.Key.Op.Products() {
			a.FMA = sumtree.FMAAll
		}
		differ := 0
		for k := range samples {
			s := &samples[k]
			plain, err := chain.Replay(a, s.X, s.Y)
			if err == nil && !ask.SameBits(plain, exactSum(c, s)) {
				differ++
			}
		}
		if differ < 2 {
			return false
		}
	}
	return true
}

// maxUlpsOff is the error, in ULPs, that a result may have to count as nearly
// right, and minUlpsOff the error of a plain chain that makes an input count.
const (
	maxUlpsOff = 2
	minUlpsOff = 16
)

// plainChains returns replays of plain loops, from the first summand and from
// the last, in each accumulator, with products that are rounded and fused ones.
// Of a short format fused products are left out: a wide accumulator holds them
// all, and so does a fused sum.
func plainChains(c *ask.Channel) (all []*sumtree.Replayer) {
	chain := sumtree.Family{Kind: sumtree.Chain}.Tree(c.N)
	for _, t := range []*sumtree.Tree{chain, reversed(c.N)} {
		for _, acc := range ask.Accumulators(c.Key) {
			a := baseArithmetic(c)
			a.Nodes = sumtree.NodeArith{Acc: acc}
			kinds := []sumtree.Arithmetic{a}
			if a.Products && !isShortProduct(c) {
				fused := a
				fused.FMA = sumtree.FMAAll
				a.Product = acc
				kinds = append(kinds, a, fused)
			}
			for _, a := range kinds {
				if r, err := sumtree.NewReplayer(t, a); err == nil {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// NearlyRight returns the fact, NearlyRight, that the target is right except
// for the last place or two on most samples that a plain chain is far off on in
// every accumulator; nil otherwise.
func NearlyRight(c *ask.Channel, samples []ask.Sample) *verdict.Fact {
	chains := plainChains(c)
	near, tried := 0, 0
	for k := range samples {
		s := &samples[k]
		exact := exactSum(c, s)
		if exact-exact != 0 || s.Out-s.Out != 0 || s.Kind == ask.Small {
			continue
		}
		ulp := c.Key.Out.ULP(exact)
		isNear := func(r *sumtree.Replayer) bool {
			plain, err := r.Sum(s.X, s.Y)
			return err != nil || plain-plain != 0 || math.Abs(plain-exact) < minUlpsOff*ulp
		}
		if slices.ContainsFunc(chains, isNear) {
			continue
		}
		tried++
		if math.Abs(s.Out-exact) <= maxUlpsOff*ulp {
			near++
		}
	}
	if tried < 4 || 10*near < 7*tried {
		return nil
	}
	return &verdict.Fact{Reason: verdict.NearlyRight,
		What: "results are right to two ULPs where a plain chain is far off"}
}

// absoluteSum returns Σ |x| or Σ |x·y|, in float64.
func absoluteSum(s *ask.Sample) float64 {
	var sum float64
	for i, v := range s.X {
		if s.Y != nil {
			v = float64(v * s.Y[i])
		}
		sum += math.Abs(v)
	}
	return sum
}

// exactSum returns the correctly rounded sum, or mean, of x or x·y.
func exactSum(c *ask.Channel, s *ask.Sample) float64 { return roundedSum(c, s, c.Key.Out) }

// roundedSum returns the sum, or mean, of x or x·y, rounded once to a format.
// The 4400 bits span the products of float64 values: 2·(1024+1074) and the
// carries.
func roundedSum(c *ask.Channel, s *ask.Sample, f fp.Format) float64 {
	const bits = 4400
	sum := new(big.Float).SetPrec(bits)
	for i, x := range s.X {
		if x-x != 0 || s.Y != nil && s.Y[i]-s.Y[i] != 0 {
			return math.NaN()
		}
		t := new(big.Float).SetPrec(bits).SetFloat64(x)
		if s.Y != nil {
			t.Mul(t, new(big.Float).SetPrec(bits).SetFloat64(s.Y[i]))
		}
		sum.Add(sum, t)
	}
	if c.Key.Mean {
		sum.Quo(sum, new(big.Float).SetPrec(bits).SetInt64(int64(len(s.X))))
	}
	if sum.Sign() == 0 {
		return 0
	}
	return f.RoundBig(sum, fp.NearestEven)
}
