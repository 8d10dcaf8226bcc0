package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
)

// An exactSum is the sum of products, in integers of package big: the oracle.
type exactSum struct {
	units *big.Int // of 2^unit
	c     counts
}

func newExactSum() *exactSum { return &exactSum{units: new(big.Int)} }

func (s *exactSum) add(factors ...float64) {
	p := 1.0
	for _, f := range factors {
		p *= f
	}
	finite, zero, negative := true, false, false
	for _, f := range factors {
		finite = finite && !math.IsNaN(f) && !math.IsInf(f, 0)
		zero = zero || f == 0
		negative = negative != math.Signbit(f)
	}
	s.c.all++
	switch {
	case !finite:
		s.c.special(p)
		return
	case zero:
		s.c.zero(negative)
		return
	}
	units, exponent := big.NewInt(1), 0
	for _, f := range factors {
		m, e := math.Frexp(f)
		units.Mul(units, big.NewInt(int64(m*(1<<53))))
		exponent += e - 53
	}
	// A subnormal number has zeros below the unit.
	if shift := exponent - unit; shift >= 0 {
		units.Lsh(units, uint(shift))
	} else {
		units.Rsh(units, uint(-shift))
	}
	s.units.Add(s.units, units)
}

// float64 returns the sum rounded by package big.
func (s *exactSum) float64() float64 {
	if v, ok := s.c.value(); ok {
		return v
	}
	if s.units.Sign() == 0 {
		return s.c.zeroSum()
	}
	f := new(big.Float).SetPrec(5000).SetInt(s.units)
	v, _ := f.SetMantExp(f, unit).Float64()
	return v
}

func (s *exactSum) float32() float32 {
	if v, ok := s.c.value(); ok {
		return float32(v)
	}
	if s.units.Sign() == 0 {
		return float32(s.c.zeroSum())
	}
	f := new(big.Float).SetPrec(5000).SetInt(s.units)
	v, _ := f.SetMantExp(f, unit).Float32()
	return v
}

// root returns the root of the sum, rounded to precision bits by package big:
// an exact root is never halfway between two numbers of the format, so that a
// longer one rounds as the root does.
func (s *exactSum) root() *big.Float {
	f := new(big.Float).SetPrec(5000).SetInt(s.units)
	return new(big.Float).SetPrec(5000).Sqrt(f.SetMantExp(f, unit))
}

// sumOf is the oracle for Sum.
func sumOf[T Float](x []T) float64 { return exactly(x).float64() }

func exactly[T Float](x []T) *exactSum {
	s := newExactSum()
	for _, v := range x {
		s.add(float64(v))
	}
	return s
}

func dotOf[T Float](x, y []T) *exactSum {
	s := newExactSum()
	for i, v := range x {
		s.add(float64(v), float64(y[i]))
	}
	return s
}

// same compares bits, all NaN being alike.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func same32(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// everyLevel runs f with every body of the kernels that this processor runs.
func everyLevel(t *testing.T, f func(t *testing.T)) {
	defer func() { level = kernel.Best() }()
	for _, level = range kernel.Levels() {
		t.Run(level.String(), f)
	}
}

// A distribution draws n numbers.
type distribution struct {
	name string
	draw func(rng *rand.Rand, n int) []float64
}

// each makes a distribution of one for a single number.
func each(name string, f func(rng *rand.Rand) float64) distribution {
	return distribution{name, func(rng *rand.Rand, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(rng)
		}
		return x
	}}
}

func spread(e int) func(rng *rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		return math.Ldexp(rng.Float64()*2-1, rng.IntN(2*e+1)-e)
	}
}

// anyBits draws any finite number, all bit patterns being equally likely.
func anyBits(rng *rand.Rand) float64 {
	for {
		if v := math.Float64frombits(rng.Uint64()); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
}

var distributions = []distribution{
	each("uniform", func(rng *rand.Rand) float64 { return rng.Float64() }),
	each("normal", func(rng *rand.Rand) float64 { return rng.NormFloat64() }),
	each("exponential", func(rng *rand.Rand) float64 { return rng.ExpFloat64() * 1e8 }),
	each("integers", func(rng *rand.Rand) float64 { return float64(rng.IntN(1000) - 500) }),
	each("±20", spread(20)),
	each("±40", spread(40)),
	each("±60", spread(60)),
	each("±80", spread(80)),
	each("±150", spread(150)),
	each("±300", spread(300)),
	each("±1000", spread(1000)),
	each("any bits", anyBits),
	each("subnormal", func(rng *rand.Rand) float64 {
		return math.Float64frombits(rng.Uint64N(1<<52)) * float64(1-2*rng.IntN(2))
	}),
	each("near overflow", func(rng *rand.Rand) float64 {
		return math.Ldexp(rng.Float64()*2-1, 1024-rng.IntN(3))
	}),
	each("zeros of both signs", func(rng *rand.Rand) float64 {
		return math.Copysign(0, rng.Float64()-.5)
	}),
	each("mostly −0", func(rng *rand.Rand) float64 {
		if rng.IntN(50) == 0 {
			return rng.Float64()
		}
		return math.Copysign(0, -1)
	}),
	{"cancelling", cancelling},
	{"sorted", func(rng *rand.Rand, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Ldexp(rng.Float64()*2-1, (i-n/2)*1900/(n+1))
		}
		return x
	}},
	{"an outlier", func(rng *rand.Rand, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()
		}
		if n > 0 {
			x[rng.IntN(n)] = math.Ldexp(1+rng.Float64(), rng.IntN(2000)-1000)
		}
		return x
	}},
}

// cancelling draws numbers of any size and their opposites, so that little is
// left.
func cancelling(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		if i%2 == 0 {
			x[i] = spread(300)(rng)
		} else {
			x[i] = -x[i-1]
		}
	}
	if n > 0 {
		x[0] += math.Ldexp(rng.Float64(), -200)
		x[n-1] = rng.Float64() * 1e-30
	}
	rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// single rounds to float32.
func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}
