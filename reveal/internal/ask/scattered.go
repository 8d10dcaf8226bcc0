package ask

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// FewSummands is the number of summands of an input that shows most changes of
// the order, and that people can read.
const FewSummands = 32

// maxSpread bounds the binades between the sizes of scattered summands. It
// exceeds what float32 inputs leave free in a float64.
const maxSpread = 48

// Scattered returns an input with count summands that are not zero, of many
// sizes, one at a random place of each of count equal parts. Summands of sums
// and products cancel in pairs: the result is what the additions have lost, so
// another order shows in it. Second factors are ones.
func Scattered(in *Inputs, count int) Patch {
	if count = min(count, in.n); count == in.n && !in.key.Op.Positive() {
		return Patch{Base: opposites(in, count)}
	}
	at := make([]int, count)
	for k := range at {
		from, to := k*in.n/count, (k+1)*in.n/count
		at[k] = from + in.rng.IntN(to-from)
	}
	return ScatteredAt(in, at)
}

// ScatteredAt is Scattered with places for the summands.
func ScatteredAt(in *Inputs, at []int) Patch {
	if in.key.Op.Positive() {
		return Patch{At: at, Values: scatteredPositive(in, len(at))}
	}
	return Patch{At: at, Values: opposites(in, len(at))}
}

// opposites returns numbers that cancel in pairs, in random order. Of an odd
// count, the last has no opposite.
func opposites(in *Inputs, count int) []float64 {
	f := in.key.DType
	top := min(maxSpread, f.MaxExp()-4-bits.Len(uint(count))/2)
	low := max(f.MinExp(), top-maxSpread)
	sizes := make([]float64, top-low+1)
	for k := range sizes {
		sizes[k] = math.Ldexp(1, low+k)
	}
	x := make([]float64, count)
	for k := 0; k < count; k += 2 {
		x[k] = (1 + in.rng.Float64()) * sizes[in.rng.IntN(len(sizes))]
		if k+1 < count {
			x[k+1] = -x[k]
		}
	}
	roundAll(f, x)
	in.rng.Shuffle(count, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// scatteredPositive returns the inputs of summands that cannot be negative: one
// large, and the others at the last places of an accumulator beside it. Inputs
// of a softmax are ordinary, since exp(0) counts as well.
func scatteredPositive(in *Inputs, count int) []float64 {
	x := make([]float64, count)
	if in.key.Op == probe.Softmax {
		for k := range x {
			//lastbit:ignore libm inputs need no last bit
			x[k] = in.key.DType.Round(4*in.rng.NormFloat64(), fp.NearestEven)
		}
		return x
	}
	formats := Accumulators(in.key)
	p := formats[in.rng.IntN(len(formats))].Precision()
	mass := make([]float64, count)
	for k := range mass {
		mass[k] = math.Ldexp(1+in.rng.Float64(), in.rng.IntN(8)-p-3)
	}
	mass[in.rng.IntN(count)] = 1
	return in.fromMass(Sparse, mass).X
}
