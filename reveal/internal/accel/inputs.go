package accel

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
)

// maker draws inputs of one format for sums of n products.
type maker struct {
	rng *rand.Rand
	in  fp.Format
	n   int
	low int // exponents of products lie from low to high
	top int
}

// sumLimit bounds the exponents of products, so that no sum overflows.
const sumLimit = 100

func newMaker(rng *rand.Rand, in fp.Format, n int) *maker {
	return &maker{rng: rng, in: in, n: n,
		low: max(2*in.MinExp(), -sumLimit), top: min(2*(in.MaxExp()-1), sumLimit)}
}

// number returns a random value of the format with that exponent, clipped to
// normal numbers.
func (m *maker) number(exp int) float64 {
	exp = max(m.in.MinExp(), min(exp, m.in.MaxExp()-1))
	bits := m.in.Precision() - 1
	v := 1.0
	switch m.rng.IntN(4) {
	case 0: // a power of two
	case 1: // close to two, so that products exceed two
		v = 2 - math.Ldexp(1+float64(m.rng.IntN(2)), -bits)
	default:
		v = 1 + math.Ldexp(float64(m.rng.IntN(1<<bits)), -bits)
	}
	v = math.Ldexp(v, exp)
	if m.rng.IntN(2) == 0 {
		v = -v
	}
	return v
}

// ordinary returns a value of ordinary size, of either sign.
func (m *maker) ordinary() float64 {
	v := m.rng.Float64() + m.rng.Float64() + m.rng.Float64() - 1.5
	return m.in.RoundSaturated(2*v, fp.NearestEven)
}

// second draws second factors, whose exponents leave the products' sum free.
func (m *maker) second() []float64 {
	y := make([]float64, m.n)
	spread := min(m.in.MaxExp()-1, 20)
	for i := range y {
		e := m.rng.IntN(2*spread+1) - spread
		if m.rng.IntN(2) == 0 { // the ends of the range
			e = []int{m.in.MinExp(), m.in.MaxExp() - 1}[m.rng.IntN(2)]
			if e < -50 || e > 50 {
				e = 50 * (1 - 2*m.rng.IntN(2))
			}
		}
		y[i] = m.number(e)
	}
	return y
}

// set gives the product at i an exponent, as far as the factors' ranges allow.
func (m *maker) set(x, y []float64, i, exp int) { x[i] = m.number(exp - m.exponent(y[i])) }

func (m *maker) exponent(v float64) int { return math.Ilogb(v) }

// row draws first factors for second factors y.
func (m *maker) row(y []float64) []float64 {
	x := make([]float64, m.n)
	switch m.rng.IntN(5) {
	case 0:
		m.wide(x, y)
	case 1:
		m.carries(x, y)
	default:
		m.gaps(x, y)
	}
	return x
}

// wide gives every product an exponent at random in a range of random width.
func (m *maker) wide(x, y []float64) {
	width := 1 + m.rng.IntN(60)
	top := m.low + m.rng.IntN(m.top-m.low+1)
	for i := range x {
		m.set(x, y, i, top-m.rng.IntN(width))
	}
}

// window returns places near each other: several of them share a group.
func (m *maker) window() []int {
	size := 2 + m.rng.IntN(min(m.n, 12)-1)
	span := min(m.n, size+m.rng.IntN(1+m.rng.IntN(m.n)))
	from := m.rng.IntN(m.n - span + 1)
	places := m.rng.Perm(span)[:min(size, span)]
	for i := range places {
		places[i] += from
	}
	return places
}

// gaps makes two large products that cancel or nearly do, and smaller ones.
func (m *maker) gaps(x, y []float64) {
	places := m.window()
	top := m.low + m.rng.IntN(m.top-m.low+1)
	if m.rng.IntN(2) == 0 {
		top = m.top
	}
	for _, i := range places {
		m.set(x, y, i, top-m.rng.IntN(50))
	}
	m.oppose(x, y, places[0], places[1], top)
}

// oppose makes the products at i and j large, and opposite where their factors
// can be exchanged.
func (m *maker) oppose(x, y []float64, i, j, exp int) {
	m.set(x, y, i, exp)
	want := -x[i] * y[i] / y[j]
	if v := m.in.Round(want, fp.NearestEven); v == v && !math.IsInf(v, 0) && v != 0 {
		x[j] = v
		if math.Abs(v) < m.in.MinNormal() {
			m.set(x, y, j, exp)
		}
	}
}

// carries makes a large product at one place and its opposite far away, with
// small products at several places.
func (m *maker) carries(x, y []float64) {
	top := m.low + m.rng.IntN(m.top-m.low+1)
	for range 2 + m.rng.IntN(8) {
		m.set(x, y, m.rng.IntN(m.n), top-15-m.rng.IntN(30))
	}
	i := m.rng.IntN(m.n)
	m.oppose(x, y, i, (i+1+m.rng.IntN(max(m.n-1, 1)))%m.n, top)
}

// powers returns powers of two as second factors: middling, large and small
// ones, so that products have a wide range.
func (m *maker) powers() []float64 {
	y := make([]float64, m.n)
	far := min(m.in.MaxExp()-2, 12)
	for i := range y {
		y[i] = math.Ldexp(1, far*(m.rng.IntN(3)-1)+m.rng.IntN(3)-1)
	}
	return y
}

// ties makes a sum of early products of about 24 bits, and late products that
// bring it to a point halfway between two results, or a last bit beside one. y
// holds powers of two.
func (m *maker) ties(y []float64) []float64 {
	x := make([]float64, m.n)
	top := min(2*m.in.MaxExp()-6-m.rng.IntN(8), 30)
	place := func(from, to int, v float64) {
		for range 8 { // places whose y may fit
			i := from + m.rng.IntN(max(to-from, 1))
			w := v / y[i]
			if x[i] == 0 && m.in.Contains(w) && math.Abs(w) >= m.in.MinNormal() {
				x[i] = w
				return
			}
		}
	}
	sign := float64(1 - 2*m.rng.IntN(2))
	late := m.n / 2
	place(0, late, sign*math.Ldexp(1, top))
	if m.rng.IntN(2) == 0 { // just below the next power of two
		place(0, late, sign*math.Ldexp(1-math.Ldexp(1, 1-m.in.Precision()), top))
		place(0, late, sign*math.Ldexp(1, top-21-m.rng.IntN(4)))
	}
	for range 1 + m.rng.IntN(2) {
		place(late, m.n, math.Ldexp(float64(m.rng.IntN(9)-4), top-25+m.rng.IntN(4)-1))
	}
	place(late, m.n, math.Ldexp(float64(1-2*m.rng.IntN(2)), top-26-m.rng.IntN(10)))
	return x
}

// tiny draws factors whose products lie about the smallest binary32. The
// exponents of y are near zero.
func (m *maker) tiny(y []float64) []float64 {
	x := make([]float64, m.n)
	for _, i := range m.window() {
		m.set(x, y, i, -118-m.rng.IntN(34))
	}
	return x
}

// small returns second factors for tiny.
func (m *maker) small() []float64 {
	y := make([]float64, m.n)
	for i := range y {
		y[i] = m.number(-m.rng.IntN(30))
	}
	return y
}

// subnormal replaces some first factors by subnormal numbers.
func (m *maker) subnormal(x []float64) {
	for range 3 {
		i := m.rng.IntN(m.n)
		x[i] = m.in.Smallest() * float64(1+m.rng.IntN(1<<(m.in.Precision()-1)-1))
	}
}
