package main

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/internal/mpfr"
)

// A sweep tries every argument of large parts of a binade.
//
// It takes lines: runs of N = 2^n successive arguments on which the function is
// a chord plus a parabola below 8/N of half an ulp. Of the chord, which is
// a + b·i modulo half an ulp, the lattice finds the arguments close to 0, eight
// of a line at most on average. The parabola rejects nearly all of these, and
// MPFR confirms the others (LefevreMuller2001).
//
// The ends of the lines follow by a table of differences: on a block of up to
// 2^16 lines the function is a polynomial of degree 5 to far more than the bits
// that matter. An argument at the end of the block confirms that. A block of
// another shape is divided into halves.
type sweep struct {
	f         func(float64) (mpfr.Digits, bool)
	tolerance func() float64 // in units of 2^-64 of half an ulp
	found     func(x float64, d mpfr.Digits)
	work      int     // in lines
	tried     float64 // arguments
	limit     float64 // the current tolerance
	lattice   lattice // of the last line
	list      []uint64
}

const (
	maxLines   = 1 << 16 // of a block
	maxLine    = 1 << 28 // arguments of a line
	leastBlock = 1 << 10 // smaller ones, where a result's exponent changes, are left out
	callWork   = 128     // the lines that take as long as a call of MPFR
	maxHits    = 1 << 10 // of a line; beyond, the function is next to a constant
	degree     = 5       // of the polynomial of a block
)

// block tries the 2^level arguments from x on, all in one binade.
func (s *sweep) block(x float64, level int) {
	if s.polynomial(x, level) {
		return
	}
	half := uint64(1) << (level - 1)
	_, first := s.at(x, 0)
	_, last := s.at(x, 2*half-1)
	if half >= leastBlock && (first || last) { // else the function is not defined there
		s.block(x, level-1)
		s.block(next(x, half), level-1)
	}
}

// polynomial does the same, if it is one block.
func (s *sweep) polynomial(x float64, level int) bool {
	size := uint64(1) << level
	n, ok := s.line(x, level)
	lines := size >> n
	if !ok || lines > maxLines {
		return false
	}
	var table [degree + 1]fixed // differences of rising order
	for k := range table {
		if table[k], ok = s.at(x, uint64(k)<<n); !ok {
			return false
		}
	}
	for order := 1; order < len(table); order++ {
		for k := len(table) - 1; k >= order; k-- {
			table[k] = table[k].sub(table[k-1])
		}
	}
	last, ok := s.at(x, (lines-1)<<n)
	// 2^-44 of half an ulp
	if !ok || math.Abs(last.sub(extrapolate(table, lines-1)).float()) > 1<<20 {
		return false
	}
	s.limit = s.tolerance()
	for j := range lines {
		s.tryLine(next(x, j<<n), n, &table)
		for k := range len(table) - 1 {
			table[k] = table[k].add(table[k+1])
		}
	}
	return true
}

// at returns the result of the i-th argument from x on.
func (s *sweep) at(x float64, i uint64) (fixed, bool) {
	s.work += callWork
	d, ok := s.f(next(x, i))
	return halves(d), ok
}

// line returns log2 of the number of arguments of a line; false if the results
// of a block have different exponents.
func (s *sweep) line(x float64, level int) (n int, ok bool) {
	half := uint64(1)<<(level-1) - 1
	var y [3]mpfr.Digits
	s.work += callWork
	for k := range y {
		if y[k], ok = s.f(next(x, uint64(k)*half)); !ok || y[k].Exp != y[0].Exp {
			return 0, false
		}
	}
	first, last := halves(y[1]).sub(halves(y[0])), halves(y[2]).sub(halves(y[1]))
	// The second difference is 2c·half². A chord is off by at most c·N²/4.
	c := math.Abs(last.sub(first).float()) * 0x1p-65 / (float64(half) * float64(half))
	n = bits.Len(maxLine) - 1
	for n > 1 && (n > level-3 || c*math.Ldexp(1, 3*n) > 32) {
		n--
	}
	return n, true
}

// extrapolate returns the value of a polynomial at t < maxLines, from its
// differences at 0.
func extrapolate(table [degree + 1]fixed, t uint64) (z fixed) {
	binomial := uint64(1)
	for k, d := range table[:degree] {
		z = z.add(d.times(binomial))
		if k < degree-1 {
			binomial = binomial * (t - uint64(k)) / uint64(k+1) // below 2^62 before the division
		}
	}
	// The last has more than 64 bits. 5 divides one of its factors.
	rest := t - (degree - 1)
	if rest%degree == 0 {
		rest /= degree
	} else {
		binomial /= degree
	}
	return z.add(table[degree].times(binomial).times(rest))
}

// tryLine tries 2^n arguments from x on.
func (s *sweep) tryLine(x float64, n int, table *[degree + 1]fixed) {
	size := uint64(1) << n
	s.work++
	s.tried += float64(size)
	a, b := table[0].high, table[1].part(n)
	second := table[2].float()
	third := math.Abs(table[3].float())
	// The chord's truncation, the polynomial's error, and the third difference.
	slack := float64(size) + 1<<21 + float64(third/8)
	tolerance := s.limit + slack
	// The parabola is second·t(t-1)/2, of the opposite sign of second.
	bow := float64(math.Abs(second)/8*(1+0x1p-40)) + slack
	//lastbit:ignore floatconv a tolerance below 2^63
	below, above := uint64(tolerance), uint64(tolerance)
	if second > 0 {
		above += uint64(bow)
	} else {
		below += uint64(bow)
	}
	s.list = s.lattice.hits(s.list[:0], a, b, below, above, size)
	for _, i := range s.list {
		t := float64(i) / float64(size)
		rest := int64(a + b*i + uint64(int64(second*t*(t-1)/2)))
		if math.Abs(float64(rest)) > tolerance {
			continue
		}
		s.work += callWork
		if d, ok := s.f(next(x, i)); ok {
			s.found(next(x, i), d)
			s.limit = s.tolerance()
		}
	}
}
