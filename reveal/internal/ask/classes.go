package ask

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// A class of values is a spread of sizes and a pattern of signs that random
// inputs seldom have as a whole: all positive, ascending, equal, one subnormal
// among ordinary numbers. An order that such a class changes shows on it only.

// Class returns the k-th of a sequence of inputs of classes of values, with
// second factors of powers of two. Every second input has random signs, and the
// first two summands and another one have each pattern of signs and each order
// of sizes in turn: the other is the third, or the last. The input is finite,
// and no sum of its summands overflows the input format.
func (in *Inputs) Class(k int) Sample {
	s, fill := PrepareClass(in, k)
	fill()
	return s
}

// PrepareClass is Class, with X and Y to be filled by fill. As with Prepare,
// several long inputs may be filled at the same time.
func PrepareClass(in *Inputs, k int) (s Sample, fill func()) {
	s = Sample{Kind: Edge, X: make([]float64, in.n)}
	if in.key.Op.Products() {
		s.Y = Ones(in.n)
	}
	if in.n <= maxShared {
		fillClass(in, s, k)
		return s, func() {}
	}
	own := apart(in)
	return s, func() { fillClass(own, s, k) }
}

// fillClass draws the k-th input of a class.
func fillClass(in *Inputs, s Sample, k int) {
	at := newClass(k)
	for i := range s.Y {
		if k%4 > 1 {
			s.Y[i] = math.Ldexp(1, in.rng.IntN(7)-3)
		}
		if k%3 > 0 && in.rng.IntN(2) == 0 {
			s.Y[i] = -s.Y[i]
		}
	}
	sizings()[at.sizing](in, s.X)
	exp := classExponent(in, at.sizing) + vary(in.key, at.sizing, s.X)
	third := Third(k, in.n)
	if in.n > 2 && !at.isOrdered() {
		permute(s.X, third, at.order)
	}
	sign(in, s.X, at, third)
	scale(s.X, exp)
	roundAll(in.key.DType, s.X)
	for i, y := range s.Y {
		v := s.X[i]
		if s.X[i] = v / y; !in.key.DType.Contains(s.X[i]) {
			s.X[i], s.Y[i] = v, 1
		}
	}
}

// class describes an input of Class.
type class struct {
	sizing int
	fixed  int  // the pattern of signs; −1 where they are random
	signs  int  // of three summands, where others are random
	order  int  // the order of sizes of three summands
	early  bool // they are the first three
}

// newClass returns the k-th class. Classes of fixed signs, the even ones, meet
// every sizing, in an order that has each kind of sizing early.
func newClass(k int) class {
	half := k / 2
	if k%2 == 0 {
		return class{sizing: (5*half + half/48) % len(sizings()), fixed: half % 6,
			order: half % 6}
	}
	return class{sizing: (half + half/8) % freeSizes, fixed: -1, signs: half % 8,
		order: half / 8 % 6, early: (half/8+half/48)%2 == 0}
}

// Third returns the summand of n that the k-th class orders beside the first
// two.
func Third(k, n int) int {
	if newClass(k).early {
		return min(2, n-1)
	}
	return n - 1
}

// isOrdered reports whether the places of the sizes belong to the class.
func (c class) isOrdered() bool {
	return c.sizing == ascending || c.sizing == descending || c.sizing == paired
}

// KeepsClass reports whether the last places of the summands of the k-th class
// may be changed: it has sizes that are drawn freely.
func KeepsClass(k int) bool { return newClass(k).sizing < freeSizes }

// A sizing fills x with magnitudes of about 1.
type sizing func(in *Inputs, x []float64)

// freeSizes is the number of sizings, the first ones, that KeepsClass.
const freeSizes = 6

// The sizings that have an order, that lie at an end of the format, or anywhere
// in it, by their place in sizings.
const (
	ascending  = 6
	descending = 7
	paired     = 11
	topmost    = 12
	anywhere   = 13
	least      = 14
	tiniest    = 15
)

// sizings returns the spreads of sizes.
func sizings() []sizing {
	return []sizing{
		narrow, spread, gapped, moderate, oneHuge, oneTiny,
		sorted(false), sorted(true), integers, fewValues, someZeros, neighbours,
		narrow, moderate, moderate, wholes,
	}
}

// classExponent returns the exponent that the sizes of a class are scaled by.
func classExponent(in *Inputs, sizing int) int {
	f, out := in.key.DType, in.key.Out
	low, high := f.MinExp(), min(f.MaxExp(), out.MaxExp())-bits.Len(uint(in.n))-1
	deep := low - f.Precision() + 2
	if in.key.Op.Squares() { // of the roots
		high = (high - 1) / 2
		deep = max(low, (out.MinExp()-max(out.Precision(), fp.Binary32.Precision()))/2+3)
		low = max(low, out.MinExp()/2)
	}
	if in.key.Op.Products() { // second factors are 2^-3 to 2^3
		low, high = low+3, high-3
	}
	switch sizing {
	case topmost:
		return high
	case anywhere:
		return low + in.rng.IntN(max(1, high-3-low))
	case least:
		return low
	case tiniest:
		return deep
	}
	if f == fp.Binary16 {
		return min(4, high)
	}
	return 0
}

// maxMoved bounds the binades that a class is moved by.
const maxMoved = 40

