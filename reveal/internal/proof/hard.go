package proof

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// hardInputs is the number of inputs that AskHard asks.
const hardInputs = 32

// AskHard asks inputs that only a correctly rounded sum gets right:
//
//   - Large summands that cancel in pairs ±v, at random places, and leave very
//     little: a few binades below the last place of two words of precision, or
//     all the way down the range of the format.
//   - A sum halfway between two results, and a speck that decides, however
//     small: a result rounded twice is wrong there.
//   - The same with summands of many sizes between them, which cancel: an
//     expansion of too few terms has lost the speck.
func AskHard(c *ask.Channel) ([]ask.Sample, error) {
	var samples []ask.Sample
	for k := range hardInputs {
		s := ask.Sample{Kind: ask.Halfway, X: make([]float64, c.N)}
		if k%2 == 0 || c.N < 3 {
			s.Kind = ask.Cancelling
			fillCancelling(c, s.X, k%4 == 0)
		} else {
			fillHalfway(c, s.X, k%4 == 1)
		}
		samples = append(samples, s)
	}
	samples = append(samples, roundedTwice(c)...)
	samples = append(samples, layered(c)...)
	for k := range samples {
		out, err := c.AskMain(nil, ask.Values(samples[k].X))
		if err != nil {
			return nil, err
		}
		samples[k].Out = out[0]
	}
	return samples, nil
}

// maxTwice bounds the exponents that roundedTwice makes inputs of.
const maxTwice = 16

// roundedTwice returns sums halfway between two results, except for a speck. A
// wider format rounds it off: float32, float64, the 64 bits of the x87, the 113
// of binary128, or any that does not reach down to the least numbers.
// A result that is rounded to one of them first is wrong. Nearly halfway is an
// even number and a speck more, or an odd number and a speck less.
func roundedTwice(c *ask.Channel) []ask.Sample {
	if c.N < 3 || c.Key.Mean {
		return nil
	}
	in, out := c.Key.DType, c.Key.Out
	rng := ask.RandApart(c, "hard")
	var all []ask.Sample
	deepest := in.Precision() - 2 - in.MinExp()
	for _, bits := range []int{
		fp.Binary32.Precision(), fp.Binary64.Precision(), 64, 113, deepest,
	} {
		if bits <= out.Precision()+1 || bits > deepest {
			continue
		}
		for k := range maxTwice {
			e := min(k, out.MaxExp()-1)
			v, speck := math.Ldexp(1, e), math.Ldexp(1, e-bits-1)
			half := out.ULP(v) / 2
			if k%2 == 1 {
				v, speck = v+out.ULP(v), -speck
			}
			if k%4 > 1 {
				v, half, speck = -v, -half, -speck
			}
			if !in.Contains(v) || !in.Contains(half) || !in.Contains(speck) {
				continue
			}
			s := ask.Sample{Kind: ask.Halfway, X: make([]float64, c.N)}
			order := rng.Perm(c.N)
			s.X[order[0]], s.X[order[1]], s.X[order[2]] = v, half, speck
			all = append(all, s)
		}
	}
	return all
}

// The numbers of inputs of layered, and of those with few pairs: less often all
// sizes are there at once while they are added.
const (
	layeredInputs = 8
	layeredFew    = 24
	fewLayers     = 4
)

// layered returns sums halfway between two results, except for a speck, with
// pairs ±v of as many sizes between them as the format has room for.
func layered(c *ask.Channel) []ask.Sample {
	in, out := c.Key.DType, c.Key.Out
	apart := out.Precision() + 2
	top, least := min(in.MaxExp(), out.MaxExp())-4, in.MinExp()-in.Precision()+1
	levels := min((c.N-3)/2, (top-least)/apart-3)
	if c.Key.Mean || levels < 1 {
		return nil
	}
	rng := ask.RandApart(c, "layers")
	all := make([]ask.Sample, layeredInputs)
	if levels < fewLayers {
		all = make([]ask.Sample, layeredFew)
	}
	for k := range all {
		sign := float64(1 - 2*(k%2))
		v := []float64{math.Ldexp(sign, top), math.Ldexp(sign, top-out.Precision())}
		for l := range levels {
			layer := math.Ldexp(1+float64(rng.IntN(8))/8, top-apart*(l+2))
			v = append(v, layer, -layer)
		}
		v = append(v, math.Ldexp(sign, top-apart*(levels+2)))
		all[k] = ask.Sample{Kind: ask.Halfway, X: make([]float64, c.N)}
		order := rng.Perm(c.N)
		for i, w := range v {
			all[k].X[order[i]] = in.Round(w, fp.TowardZero)
		}
	}
	return all
}

// fillCancelling fills x with pairs ±v and a small remainder, somewhere in the
// range of the format when full.
func fillCancelling(c *ask.Channel, x []float64, full bool) {
	f, rng := c.Key.DType, c.Rand
	top := f.MaxExp() - 3 - bits.Len(uint(c.N))/2
	words := max(2*f.Precision(), fp.Binary64.Precision())
	rest := max(top-words-6, f.MinExp()-f.Precision()/2)
	if full {
		rest = f.MinExp() + rng.IntN(max(1, rest-f.MinExp()))
	}
	order := rng.Perm(c.N)
	for k := 0; k+1 < c.N; k += 2 {
		v := f.Round(math.Ldexp(1+rng.Float64(), top-rng.IntN(f.Precision())), fp.TowardZero)
		x[order[k]], x[order[k+1]] = v, -v
		if k > 0 && rng.IntN(4) == 0 {
			//lastbit:ignore libm random inputs
			x[order[k]] = f.Round(math.Ldexp(rng.NormFloat64(), rest), fp.NearestEven)
			//lastbit:ignore libm random inputs
			x[order[k+1]] = f.Round(math.Ldexp(rng.NormFloat64(), rest), fp.NearestEven)
		}
	}
	if c.N%2 == 1 {
		x[order[c.N-1]] = math.Ldexp(1, rest)
	}
}

// fillHalfway fills x with a value, half a unit of its last place in the
// result, and a speck, far below when deep.
func fillHalfway(c *ask.Channel, x []float64, deep bool) {
	f, rng := c.Key.DType, c.Rand
	order := rng.Perm(c.N)
	e := rng.IntN(3)
	v := f.Round(math.Ldexp(1+rng.Float64(), e), fp.TowardZero)
	if c.Key.Mean {
		v = 1
	}
	half := c.Key.Out.ULP(v) / 2
	least := f.MinExp() - f.Precision() + 1
	low := math.Ilogb(half) - 1 - rng.IntN(12)
	if deep {
		low = least + rng.IntN(max(1, min(64, low-least)))
		if rng.IntN(2) == 0 {
			low = max(least, math.Ilogb(half)-20-rng.IntN(60))
		}
	}
	sign := float64(1 - 2*rng.IntN(2))
	x[order[0]] = v * sign
	x[order[1]] = f.Round(half*float64(1-2*rng.IntN(2)), fp.NearestEven)
	if rng.IntN(4) > 0 { // else a plain tie
		x[order[2]] = math.Ldexp(float64(1-2*rng.IntN(2)), max(low, least))
	}
}
