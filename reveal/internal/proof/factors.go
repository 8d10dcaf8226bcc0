package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// The limits of AskFactors and AskScales: summands that have several inputs of
// one kind, their number, and inputs with a second factor of zero.
const (
	maxFactored  = 1 << 12
	factorInputs = 8
	zeroFactors  = 1 << 5

	subnormalInputs = 3
)

// AskFactors asks for products whose factors have something in common: equal
// second factors, or first ones, squares, a zero among the second factors or
// mostly zeros, second factors of one sign or whole, zeros and ones, and second
// factors that are large or small as a whole. An order that depends on the
// factors shows, where the products do not show it.
func AskFactors(c *ask.Channel) ([]ask.Sample, error) {
	if !c.Key.Op.Products() || c.N < 2 || c.N > maxEdges {
		return nil, nil
	}
	rng := ask.RandApart(c, "factors")
	var samples []ask.Sample
	each, zeros := factorInputs, zeroFactors
	if c.Lanes() > 1 || c.N > maxFactored {
		each, zeros = 1, 1
	}
	for _, change := range factorKinds(c) {
		for range each {
			s := cancellingProducts(c, rng)
			change(rng, s.X, s.Y)
			samples = append(samples, s)
		}
	}
	sizes := factorSizes(c)
	for k, size := range sizes {
		s := cancellingProducts(c, rng)
		f := c.Key.DType
		for i := range s.X {
			if c.Lanes() > 1 {
				size = sizes[(k+i)%len(sizes)]
			}
			s.X[i] = f.Round(math.Ldexp(s.X[i], size.x), fp.TowardZero)
			s.Y[i] = f.Round(math.Ldexp(s.Y[i], size.y), fp.TowardZero)
		}
		if samples = append(samples, s); c.Lanes() > 1 {
			break // this one has all sizes
		}
	}
	for k := range zeros {
		s := cancellingProducts(c, rng)
		s.Y[k*c.N/zeros] = 0 // of few summands, each in turn
		samples = append(samples, s)
	}
	switch {
	case c.Lanes() > 1:
		each = 0
	case c.N <= fewSummands: // each shows few orders
		each *= 3
	}
	for range each {
		s := cancellingProducts(c, rng)
		mask(rng, s.X, s.Y)
		samples = append(samples, s)
	}
	c.Expect("factors", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// factorSize is the exponents that the factors of products are scaled by.
type factorSize struct{ x, y int }

// factorSizes returns sizes of second factors up to both ends of the format,
// most of them twice, with first factors that make products of moderate size of
// them. Of many summands, whose products are not asked one by one, it returns
// one of each, subnormal second factors, and products that overflow.
func factorSizes(c *ask.Channel) []factorSize {
	f := c.Key.DType
	most, least := f.MaxExp()-1, f.MinExp()+5
	large, small := factorSize{least, most}, factorSize{-least, least}
	switch {
	case c.Lanes() > 1:
		return []factorSize{large, small}
	case c.N > maxFactored:
		return []factorSize{large, small, {f.MaxExp() - 4, f.MinExp() - 3}, {most, 4}}
	}
	all := []factorSize{large, small, large, small, {-most / 2, most / 2}, {-least / 2, least / 2},
		{-most / 6, most / 6}, {-least / 6, least / 6}}
	if c.N <= fewSummands { // each shows few orders
		all = slices.Concat(all, all)
	}
	return all
}

// factorKinds returns changes that give factors something in common.
func factorKinds(c *ask.Channel) []func(rng *rand.Rand, x, y []float64) {
	f := c.Key.DType
	fill := func(v []float64, with float64) {
		for i := range v {
			v[i] = with
		}
	}
	draw := func(rng *rand.Rand) float64 { return f.Round(0.5+rng.Float64(), fp.NearestEven) }
	return []func(rng *rand.Rand, x, y []float64){
		func(rng *rand.Rand, _, y []float64) { fill(y, draw(rng)) },
		func(rng *rand.Rand, x, _ []float64) { fill(x, draw(rng)) },
		func(_ *rand.Rand, x, y []float64) { copy(y, x) },
		func(rng *rand.Rand, _, y []float64) {
			for _, i := range rng.Perm(len(y))[:len(y)*3/5] {
				y[i] = 0
			}
		},
		func(_ *rand.Rand, _, y []float64) {
			for i, v := range y {
				y[i] = math.Abs(v)
			}
		},
		func(_ *rand.Rand, x, _ []float64) {
			for i, v := range x {
				x[i] = math.Abs(v)
			}
		},
		func(rng *rand.Rand, _, y []float64) {
			for i := range y {
				y[i] = float64(1 + rng.IntN(9))
			}
		},
	}
}

// mask makes the first factors, or the second ones, zeros and ones, few of them
// zeros.
func mask(rng *rand.Rand, x, y []float64) {
	if rng.IntN(2) == 0 {
		x = y
	}
	part := 2 + rng.IntN(2*len(x))
	for i := range x {
		if x[i] = 1; rng.IntN(part) == 0 {
			x[i] = 0
		}
	}
}

// cancellingProducts returns products of both signs that nearly cancel.
func cancellingProducts(c *ask.Channel, rng *rand.Rand) ask.Sample {
	f := c.Key.DType
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: make([]float64, c.N)}
	for i := range s.X {
		s.X[i] = f.Round(rng.NormFloat64(), fp.NearestEven) //lastbit:ignore libm an input
		s.Y[i] = f.Round(0.5+rng.Float64(), fp.NearestEven)
		if rng.IntN(2) == 0 {
			s.Y[i] = -s.Y[i]
		}
	}
	return s
}

// scalesAsked are the exponents that AskScales asks summands of, as far as the
// format has them.
var scalesAsked = [...]int{-60, -30, -20, -14, -10, -7, -4, -2, 4, 7, 10, 13, 16, 20, 30, 60}

// AskScales asks for summands of one size, some binades large: all positive,
// and of both signs; and for the smallest numbers, and numbers close to
// overflow. An order that depends on a range of sizes shows.
func AskScales(c *ask.Channel) ([]ask.Sample, error) {
	if c.N < 2 || c.N > maxFactored || c.Key.Op.Positive() {
		return nil, nil
	}
	rng := ask.RandApart(c, "scales")
	in := c.Key.DType
	var samples []ask.Sample
	add := func(value func(i int) float64) {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
		for i := range s.X {
			s.X[i] = in.Round(value(i), fp.NearestEven)
		}
		samples = append(samples, s)
	}
	size := func(e int) float64 { return math.Ldexp(1+rng.Float64(), e+rng.IntN(2)) }
	alternate := func(i int, v float64) float64 { return v * float64(1-2*(i%2)) }
	for _, e := range scalesAsked {
		if e < in.MinExp() || e+12 > in.MaxExp() {
			continue
		}
		add(func(int) float64 { return size(e) })
		add(func(int) float64 { return size(e) })
		add(func(i int) float64 { return alternate(i, size(e)) })
	}
	for range factorInputs {
		add(func(i int) float64 { return alternate(i, size(in.MaxExp()-2)) })
	}
	// Subnormals of many places: their sums are exact, and quotients are not.
	few := subnormalInputs
	if c.N > maxPropertyWork {
		few--
	}
	for k := range few {
		add(func(int) float64 {
			return math.Copysign(math.Ldexp(1+rng.Float64(), in.MinExp()-1-k), rng.Float64()-0.5)
		})
	}
	add(func(int) float64 { return in.Smallest() })
	add(func(int) float64 { return -in.Smallest() })
	return samples, askTogether(c, "scales", samples)
}
