package ask

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Kind is a kind of input of ordinary numbers. An order or an arithmetic that
// holds for one kind only depends on the values.
type Kind int

// The kinds of random inputs.
const (
	// Aware is built from a tree, so that the rounding error of every node
	// reaches the result.
	Aware Kind = iota
	// Normal is N(0,1).
	Normal
	// Drift is positive, so that a running sum outgrows its summands.
	Drift
	// Negative is the same, all negative.
	Negative
	// Sparse is signed, of various sizes, and zero in half of the places.
	Sparse
	// Wide has exponents spread as far as sums show it.
	Wide
	// Ladder has two opposite summands and the others far below, in steps. The
	// bits that the accumulator loses next to them show its width.
	Ladder
	// Large is Aware, scaled close to overflow.
	Large
	// Small is Aware, scaled so that partial sums include subnormals.
	Small
	// Tiny is Aware, scaled until the result is subnormal.
	Tiny
	// Cancelling leaves very little of large summands. Package proof makes it.
	Cancelling
	// Edge overflows, underflows or is zero. Package proof makes it.
	Edge
	// Halfway is a tie between two results, with a speck that decides. Package
	// proof makes it.
	Halfway
)

// isAware reports whether the kind is built from a tree.
func (k Kind) isAware() bool { return k == Aware || k == Large || k == Small || k == Tiny }

// IsModerate reports whether all values of the kind are of moderate size.
func (k Kind) IsModerate() bool {
	switch k {
	case Aware, Normal, Drift, Negative, Sparse:
		return true
	}
	return false
}

// ReplayKinds returns the kinds of the inputs that a tree is replayed on, in
// turn.
func ReplayKinds() []Kind {
	return []Kind{
		Aware, Normal, Aware, Wide, Aware, Large, Drift, Small,
		Ladder, Sparse, Aware, Negative, Tiny, Ladder, Normal, Ladder,
	}
}

// A Sample is an input of ordinary numbers, and the target's output.
type Sample struct {
	Kind Kind
	X, Y []float64
	Out  float64

	Elsewhere bool // another lane than the main one was asked
}

// SecondFactors returns random second factors in ±[1/2, 2), nil for sums.
func (in *Inputs) SecondFactors() []float64 {
	if !in.key.Op.Products() {
		return nil
	}
	y := make([]float64, in.n)
	for i := range y {
		y[i] = in.key.DType.Round(1+in.rng.Float64(), fp.NearestEven)
		signs := in.rng.Uint64()
		if signs&1 != 0 {
			y[i] = -y[i]
		}
		if signs&2 != 0 {
			y[i] /= 2
		}
	}
	return y
}

// Sample returns an input of a kind, for given second factors, without an
// output. shape is the tree of kinds that are built from one; it may be nil.
func (in *Inputs) Sample(kind Kind, shape *Shape, y []float64) Sample {
	s, fill := in.Prepare(kind, shape, y)
	fill()
	return s
}

// maxShared is the number of summands beyond which an input has random numbers
// of its own, so that several can be made at once.
const maxShared = 1 << 16

// Prepare is Sample, with X to be filled by fill. The random numbers of a short
// input are drawn at once. Several long inputs may be filled at the same time.
func (in *Inputs) Prepare(kind Kind, shape *Shape, y []float64) (s Sample, fill func()) {
	if in.key.Op.Positive() {
		return in.positive(kind, shape), func() {}
	}
	s = Sample{Kind: kind, X: make([]float64, in.n), Y: y}
	if in.n <= maxShared {
		in.fill(s, shape)
		return s, func() {}
	}
	own := apart(in)
	return s, func() { own.fill(s, shape) }
}

// apart returns inputs with random numbers of their own, which take two numbers
// of in.
func apart(in *Inputs) *Inputs {
	own := *in
	own.rng = rand.New(rand.NewPCG(in.rng.Uint64(), in.rng.Uint64()))
	return &own
}

// fill draws the input of a sample.
func (in *Inputs) fill(s Sample, shape *Shape) {
	kind, x, y := s.Kind, s.X, s.Y
	exp2 := exp2Of(in)
	switch kind {
	case Normal:
		for i := range x {
			x[i] = in.rng.NormFloat64() //lastbit:ignore libm inputs need no last bit
		}
	case Sparse:
		for i := range x {
			if in.rng.IntN(2) == 0 {
				//lastbit:ignore libm inputs need no last bit
				x[i] = in.rng.NormFloat64() * exp2(6*in.rng.Float64())
			}
		}
	case Drift, Negative:
		for i := range x {
			x[i] = exp2(6 * in.rng.Float64())
			if (y != nil && y[i] < 0) != (kind == Negative) {
				x[i] = -x[i]
			}
		}
		bunch(in.key.DType, x, y)
	case Ladder:
		in.ladder(x, y)
		if in.n <= maxBrink {
			brink(in.key, x, y)
		}
	case Wide:
		in.wide(x)
	default:
		limit := math.Ldexp(1, min(12, in.key.DType.Precision()/2))
		shape.aware(x, in.rng, limit)
		in.rescale(kind, x)
	}
	if y != nil && kind.isAware() {
		for i := range x {
			x[i] /= y[i]
		}
	}
	roundAll(in.key.DType, x)
}

