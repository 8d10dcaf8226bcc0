package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestOffset holds the sums of OffsetSums, at every level, against exact ones:
// the error is within the bound, and sums that leave the binade of M are
// reported. Matrices lie beside protected pages, as in TestChain.
func TestOffset(t *testing.T) {
	memory := [3][]byte{pages(t), pages(t), pages(t)}
	for _, level := range Levels() {
		t.Run(fmt.Sprintf("%v/float64", level), func(t *testing.T) {
			testOffset(newChainTest[float64](t, level, memory), NewOffset[float64](level))
		})
		t.Run(fmt.Sprintf("%v/float32", level), func(t *testing.T) {
			testOffset(newChainTest[float32](t, level, memory), NewOffset[float32](level))
		})
	}
}

func testOffset[T float32 | float64](c *chainTest[T], kernels Offset[T]) {
	for trial := range 400 {
		o := &offsetTest[T]{c, kernels, math.Ldexp(1.5, 14), trial%2 == 0}
		if c.rng.IntN(4) == 0 {
			o.m = math.Ldexp(1.5, -1+c.rng.IntN(3)) // sums leave the binade
		}
		o.dots(1+c.rng.IntN(11), c.rng.IntN(40), c.rng.IntN(3))
		o.addRows(1+c.rng.IntN(10), 1+c.rng.IntN(48), c.rng.IntN(3))
	}
	o := &offsetTest[T]{c, kernels, 1.5, true}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 1e300} {
		if s := o.one(T(v), 1); s.StaysInBinade(0) {
			c.Errorf("%v from %v on stays in the binade", v, o.m)
		}
	}
}

// TestOffsetRound holds the rounded sums of every level against exact ones,
// with bounds from far below half a unit to above it.
func TestOffsetRound(t *testing.T) {
	const n, m = 37, 1.5 * (1 << 14)
	unit := m * 0x1p-52 / 1.5
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s, bound := newOffsetSums(n), math.Ldexp(unit, -40-rng.IntN(30))
		for i := range n {
			s.High[i] = math.Float64bits(m) + uint64(rng.Int64N(1<<uint(1+rng.IntN(51))))
			if rng.IntN(2) == 0 {
				s.High[i] = 2*math.Float64bits(m) - s.High[i]
			}
			s.Low[i] = unit * (rng.Float64() - .5)
			if rng.IntN(3) == 0 {
				s.Low[i] = unit * float64(rng.IntN(5)-2) / 4
			}
			if rng.IntN(30) == 0 {
				s.Changes[i] = 1 << (48 + rng.IntN(16))
			}
		}
		for _, level := range Levels() {
			checkOffsetRound(t, level, s, math.Float64bits(m), unit, bound)
		}
	}
}

// checkOffsetRound rounds sums at a level, going on after those that are not
// certain. The certain ones are all numbers that are.
func checkOffsetRound(
	t *testing.T, level Level, s OffsetSums, base uint64, unit, bound float64,
) {
	t.Helper()
	y := make([]float64, len(s.High)+1)
	got := y[:len(s.High)]
	for i := 0; i <= len(got); i++ {
		rest := s.part(i, len(got))
		end := i + NewOffset[float64](level).Round(rest, base, unit, bound, got[i:])
		for ; i < end; i++ {
			low, high := offsetRange(s, i, base, unit, bound)
			if low != high || got[i] != low || !s.StaysInBinade(i) {
				t.Fatalf("%v: sum %d is %v, want %v to %v", level, i, got[i], low, high)
			}
		}
		if i == len(got) {
			break
		}
		low, high := offsetRange(s, i, base, unit, bound*(1+0x1p-10)+math.Abs(s.Low[i])*0x1p-50)
		if low == high && low != 0 && s.StaysInBinade(i) {
			t.Fatalf("%v: sum %d is not certain, and %v", level, i, low)
		}
	}
	if y[len(got)] != 0 {
		t.Fatalf("%v: wrote beyond the sums", level)
	}
}

// offsetRange returns a sum less and more a bound, rounded once.
func offsetRange(s OffsetSums, i int, base uint64, unit, bound float64) (low, high float64) {
	sum := new(big.Float).SetPrec(500).SetInt64(int64(s.High[i] - base))
	sum.Mul(sum, big.NewFloat(unit))
	sum.Add(sum, big.NewFloat(s.Low[i]))
	err := big.NewFloat(bound)
	low, _ = new(big.Float).Sub(sum, err).Float64()
	high, _ = sum.Add(sum, err).Float64()
	return low, high
}

