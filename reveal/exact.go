package reveal

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// seemsExact reports whether no count was ever lost to a mask: three leaves
// suffice to tell, since in any tree at least two of their three pairs meet
// above the third leaf.
func (p *prober) seemsExact(bank []structure, counts []float64) (bool, error) {
	for k, s := range bank {
		if counts[k] != s.unmasked() {
			return false, nil
		}
	}
	if p.n < 3 {
		return false, nil
	}
	a, b, c := 0, p.n/2, p.n-1
	for _, q := range [][3]int{{a, b, c}, {a, c, b}, {b, c, a}} {
		out, err := p.ask(nil, func(row []float64) {
			m := p.mask()
			row[q[0]], row[q[1]], row[q[2]] = m, -m, p.sc.unit
		})
		if err != nil {
			return false, err
		}
		if n, ok := p.count(out[0]); !ok || n != 1 {
			return false, nil
		}
	}
	return true, nil
}

// exactReplays is how many hard inputs an exact implementation must get right.
const exactReplays = 12

// judgeExact tells exact from compensated: sums that lose no count to a mask are
// one or the other.
func (p *prober) judgeExact(f *Finding, bank []sample) error {
	if bank == nil {
		var err error
		if bank, _, err = p.fillBank(nil, max(exactReplays, p.opt.Replays)); err != nil {
			return err
		}
		if bank, err = p.addCancelling(bank); err != nil {
			return err
		}
	}
	var wrong *sample
	var want float64
	matched, overflowed := 0, 0
	for k := range bank {
		s := &bank[k]
		e := exactSum(p.key.Out, p.key.Mean, s.x, s.y)
		switch {
		case sameBits(e, s.out) || e == 0 && s.out == 0:
			matched++
		case s.out-s.out != 0 && absoluteSum(s.x, s.y) > p.key.Out.Max():
			overflowed++ // of a partial sum: not a question of order or of rounding
		case wrong == nil:
			wrong, want = s, e
		}
	}
	f.Evidence.ReplayTried, f.Evidence.ReplayMatched = len(bank), matched
	switch {
	case wrong != nil && p.key.Op.Products() && p.key.DType.Precision() < fp.Binary32.Precision():
		// Wide accumulators, and fused sums, hold all products of a short format as well.
		f.Verdict = Unsupported
		f.Witness = p.witness("no summand is lost to a huge one, in a format whose sums a wide accumulator holds exactly, yet this sum is not correctly rounded", wrong.y, copied(wrong.x), []float64{wrong.out}, &want)
		return nil
	case wrong != nil && p.loses():
		f.Verdict = Unsupported
		f.Witness = p.witness("the accumulator is wider than masks can show: only summands as far apart as the format allows are lost beside each other", wrong.y, copied(wrong.x), []float64{wrong.out}, &want)
		return nil
	case wrong != nil:
		f.Verdict = Compensated
		f.Witness = p.witness("no summand is lost to a huge one, yet this sum is not correctly rounded", wrong.y, copied(wrong.x), []float64{wrong.out}, &want)
		return nil
	case !p.tellsExact(bank):
		f.Verdict = Unsupported
		f.Witness = p.witness("every result was correctly rounded, but in this format no input tells that from a plain sum in a wider one", bank[0].y, copied(bank[0].x), []float64{bank[0].out}, nil)
		return nil
	}
	if overflowed > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d inputs whose partial sums may overflow gave no finite result", overflowed))
	}
	f.Verdict, f.Verified, f.Witness = Exact, true, nil
	f.Traits.Accumulator, f.Traits.FMA, f.Traits.Rounding = "exact", p.key.Op.Products(), fp.NearestEven.String()
	if f.Traits.FMA == true {
		f.Traits.FMA = "exact"
	}
	return nil
}

// loses reports whether a summand is lost beside one that is as far above it as
// the format allows: then the accumulator is a wide one, and nothing is
// compensated. An error of the target counts as no.
func (p *prober) loses() bool {
	f := p.key.DType
	large, small := math.Ldexp(1, f.MaxExp()-3), f.MinNormal()
	if p.n < 3 || p.key.Mean {
		return false
	}
	for _, q := range [][3]int{{0, p.n / 2, p.n - 1}, {0, p.n - 1, p.n / 2}, {p.n / 2, p.n - 1, 0}} {
		out, err := p.ask(nil, func(row []float64) { row[q[0]], row[q[1]], row[q[2]] = large, -large, small })
		if err == nil && out[0] == 0 {
			return true
		}
	}
	return false
}

// tellsExact reports whether the bank has inputs on which every plain sum that
// can go wrong does go wrong: a chain in each possible accumulator. (Sums of
// float16 values cannot, in float64: they are exact.)
func (p *prober) tellsExact(bank []sample) bool {
	chain := sumtree.Family{Kind: sumtree.Chain}.Tree(p.n)
	for _, acc := range accumulators(p.key) {
		if p.key.DType == fp.Binary16 && acc == fp.Binary64 && !p.key.Op.Products() {
			continue
		}
		a := p.common(true, false, false)
		a.Nodes.Acc = acc
		if p.key.Op.Products() {
			a.FMA = sumtree.FMAAll
		}
		differ := 0
		for _, s := range bank {
			plain, err := chain.Replay(a, s.x, s.y)
			if err == nil && !sameBits(plain, exactSum(p.key.Out, p.key.Mean, s.x, s.y)) {
				differ++
			}
		}
		if differ < 2 {
			return false
		}
	}
	return true
}

