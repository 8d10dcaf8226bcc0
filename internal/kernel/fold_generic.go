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

// store writes r to f.
func store(f *words, r Folds) { *f = *r.words() }

// foldMasked puts the numbers with the bits of x and mask through two folds.
func foldMasked[T float32 | float64](x []T, mask uint64, m *[3]float64, f *words) {
	m1, m2 := m[0], m[1]
	b1, b2 := math.Float64bits(m1), math.Float64bits(m2)
	var t1, t2, rng, rest uint64
	var lowest int64
	for _, v := range x {
		bits := math.Float64bits(float64(v)) & mask
		lowest = min(lowest, int64(bits))
		v := math.Float64frombits(bits)
		a := v + m1
		r := v - (a - m1)
		b := r + m2
		t1 += math.Float64bits(a)
		t2 += math.Float64bits(b)
		rng |= math.Float64bits(a) ^ b1
		rest |= math.Float64bits((b - m2) - r)
	}
	k := uint64(len(x))
	store(f, Folds{
		T:     [3]int64{int64(t1 - k*b1), int64(t2 - k*b2)},
		Range: rng, Inexact: rest, Lowest: uint64(lowest),
	})
}

func foldSum3Float64Generic(p *float64, n int, m *[3]float64, f *words) {
	x := unsafe.Slice(p, n)
	m1, m2, m3 := m[0], m[1], m[2]
	b1, b2, b3 := math.Float64bits(m1), math.Float64bits(m2), math.Float64bits(m3)
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
	k := uint64(len(x))
	store(f, Folds{
		T:     [3]int64{int64(t1 - k*b1), int64(t2 - k*b2), int64(t3 - k*b3)},
		Range: rng, Inexact: rest, Lowest: uint64(lowest),
	})
}

// tinyProduct bounds the products whose error may not be a float64.
const tinyProduct = 0x1p-960

func foldDot3Float64Generic(px, py *float64, n int, m *[3]float64, f *words) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	m1, m2, m3 := m[0], m[1], m[2]
	b1, b2, b3 := math.Float64bits(m1), math.Float64bits(m2), math.Float64bits(m3)
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
	k := uint64(len(x))
	store(f, Folds{
		T:     [3]int64{int64(t1 - k*b1), int64(t2 - 2*k*b2), int64(t3 - k*b3)},
		Range: rng, Inexact: rest, Lowest: uint64(lowest),
	})
}

func foldDot2Float32Generic(px, py *float32, n int, m *[3]float64, f *words) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	m1, m2 := m[0], m[1]
	b1, b2 := math.Float64bits(m1), math.Float64bits(m2)
	var t1, t2, rng, rest uint64
	var lowest int64
	for i, v := range x {
		v := float64(float64(v) * float64(y[i])) // 24 + 24 bits: exact
		lowest = min(lowest, int64(math.Float64bits(v)))
		a := v + m1
		r := v - (a - m1)
		b := r + m2
		t1 += math.Float64bits(a)
		t2 += math.Float64bits(b)
		rng |= math.Float64bits(a) ^ b1
		rest |= math.Float64bits((b - m2) - r)
	}
	k := uint64(len(x))
	store(f, Folds{
		T:     [3]int64{int64(t1 - k*b1), int64(t2 - k*b2)},
		Range: rng, Inexact: rest, Lowest: uint64(lowest),
	})
}
