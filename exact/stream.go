package exact

import (
	"math/bits"
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// level selects the bodies of the kernels. Bits do not depend on it.
var level = kernel.Best()

// A stream sums slices in blocks of kernel.MaxFold. A block goes through the
// folds of package kernel, whose flags prove afterwards whether they took all
// of it; if not, the block is summed again in the next way. Every way is exact:
// the choice changes time, never bits.
//
//  1. Two folds (three for products of float64), with the exponent of the block
//     before, or one guessed from a few elements.
//  2. The same, with the exponent of the block's largest element.
//  3. One more fold.
//  4. Element by element: into bins by exponent if there are many elements,
//     otherwise to the limbs. NaN, infinities and numbers near the ends of the
//     exponent range go this way.
//
// The results of the folds stay in the window while the exponent does not
// change, so that most sums never touch the limbs. The zero value is an empty
// sum. The folds are the extraction of Demmel and Nguyen with integer sums in
// place of floating-point ones: no carry and no bound on the number of summands
// is needed.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
type stream struct {
	window
	negZero int64
	all     int64
	hint    hint
	slow    *slow // nil as long as the window holds everything
}

// hint holds the experience with the last blocks of a stream, for the next
// ones.
type hint struct {
	more int16 // blocks left that try one more fold at once
	skip int16 // blocks left that try no fold
	miss int16 // the last value that skip was set to
}

// maxSkipped bounds the blocks that try no fold, or one more at once.
const maxSkipped = 256

// A window is the sum of folds with one set of constants: Σ t[k]·2^(e − 51k −
// 52).
type window struct {
	set bool
	e   int // exponent of the first constant
	m   [3]float64
	t   [3]int128
}

// The range of exponents that kernel.Constants takes.
const (
	minFold = -920
	maxFold = 1023
)

// margin is how far the first constant's exponent is above the exponent of the
// largest element seen: 2 are needed, the rest makes room for larger elements
// to come.
const margin = 8

// foldable is the number of binades from the first constant to the last unit of
// three folds. Numbers that are further apart never fit into the same folds.
const foldable = 3*kernel.FoldStep + 1

// slow holds the sums of blocks that the folds do not take.
type slow struct {
	acc  long
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
	// Field by field: the result of part would be copied twice for each block.
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
		// The exponent is too small, or comes from another block and is too
		// large.
		if most, _ := b.extent(1); !s.open(most, margin) {
			return s.missed()
		}
		folds = s.try(b, &f)
	}
	if !f.Exact() && folds == 2 && f.InRange() && b.foldMore(level, &s.m, &f) {
		folds = 3
		s.hint.more = maxSkipped
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

// try puts b through as many folds as sufficed last time.
func (s *stream) try(b *operand, f *kernel.Folds) int {
	if s.hint.more > 0 && b.foldMore(level, &s.m, f) {
		s.hint.more--
		return 3
	}
	return b.fold(level, &s.m, f)
}

// missed records that no fold took a block, so that none is tried for a while.
func (s *stream) missed() bool {
	s.hint.miss = min(4*s.hint.miss+4, maxSkipped)
	s.hint.skip = s.hint.miss
	s.hint.more = 0
	s.close()
	return false
}

// exponent returns the exponent of the constants for magnitudes whose bits are
// at most largest.
func exponent(largest uint64, margin int) int {
	return max(int(largest>>52)-1023+margin, minFold)
}

// open sets the constants for magnitudes up to largest. It returns false if
// there are none: for numbers that are too large, infinities and NaN.
func (s *stream) open(largest uint64, margin int) bool {
	e := exponent(largest, margin)
	if e > maxFold {
		e = exponent(largest, 2)
	}
	if e > maxFold {
		return false
	}
	if s.set && e == s.e {
		return true
	}
	s.close()
	s.set, s.e, s.m = true, e, kernel.Constants(e)
	return true
}

// close moves the sum in the window to the limbs.
func (s *stream) close() {
	if s.set && s.t != [3]int128{} {
		s.closeTo(s.long())
	}
	s.set = false
}

// closeTo moves the sum in the window to a.
func (s *stream) closeTo(a *long) {
	for k := range s.t {
		negative, hi, lo := s.t[k].magnitude()
		a.addWide(negative, hi, lo, s.e-kernel.FoldStep*k-52)
	}
	s.t = [3]int128{}
	s.set = false
}

// leading returns the sum in the window as ±(hi·2^64 + lo + s)·2^(e−127), with
// the top bit of hi set, and s in (0, 1) if sticky, otherwise 0. Zero has hi =
// 0.
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

// slowly adds the block b without folds. The whole slice has n summands.
func (s *stream) slowly(b *operand, n int) {
	a := s.long()
	if n < minBins {
		b.addTo(a)
		return
	}
	s.slow.bins.add(b, a)
}

// long returns the sum of everything outside the window.
func (s *stream) long() *long {
	if s.slow == nil {
		s.slow = slows.Get().(*slow)
	}
	return &s.slow.acc
}

// slows holds memory of former streams, all of it zero.
var slows = sync.Pool{New: func() any { return new(slow) }}

// drain adds the sum of the stream to a, and ends the stream.
func (s *stream) drain(a *long) {
	s.closeTo(a)
	a.count.add(counts{all: s.all, negZero: s.negZero})
	if w := s.slow; w != nil {
		w.bins.spill(&w.acc)
		w.acc.carry()
		a.merge(&w.acc)
		w.acc = long{}
		slows.Put(w)
	}
	*s = stream{hint: s.hint}
}

// drainTo is drain to an Accumulator.
func (s *stream) drainTo(a *Accumulator) {
	a.all += s.all
	a.negZero += s.negZero
	if w := s.slow; w != nil {
		s.close()
		w.bins.spill(&w.acc)
		a.mergeLong(&w.acc)
		w.acc = long{}
		slows.Put(w)
	} else {
		for k := range s.t {
			negative, hi, lo := s.t[k].magnitude()
			a.addWide(negative, hi, lo, s.e-kernel.FoldStep*k-52)
		}
	}
	*s = stream{hint: s.hint}
}

// sum returns the sum of the stream, rounded once, and ends the stream.
func sum[T Float](s *stream) T {
	if s.slow != nil {
		var a long
		s.drain(&a)
		return readLong[T](&a)
	}
	negative, hi, lo, e, sticky := s.window.leading()
	if hi == 0 {
		c := counts{all: s.all, negZero: s.negZero}
		return T(c.zeroSum())
	}
	return rounded[T](negative, hi, e, sticky || lo != 0)
}