// absoluteSum returns Σ |x| or Σ |x·y|, in float64.
func absoluteSum(x, y []float64) float64 {
	var s float64
	for i, v := range x {
		if y != nil {
			v = float64(v * y[i])
		}
		s += math.Abs(v)
	}
	return s
}

// addCancelling adds inputs that only a correctly rounded sum gets right:
//
//   - large summands that cancel in pairs ±v, at random places, and leave very
//     little: a few binades below what two words of precision hold, or all the way
//     down the range of the format;
//   - a sum halfway between two results, and a speck that decides, however small:
//     a result rounded twice is wrong there.
func (p *prober) addCancelling(bank []sample) ([]sample, error) {
	for k := range cancelling {
		x := make([]float64, p.n)
		what := "cancelling"
		if k%2 == 0 || p.n < 3 {
			p.cancel(x, k%4 == 0)
		} else {
			what = "halfway"
			p.halfway(x, k%4 == 1)
		}
		out, err := p.ask(nil, copied(x))
		if err != nil {
			return nil, err
		}
		bank = append(bank, sample{kind: what, x: x, out: out[0]})
	}
	return bank, nil
}

// cancelling is how many inputs addCancelling adds.
const cancelling = 32

// cancel fills x with pairs ±v and a small remainder.
func (p *prober) cancel(x []float64, full bool) {
	f := p.key.DType
	top := f.MaxExp() - 3 - bits.Len(uint(p.n))/2
	rest := max(top-max(2*f.Precision(), fp.Binary64.Precision())-6, f.MinExp()-f.Precision()/2)
	if full {
		rest = f.MinExp() + p.rng.IntN(max(1, rest-f.MinExp()))
	}
	order := p.rng.Perm(p.n)
	for k := 0; k+1 < p.n; k += 2 {
		v := f.Round(math.Ldexp(1+p.rng.Float64(), top-p.rng.IntN(f.Precision())), fp.TowardZero)
		x[order[k]], x[order[k+1]] = v, -v
		if k > 0 && p.rng.IntN(4) == 0 {
			x[order[k]] = f.Round(math.Ldexp(p.rng.NormFloat64(), rest), fp.NearestEven)
			x[order[k+1]] = f.Round(math.Ldexp(p.rng.NormFloat64(), rest), fp.NearestEven)
		}
	}
	if p.n%2 == 1 {
		x[order[p.n-1]] = math.Ldexp(1, rest)
	}
}

// halfway fills x with a value, half a unit of its last place in the result, and
// a speck, far below when deep.
func (p *prober) halfway(x []float64, deep bool) {
	f := p.key.DType
	order := p.rng.Perm(p.n)
	e := p.rng.IntN(3)
	v := f.Round(math.Ldexp(1+p.rng.Float64(), e), fp.TowardZero)
	if p.key.Mean {
		v, e = 1, 0
	}
	half := p.key.Out.ULP(v) / 2
	least := f.MinExp() - f.Precision() + 1
	low := math.Ilogb(half) - 1 - p.rng.IntN(12)
	if deep {
		low = least + p.rng.IntN(max(1, min(64, low-least)))
		if p.rng.IntN(2) == 0 {
			low = max(least, math.Ilogb(half)-20-p.rng.IntN(60))
		}
	}
	sign := float64(1 - 2*p.rng.IntN(2))
	x[order[0]], x[order[1]] = v*sign, f.Round(half*float64(1-2*p.rng.IntN(2)), fp.NearestEven)
	if p.rng.IntN(4) > 0 { // else a plain tie
		x[order[2]] = math.Ldexp(float64(1-2*p.rng.IntN(2)), max(low, least))
	}
}

func copied(x []float64) func([]float64) { return func(row []float64) { copy(row, x) } }

// exactSum returns the correctly rounded sum, or mean, of x or x·y.
func exactSum(out fp.Format, mean bool, x, y []float64) float64 {
	const bits = 4400
	sum := new(big.Float).SetPrec(bits)
	for i := range x {
		if x[i]-x[i] != 0 || y != nil && y[i]-y[i] != 0 {
			return math.NaN()
		}
		t := new(big.Float).SetPrec(bits).SetFloat64(x[i])
		if y != nil {
			t.Mul(t, new(big.Float).SetPrec(bits).SetFloat64(y[i]))
		}
		sum.Add(sum, t)
	}
	if mean {
		sum.Quo(sum, new(big.Float).SetPrec(bits).SetInt64(int64(len(x))))
	}
	if sum.Sign() == 0 {
		return 0
	}
	return out.RoundBig(sum, fp.NearestEven)
}
