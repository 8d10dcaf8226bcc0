package recording

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
)

// BankSize is the number of inputs of a bank.
const BankSize = 48

// An Input is one row of summands, and second factors for products.
type Input struct{ X, Y []float64 }

// Bank returns the fixed inputs of n values in a format, in turn: ordinary
// numbers, exponents over much of the range, pairs that cancel, small numbers
// about the subnormals, and ordinary numbers with an infinity, two of opposite
// sign, or a NaN among them, and zeros. Y is set for products.
func Bank(f fp.Format, n int, products bool) []Input {
	rng := rand.New(rand.NewPCG(0x62616E6B, uint64(n)))
	bank := make([]Input, BankSize)
	for k := range bank {
		x := make([]float64, n)
		for i := range x {
			x[i] = value(rng, f, k%kinds, x[:i])
		}
		finish(rng, k%kinds, x)
		for i := range x {
			x[i] = f.Round(x[i], fp.NearestEven)
		}
		bank[k].X = x
		if products {
			bank[k].Y = factors(rng, f, n)
		}
	}
	return bank
}

// The kinds of inputs.
const (
	ordinary = iota
	wide
	cancelling
	small
	infinite
	opposed // infinities
	invalid
	zeros
	kinds // their number
)

// finish changes an input of ordinary numbers into one of its kind, where that
// takes more than values of their own.
func finish(rng *rand.Rand, kind int, x []float64) {
	switch kind {
	case cancelling:
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	case infinite:
		x[rng.IntN(len(x))] = math.Inf(1)
	case opposed:
		x[rng.IntN(len(x))] = math.Inf(1)
		x[rng.IntN(len(x))] = math.Inf(-1)
	case invalid:
		x[rng.IntN(len(x))] = math.NaN()
	case zeros:
		for i := range x {
			x[i] = math.Copysign(0, rng.Float64()-0.75)
		}
	}
}

// bell returns a number of (−2, 2), most often a small one. It is the same on
// every processor; rand.NormFloat64 calls math.Log, which need not be.
func bell(rng *rand.Rand) float64 {
	return rng.Float64() + rng.Float64() + rng.Float64() + rng.Float64() - 2
}

// value returns one value of a kind; before are those in front of it.
func value(rng *rand.Rand, f fp.Format, kind int, before []float64) float64 {
	v := bell(rng)
	switch kind {
	case wide:
		spread := min(f.MaxExp()/3, 24)
		return math.Ldexp(v, rng.IntN(2*spread+1)-spread)
	case cancelling:
		if i := len(before); i%2 == 1 && rng.IntN(8) > 0 {
			return -before[i-1]
		}
	case small:
		return math.Ldexp(v, f.MinExp()-f.Precision()/2+rng.IntN(f.Precision()))
	}
	return v
}

// factors returns second factors in ±[1/2, 2).
func factors(rng *rand.Rand, f fp.Format, n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = f.Round(math.Ldexp(1+rng.Float64(), -rng.IntN(2)), fp.TowardZero)
		if rng.IntN(2) == 0 {
			y[i] = -y[i]
		}
	}
	return y
}