// offsetTest is a trial.
type offsetTest[T float32 | float64] struct {
	*chainTest[T]
	kernels Offset[T]
	m       float64
	isLast  bool
}

// newOffsetSums returns memory for n sums.
func newOffsetSums(n int) OffsetSums {
	return OffsetSums{make([]uint64, n), make([]float64, n), make([]uint64, n)}
}

// factors returns n factors, which are numbers of T, in page 0.
func (o *offsetTest[T]) factors(n int) []float64 {
	page := unsafe.Slice((*float64)(unsafe.Pointer(&o.pages[0][0])),
		len(o.pages[0])*int(unsafe.Sizeof(T(0)))/8)
	x := page[:n]
	if o.isLast {
		x = page[len(page)-n:]
	}
	for i := range x {
		x[i] = float64(T(o.rng.NormFloat64()))
	}
	return x
}

func (o *offsetTest[T]) one(a T, x float64) OffsetSums {
	s := newOffsetSums(1)
	o.kernels.Dots(Operand[T]{&a, 1, 1}, []float64{x}, o.m, s)
	return s
}

// dots tries Dots.
func (o *offsetTest[T]) dots(rows, n, spare int) {
	x, a := o.factors(n), o.matrix(1, rows, n, spare, false, o.isLast)
	s := newOffsetSums(rows)
	o.kernels.Dots(a, x, o.m, s)
	lanes := o.kernels.Lanes()
	for i := range rows {
		o.check("Dots", s, i, lanes, (n+lanes-1)/lanes, n, func(p int) (T, float64) {
			return *a.Element(i, p), x[p]
		})
	}
}

// addRows tries AddRows, in two parts.
func (o *offsetTest[T]) addRows(rows, n, spare int) {
	x, a := o.factors(rows), o.matrix(1, rows, n, spare, false, o.isLast)
	const guard = 3
	whole := newOffsetSums(n + 2*guard)
	for i := range whole.High {
		whole.High[i] = math.Float64bits(o.m)
	}
	s, half := whole.part(guard, guard+n), (rows+1)/2
	o.kernels.SetRows(x[:half], a, o.m, s)
	if half < rows {
		o.kernels.AddRows(x[half:], a.From(half, 0), s)
	}
	for j := range n {
		o.check("AddRows", s, j, 1, rows, rows, func(p int) (T, float64) {
			return *a.Element(p, j), x[p]
		})
	}
	for i := range guard {
		for _, at := range []int{i, guard + n + i} {
			if whole.High[at] != math.Float64bits(o.m) || whole.Low[at] != 0 ||
				whole.Changes[at] != 0 {
				o.Fatalf("AddRows of %d×%d wrote outside of the sums", rows, n)
			}
		}
	}
}

// check compares a sum of count products, at most n in each lane, with the
// exact one.
func (o *offsetTest[T]) check(
	what string, s OffsetSums, i, lanes, n, count int, product func(p int) (T, float64),
) {
	o.Helper()
	sum, size := new(big.Float).SetPrec(500), 0.0
	for p := range count {
		a, x := product(p)
		sum.Add(sum, new(big.Float).SetPrec(200).Mul(big.NewFloat(float64(a)), big.NewFloat(x)))
		size += math.Abs(float64(a) * x)
	}
	if !s.StaysInBinade(i) {
		if size < o.m/4 {
			o.Fatalf("%s: sums of %v leave the binade of %v", what, size, o.m)
		}
		return
	}
	unit := o.m * 0x1p-52 / 1.5
	units := int64(s.High[i] - uint64(lanes)*math.Float64bits(o.m))
	got := new(big.Float).SetPrec(500).SetInt64(units)
	got.Mul(got, big.NewFloat(unit))
	got.Add(got, big.NewFloat(s.Low[i]))
	err, _ := got.Sub(got, sum).Float64()
	if bound := OffsetBound(lanes, n, unit); !(math.Abs(err) <= bound) {
		o.Fatalf("%s of %d products from %v on: the error is %v, the bound %v", what, count, o.m,
			err, bound)
	}
}