// bunch makes of half of the inputs whose summands have one sign one with
// summands in a narrow range. Its random numbers come from the input, so the
// inputs after it are the same without it.
func bunch(f fp.Format, x, y []float64) {
	rng := rand.New(rand.NewPCG(math.Float64bits(x[0]), math.Float64bits(x[len(x)-1])))
	if rng.IntN(2) == 0 {
		return
	}
	size := float64(16 * (1 + rng.Float64()))
	width := math.Ldexp(size, -6-rng.IntN(f.Precision()/2)) // beside values up to 64
	for i, v := range x {
		if x[i] = math.Copysign(size+float64(width*math.Abs(v)), v); y != nil {
			x[i] /= math.Abs(y[i])
		}
	}
}

// roundAll rounds to nearest even.
func roundAll(f fp.Format, x []float64) {
	switch f {
	case fp.Binary64:
	case fp.Binary32:
		for i, v := range x {
			x[i] = float64(float32(v))
		}
	default:
		for i, v := range x {
			x[i] = f.Round(v, fp.NearestEven)
		}
	}
}

// wide fills x with exponents spread over the precision of a float32 or more,
// and at most over 0.8 of the range.
func (in *Inputs) wide(x []float64) {
	f := in.key.DType
	spread := min(float64(max(f.Precision(), 24)), 0.8*float64(f.MaxExp()))
	exp2 := exp2Of(in)
	for i := range x {
		//lastbit:ignore libm inputs need no last bit
		x[i] = in.rng.NormFloat64() * exp2((2*in.rng.Float64()-1)*spread)
	}
}

// maxBrink is the largest n whose ladders mostly become brinks: see brink. In
// longer inputs of other kinds, summands are lost beside partial sums often
// enough.
const maxBrink = 8

// brink turns three ladders in four into brinks, where the input format has
// room. A brink is an input at the edge of rounding: one large summand, and
// others between a quarter and one times half of its last place, in one of the
// formats that sums are held in. One alone is lost, and a few together are not.
// The random numbers come from the ladder, so the inputs after it are the same
// without it.
func brink(k probe.Key, x, y []float64) {
	rng := rand.New(rand.NewPCG(math.Float64bits(x[0]), math.Float64bits(x[len(x)-1])))
	p := 0
	for _, acc := range Accumulators(k) {
		if p == 0 || rng.IntN(2) == 0 {
			p = max(p, acc.Precision())
		}
	}
	low, high := k.DType.MinExp()+p+3, k.DType.MaxExp()-4
	if low > high || rng.IntN(4) == 0 {
		return
	}
	top := low + rng.IntN(high-low+1)
	sign := 1.0
	if rng.IntN(2) == 0 {
		sign = -1
	}
	for i := range x {
		x[i] = sign * math.Ldexp(0.25+float64(0.75*rng.Float64()), top-p)
		if rng.IntN(8) == 0 {
			x[i] = -x[i]
		}
	}
	x[rng.IntN(len(x))*rng.IntN(2)] = sign * math.Ldexp(1, top)
	for i := range x {
		if y != nil {
			x[i] /= y[i]
		}
	}
}

// ladder fills x with two opposite summands of nearly the largest exponent, and
// others that are a random number of binades smaller. Opposite products need
// equal factors, which y may not give: then they cancel except for a few
// places.
func (in *Inputs) ladder(x, y []float64) {
	f := in.key.DType
	top := f.MaxExp() - 4 - bits.Len(uint(len(x)))/2
	below := 8 + in.rng.IntN(max(1, min(top-f.MinExp(), 3*f.Precision()+40)-16))
	var size [8]float64
	for k := range size {
		size[k] = math.Ldexp(1, top-below-k)
	}
	for i := range x {
		x[i] = (1 + in.rng.Float64()) * size[in.rng.IntN(len(size))]
		if in.rng.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	if len(x) < 2 {
		return
	}
	i, j := in.rng.IntN(len(x)), in.rng.IntN(len(x))
	if i == j {
		j = (i + 1) % len(x)
	}
	x[i] = math.Ldexp(1, top)
	x[j] = -x[i]
	if y != nil {
		x[j] = -x[i] * y[i] / y[j]
	}
}

// rescale moves an aware input to the ends of the format. Partial sums of an
// aware input stay below 64 times its largest summand.
func (in *Inputs) rescale(kind Kind, x []float64) {
	if kind == Aware {
		return
	}
	f := in.key.DType
	var top float64
	for _, v := range x {
		top = max(top, math.Abs(v))
	}
	if top == 0 {
		return
	}
	exp := 0
	switch kind {
	case Large:
		exp = f.MaxExp() - 7 - math.Ilogb(top)
	case Small:
		exp = f.MinExp() + f.Precision()/2 - math.Ilogb(top)
	case Tiny:
		exp = f.MinExp() + 2 - math.Ilogb(top)
	}
	scale(x, exp)
}

// scale multiplies x by 2^exp.
func scale(x []float64, exp int) {
	if exp < fp.Binary64.MinExp() || exp > fp.Binary64.MaxExp() {
		for i := range x {
			x[i] = math.Ldexp(x[i], exp)
		}
		return
	}
	factor := math.Ldexp(1, exp)
	for i := range x {
		x[i] *= factor
	}
}
