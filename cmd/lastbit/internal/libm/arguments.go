package libm

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
)

// Numbers of arguments: of a fingerprint, and of a measurement of time. These
// are too many for a processor to remember which way each branch went the last
// time.
const (
	FixedCount   = 1 << 16
	typicalCount = 1 << 16
)

// Fixed returns the arguments of a fingerprint: half of them typical, evenly
// spread; a quarter at thresholds and of any exponent, and a quarter around 1
// and 0. y is nil for a function of one argument.
func (f *Function[T]) Fixed() (x, y []T, err error) {
	x, y = f.random()
	a, b, err := f.thresholds()
	if err != nil {
		return nil, nil, err
	}
	for k := range min(len(a), FixedCount/4) {
		x[4*k+2] = a[k]
		if f.Binary {
			y[4*k+2] = b[k]
		}
	}
	return x, y, nil
}

// random returns the arguments of Fixed before some are replaced by thresholds.
func (f *Function[T]) random() (x, y []T) {
	rng := rand.New(rand.NewPCG(1, 2))
	return f.draw(FixedCount, func(i int) T {
		switch i % 4 {
		case 0, 1:
			return between[T](rng, f.Low, f.High)
		case 2:
			v := anyBits[T](rng)
			if f.Low >= 0 && v < 0 {
				return -v
			}
			return v
		default:
			return T(float64(1-2*(i>>2&1)) * math.Ldexp(1+rng.Float64(), -rng.IntN(40)))
		}
	})
}

// Typical returns arguments of the typical range, evenly spread and in random
// order.
func (f *Function[T]) Typical() (x, y []T) {
	rng := rand.New(rand.NewPCG(3, 4))
	low, high := f.TypicalRange()
	return f.draw(typicalCount, func(int) T { return between[T](rng, low, high) })
}

// TypicalRange returns the ends of the range of common arguments. Fingerprints,
// which cannot change, have the same range, with one exception: tanh of [-3, 3]
// would leave out the arguments where it approaches 1, as in neural networks.
func (f *Function[T]) TypicalRange() (low, high float64) {
	if f.Name == "tanh" {
		return -10, 10
	}
	return f.Low, f.High
}

func between[T Float](rng *rand.Rand, low, high float64) T {
	return T(low + float64((high-low)*rng.Float64()))
}

// anyBits returns any number of a format, ±Inf or NaN.
func anyBits[T Float](rng *rand.Rand) T {
	if FormatOf[T]() == fp.Binary32 {
		return T(math.Float32frombits(rng.Uint32()))
	}
	return T(math.Float64frombits(rng.Uint64()))
}

// draw returns n arguments, or n pairs of them: all first arguments are drawn
// before the second ones.
func (f *Function[T]) draw(n int, one func(i int) T) (x, y []T) {
	all := func() []T {
		a := make([]T, n)
		for i := range a {
			a[i] = one(i)
		}
		return a
	}
	x = all()
	if f.Binary {
		y = all()
	}
	if f.Whole > 0 {
		for i, v := range y {
			y[i] = f.whole(v)
		}
	}
	return x, y
}

// whole returns the integer that replaces a second argument: up to f.Whole in
// magnitude for one in the range of typical first arguments, and of any size
// below 2^30 for others.
func (f *Function[T]) whole(v T) T {
	x := float64(v)
	if low, high := f.TypicalRange(); low <= x && x <= high {
		share := (x - low) / (high - low)
		return T(math.Round(float64(share*float64(2*f.Whole)) - float64(f.Whole)))
	}
	if x-x != 0 { // infinite, or NaN
		return 1
	}
	m, e := math.Frexp(x)
	return T(math.Trunc(math.Ldexp(m, (e%30+30)%30+1)))
}
