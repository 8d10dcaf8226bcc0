package exact

import (
	"math/bits"
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// level is the kernels that are used. Bits do not depend on it.
var level = kernel.Best()

// A stream sums the blocks of slices. Each block goes through the folds of
// kernel.Folds, whose checks say whether that was all of it; if not, it is done again
// in another way. Every way is exact: the choice is one of time, never of bits.
//
//  1. two folds (three for products), with an exponent guessed from a few elements,
//     or the one that the last block had;
//  2. the same with the exponent of the block's largest element;
//  3. one fold more;
//  4. element by element: into bins by exponent where there are many, else straight to
//     the limbs. So go NaN, infinities, and what is near the ends of the exponent range.
//
// What the folds give stays in the window as long as the exponent does not change, so
// that many sums never touch the limbs. The zero value is an empty sum.
type stream struct {
	window
	negZero int64
	all     int64
	hint    hint
	slow    *slow // nil until the window does not hold everything
}

// hint is how the last blocks of a stream were summed.
type hint struct {
	more int32 // blocks for which one fold more is tried at once
	skip int32 // blocks for which no fold is tried
	miss int32 // what skip was last
}

// mostSkipped bounds for how many blocks no fold is tried, or one more.
const mostSkipped = 256

// A window is the sum of folds with one set of constants: Σ t[k]·2^(e − 51k − 52).
type window struct {
	set bool
	e   int // exponent of the first constant
	m   [3]float64
	t   [3]int128
}

// The exponents that kernel.Constants takes.
const (
	lowestFold  = -920
	highestFold = 1023
)

// margin is by how much the exponent of the first constant is above that of the
// largest element seen: 2 are needed, the rest is for larger ones to come.
const margin = 8

// foldable is how many binades there are from the first constant to the last unit of
// three folds: numbers that are further apart are in no folds together.
const foldable = 3*kernel.FoldStep + 1

// slow is what a stream needs for blocks that the folds do not take.
type slow struct {
	acc  Accumulator
	bins bins
}

// add adds the summands of o.
func (s *stream) add(o *operand) {
	n := o.len()
	if n <= kernel.MaxFold {
		if n > 0 && !s.fold(o) {
			s.slowly(o, n)
		}
		return
	}
	// Field by field: what part returns would be copied twice, for each block.
	b := operand{op: o.op, single: o.single}
	for i := 0; i < n; i += kernel.MaxFold {
		j := min(i+kernel.MaxFold, n)
		if o.single {
			b.x32 = o.x32[i:j]
			if o.op == products {
				b.y32 = o.y32[i:j]
			}
		} else {
			b.x = o.x[i:j]
			if o.op == products {
				b.y = o.y[i:j]
			}
		}
		if !s.fold(&b) {
			s.slowly(&b, n)
		}
	}
}

// fold adds the block b by folds, or returns false.
func (s *stream) fold(b *operand) bool {
	if s.hint.skip > 0 {
		s.hint.skip--
		return false
	}
	guessed := !s.set
	if guessed {
		most, least := b.extent(1 + b.len()/8)
		if most>>52 > least>>52+foldable || !s.open(most, margin) {
			return s.missed()
		}
	}
	var f kernel.Folds
	folds := s.try(b, &f)
	if !f.InRange() || !f.Exact() && !guessed {
		// The exponent is too small, or was another block's and is too large.
		if most, _ := b.extent(1); !s.open(most, margin) {
			return s.missed()
		}
		folds = s.try(b, &f)
	}
	if !f.Exact() && folds == 2 && f.InRange() && b.foldMore(level, &s.m, &f) {
		folds = 3
		s.hint.more = mostSkipped
	}
	if !f.Exact() {
		return s.missed()
	}
	for k := range folds {
		s.t[k].add(f.T[k])
	}
	s.all += int64(b.len())
	if f.NegativeZero() {
		s.negZero += b.negZeros()
	}
	s.hint.miss = 0
	return true
}

// try puts b through the folds that did last time.
func (s *stream) try(b *operand, f *kernel.Folds) int {
	if s.hint.more > 0 && b.foldMore(level, &s.m, f) {
		s.hint.more--
		return 3
	}
	return b.fold(level, &s.m, f)
}

// missed notes that no fold took a block, so that for a while none is tried.
func (s *stream) missed() bool {
	s.hint.miss = min(4*s.hint.miss+4, mostSkipped)
	s.hint.skip = s.hint.miss
	s.hint.more = 0
	s.close()
	return false
}

// exponent returns the exponent that the constants need for magnitudes whose bits
// are at most most.
func exponent(most uint64, margin int) int {
	return max(int(most>>52)-1023+margin, lowestFold)
}

// open sets the constants for magnitudes of up to most. It returns false if there are
// none, for numbers too large, infinities and NaN.
func (s *stream) open(most uint64, margin int) bool {
	e := exponent(most, margin)
	if e > highestFold {
		e = exponent(most, 2)
	}
	if e > highestFold {
		return false
	}
	if s.set && e == s.e {
		return true
	}
	s.close()
	s.set, s.e, s.m = true, e, kernel.Constants(e)
	return true
}

// close moves what the window holds to the limbs.
func (s *stream) close() {
	if s.set && s.t != [3]int128{} {
		s.closeTo(s.accumulator())
	}
	s.set = false
}

// closeTo moves what the window holds to a.
func (s *stream) closeTo(a *Accumulator) {
	for k := range s.t {
		negative, hi, lo := s.t[k].magnitude()
		a.room()
		a.sum.addWide(negative, hi, lo, s.e-kernel.FoldStep*k-52)
	}
	s.t = [3]int128{}
	s.set = false
}

// leading returns what the window holds as ±(hi·2^64 + lo + s)·2^(e−127), with the top
// bit of hi set and s in (0, 1) if sticky, else 0. Zero has hi = 0.
func (w *window) leading() (negative bool, hi, lo uint64, e int, sticky bool) {
	if w.t[2] == (int128{}) {
		if x, ok := w.t[0].shiftAdd(kernel.FoldStep, w.t[1]); ok {
			negative, hi, lo = x.magnitude()
			e = w.e - kernel.FoldStep - 52 + 127
			if hi == 0 {
				hi, lo, e = lo, 0, e-64
			}
			z := bits.LeadingZeros64(hi)
			return negative, hi<<z | lo>>(64-z), lo << z, e - z, false
		}
	}
	sign := uint64(w.t[0].hi >> 63)
	x := int256{w.t[0].lo, uint64(w.t[0].hi), sign, sign}
	x = x.shiftAdd(kernel.FoldStep, w.t[1])
	x = x.shiftAdd(kernel.FoldStep, w.t[2])
	if negative = int64(x[3]) < 0; negative {
		var b uint64
		for i := range x {
			x[i], b = bits.Sub64(0, x[i], b)
		}
	}
	if x == (int256{}) {
		return false, 0, 0, 0, false
	}
	e = w.e - 2*kernel.FoldStep - 52 + 255
	for x[3] == 0 {
		x = int256{0, x[0], x[1], x[2]}
		e -= 64
	}
	z := bits.LeadingZeros64(x[3])
	hi, lo = x[3]<<z|x[2]>>(64-z), x[2]<<z|x[1]>>(64-z)
	return negative, hi, lo, e - z, x[1]<<z|x[0] != 0
}

// slowly adds the block b, of n summands in all, without folds.
func (s *stream) slowly(b *operand, n int) {
	a := s.accumulator()
	if n < binsPay {
		b.addTo(a)
		return
	}
	s.slow.bins.add(b, a)
}

// accumulator returns where everything goes that the window does not hold.
func (s *stream) accumulator() *Accumulator {
	if s.slow == nil {
		s.slow = slows.Get().(*slow)
	}
	return &s.slow.acc
}

// slows keeps what streams needed once. All of it is zero.
var slows = sync.Pool{New: func() any { return new(slow) }}

// drain adds all of the stream to a, and ends it.
func (s *stream) drain(a *Accumulator) {
	s.closeTo(a)
	a.count.add(counts{all: s.all, negZero: s.negZero})
	if w := s.slow; w != nil {
		w.bins.spill(&w.acc)
		a.Merge(&w.acc)
		w.acc = Accumulator{}
		slows.Put(w)
	}
	*s = stream{hint: s.hint}
}

// sum returns the sum of the stream, rounded, and ends it.
func sum[T Float](s *stream) T {
	if s.slow != nil {
		var a Accumulator
		s.drain(&a)
		return read[T](&a)
	}
	negative, hi, lo, e, sticky := s.window.leading()
	if hi == 0 {
		c := counts{all: s.all, negZero: s.negZero}
		return T(c.zeroSum())
	}
	return rounded[T](negative, hi, e, sticky || lo != 0)
}