// vary makes the values of a class narrower, where they are of one binade, and
// returns a number of binades to move them by, since an order may depend on a
// range and on a threshold that is not 1. Half of the classes stay as they are.
// The random numbers come from the values, so those after it are the same
// without it.
func vary(k probe.Key, sizing int, x []float64) (moved int) {
	rng := rand.New(rand.NewPCG(math.Float64bits(x[0]), math.Float64bits(x[len(x)-1])))
	if sizing >= freeSizes && sizing != ascending && sizing != descending && sizing != paired ||
		rng.IntN(2) == 0 {
		return 0
	}
	if sizing == 0 {
		width := math.Ldexp(1, -rng.IntN(k.DType.Precision()/2))
		for i, v := range x {
			x[i] = 1 + float64((v-1)*width)
		}
	}
	if k.DType == fp.Binary16 {
		return 0
	}
	most := maxMoved
	if k.Op.Squares() {
		most /= 2
	}
	if rng.IntN(2) == 0 {
		most /= 2
	}
	return rng.IntN(2*most+1) - most
}

// narrow fills x with values of one binade.
func narrow(in *Inputs, x []float64) {
	for i := range x {
		x[i] = 1 + in.rng.Float64()
	}
}

// moderate fills x with values of six binades.
func moderate(in *Inputs, x []float64) {
	exp2 := exp2Of(in)
	for i := range x {
		x[i] = exp2(float64(6*in.rng.Float64()) - 3)
	}
}

// spread fills x with exponents spread over half of the precision, or, of short
// formats, of a float32.
func spread(in *Inputs, x []float64) {
	p, exp2 := float64(spreadBits(in)), exp2Of(in)
	for i := range x {
		x[i] = exp2(p * (in.rng.Float64() - 0.5))
	}
}

// spreadBits returns the precision that sums of the inputs may have.
func spreadBits(in *Inputs) int {
	p := max(in.key.DType.Precision(), fp.Binary32.Precision())
	if in.key.DType == fp.Binary16 {
		return p / 2
	}
	return p
}

// gapped fills x with values of two sizes, a random number of binades apart.
func gapped(in *Inputs, x []float64) {
	sizes := [2]float64{1, math.Ldexp(1, -2-in.rng.IntN(spreadBits(in)))}
	for i := range x {
		x[i] = (1 + in.rng.Float64()) * sizes[in.rng.IntN(2)]
	}
}

// oneHuge fills x with small values and one that takes most of their last
// places, or all.
func oneHuge(in *Inputs, x []float64) {
	at, gap := in.rng.IntN(len(x)), spreadBits(in)/2
	sizes := make([]float64, 1+gap)
	for k := range sizes {
		sizes[k] = math.Ldexp(1, -gap-k)
	}
	for i := range x {
		x[i] = (1 + in.rng.Float64()) * sizes[in.rng.IntN(len(sizes))]
	}
	x[at*in.rng.IntN(2)] = 1
}

// oneTiny fills x with values of moderate size and one or two subnormals.
func oneTiny(in *Inputs, x []float64) {
	moderate(in, x)
	f := in.key.DType
	for range 1 + in.rng.IntN(2) {
		x[in.rng.IntN(len(x))] = math.Ldexp(float64(1+in.rng.IntN(7)), f.MinExp()-f.Precision()+1)
	}
}

// sorted returns a sizing in ascending or descending order.
func sorted(descending bool) sizing {
	return func(in *Inputs, x []float64) {
		spread(in, x)
		slices.Sort(x)
		if descending {
			slices.Reverse(x)
		}
	}
}

// integers fills x with small whole numbers times a fraction of few bits.
func integers(in *Inputs, x []float64) {
	unit := 1.0
	if in.rng.IntN(2) == 0 { // their sums are rounded
		unit = 1 + in.key.DType.ULP(1)
	}
	for i := range x {
		x[i] = float64(1+in.rng.IntN(15)) * unit
	}
}

// wholes is integers or, for squares, moderate: their products are rounded.
func wholes(in *Inputs, x []float64) {
	if in.key.Op.Squares() {
		moderate(in, x)
		return
	}
	integers(in, x)
}

// fewValues fills x with three values, each many times.
func fewValues(in *Inputs, x []float64) {
	var few [3]float64
	spread(in, few[:])
	for i := range x {
		x[i] = few[in.rng.IntN(len(few))]
	}
}

// someZeros fills x with values of moderate size and up to half zeros, at least
// one.
func someZeros(in *Inputs, x []float64) {
	moderate(in, x)
	if part := 2 + in.rng.IntN(6); len(x) > 1 {
		for i := range x {
			if in.rng.IntN(part) == 0 {
				x[i] = 0
			}
		}
		x[in.rng.IntN(len(x))] = 0
	}
}

// neighbours fills x with pairs of equal values, which cancel where signs
// alternate; the first value may have no partner.
func neighbours(in *Inputs, x []float64) {
	spread(in, x)
	for i := 1 + in.rng.IntN(2); i < len(x); i += 2 {
		x[i] = x[i-1]
	}
}

// permute gives the first two summands and another one an order of sizes.
func permute(x []float64, third, order int) {
	at := []int{0, 1, third}
	v := []float64{x[0], x[1], x[third]}
	slices.Sort(v)
	orders := [6][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}}
	for k, i := range at {
		x[i] = v[orders[order][k]]
	}
}

// sign gives x the signs of a class. The fixed patterns are all positive, all
// negative, alternating, in two halves, one negative, and one positive.
func sign(in *Inputs, x []float64, c class, third int) {
	one, flip := in.rng.IntN(len(x)), in.rng.IntN(2)
	for i := range x {
		negative := in.rng.IntN(2) == 0
		switch c.fixed {
		case -1:
			if i < 2 || i == third {
				negative = c.signs>>min(i, 2)&1 == 1
			}
		case 0, 1:
			negative = c.fixed == 1
		case 2:
			negative = i%2 == flip
		case 3:
			negative = (i < len(x)/2) == (flip == 0)
		default:
			negative = (i == one) == (c.fixed == 4)
		}
		if negative {
			x[i] = -x[i]
		}
	}
}
