package kernel

import (
	"math"
	"unsafe"
)

// The portable bodies of the folds. They are compiled everywhere, and tests
// hold the assembly against them. The sums of bits wrap around; subtracting the
// bits of the constants brings them back into range.

func foldSum2Generic[T float32 | float64](x *T, n int, m *[3]float64, f *words) {
	foldMasked(unsafe.Slice(x, n), math.MaxUint64, m, f)
}

func foldAsum2Generic[T float32 | float64](x *T, n int, m *[3]float64, f *words) {
	foldMasked(unsafe.Slice(x, n), math.MaxInt64, m, f)
}

// store writes to f the folds of t, sums of bits. t[i] has the bits of m[i]
// counts[i] times.
func store(f *words, m *[3]float64, counts [3]int, t [3]uint64, rng, rest uint64, lowest int64) {
	r := Folds{Range: rng, Inexact: rest, Lowest: uint64(lowest)}
	for i := range t {
		r.T[i] = int64(t[i] - uint64(counts[i])*math.Float64bits(m[i]))
	}
	*f = *r.words()
}

// splitTwice puts v through two folds. It returns the bits of both sums, and of
// the remainder.
func splitTwice(v, m1, m2 float64) (a, b, rest uint64) {
	first := v + m1
	r := v - (first - m1)
	second := r + m2
	return math.Float64bits(first), math.Float64bits(second), math.Float64bits((second - m2) - r)
}

// foldMasked puts the numbers with the bits of x and mask through two folds.
func foldMasked[T float32 | float64](x []T, mask uint64, m *[3]float64, f *words) {
	m1, m2 := m[0], m[1]
	b1 := math.Float64bits(m1)
	var t1, t2, rng, rest uint64
	var lowest int64
	for _, v := range x {
		bits := math.Float64bits(float64(v)) & mask
		lowest = min(lowest, int64(bits))
		a, b, lost := splitTwice(math.Float64frombits(bits), m1, m2)
		t1 += a
		t2 += b
		rng |= a ^ b1
		rest |= lost
	}
	store(f, m, [3]int{len(x), len(x)}, [3]uint64{t1, t2}, rng, rest, lowest)
}

func foldSum3Float64Generic(p *float64, n int, m *[3]float64, f *words) {
	x := unsafe.Slice(p, n)
	m1, m2, m3 := m[0], m[1], m[2]
	b1 := math.Float64bits(m1)
	var t1, t2, t3, rng, rest uint64
	var lowest int64
	for _, v := range x {
		lowest = min(lowest, int64(math.Float64bits(v)))
		a := v + m1
		r := v - (a - m1)
		b := r + m2
		r -= b - m2
		c := r + m3
		t1 += math.Float64bits(a)
		t2 += math.Float64bits(b)
		t3 += math.Float64bits(c)
		rng |= math.Float64bits(a) ^ b1
		rest |= math.Float64bits((c - m3) - r)
	}
	store(f, m, [3]int{n, n, n}, [3]uint64{t1, t2, t3}, rng, rest, lowest)
}

// tinyProduct bounds the products whose error may not be a float64.
const tinyProduct = 0x1p-960

func foldDot3Float64Generic(px, py *float64, n int, m *[3]float64, f *words) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	m1, m2, m3 := m[0], m[1], m[2]
	b1 := math.Float64bits(m1)
	var t1, t2, t3, rng, rest uint64
	var lowest int64
	for i, v := range x {
		p := float64(v * y[i])
		e := math.FMA(v, y[i], -p)
		if math.Abs(p) < tinyProduct && v != 0 && y[i] != 0 {
			rest = 1
		}
		lowest = min(lowest, int64(math.Float64bits(p)))
		a := p + m1
		r := p - (a - m1)
		b := r + m2
		c := e + m2
		e -= c - m2
		d := e + m3
		t1 += math.Float64bits(a)
		t2 += math.Float64bits(b) + math.Float64bits(c)
		t3 += math.Float64bits(d)
		rng |= math.Float64bits(a) ^ b1
		rest |= math.Float64bits((b-m2)-r) | math.Float64bits((d-m3)-e)
	}
	store(f, m, [3]int{n, 2 * n, n}, [3]uint64{t1, t2, t3}, rng, rest, lowest)
}

func foldDot2Float32Generic(px, py *float32, n int, m *[3]float64, f *words) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	m1, m2 := m[0], m[1]
	b1 := math.Float64bits(m1)
	var t1, t2, rng, rest uint64
	var lowest int64
	for i, v := range x {
		v := float64(float64(v) * float64(y[i])) // 24 + 24 bits: exact
		lowest = min(lowest, int64(math.Float64bits(v)))
		a, b, lost := splitTwice(v, m1, m2)
		t1 += a
		t2 += b
		rng |= a ^ b1
		rest |= lost
	}
	store(f, m, [3]int{n, n}, [3]uint64{t1, t2}, rng, rest, lowest)
}
