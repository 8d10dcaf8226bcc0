package kernel

import "math"

//go:generate sh -c "cd ../_asm && go run ./fold -out ../kernel/foldasm_amd64.s -stubs ../kernel/foldasm_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./foldneon -out ../kernel/foldasm_arm64.s -stubs ../kernel/foldasm_arm64.go"

// MaxFold is the most elements that one call of a fold kernel takes: the sum of
// so many contributions, each from −2^51 to below 2^51, is an int64.
const MaxFold = 4096

// Folds is what a fold kernel finds of a block of values v.
//
// A fold splits each value at a constant M = 1.5·2^e:
//
//	t = RN(v + M)   q = t − M   r = v − q
//
// While t stays in the binade of M, that is −2^(e−1) ≤ v < 2^(e−1), all of it is
// exact (Demmel and Nguyen, Algorithm 2): q is a multiple of ulp(M) = 2^(e−52), and
// bits(t) − bits(M) is q in units of it, so that integers do the adding; the
// residual r is a float64 with |r| ≤ 2^(e−53). It goes to the next fold, whose
// constant is 1.5·2^(e−51). In the last fold v + M has to be exact. So
//
//	Σ v = T₁·ulp(M₁) + T₂·ulp(M₂) + …
//
// exactly, if every t₁ is in the binade of M₁ and every last addition is exact. NaN and
// infinities leave the binade.
//
// A dot product's values are p = RN(x·y) and e = x·y − p. p goes through the folds 1
// and 2, e, which is at most 2^(e−54), through the folds 2 and 3. The error e is a
// float64 itself unless a product is tiny, which counts as inexact.
//
// References: DemmelNguyen2013
type Folds struct {
	T       [3]int64 // of each fold: Σ (bits(t) − bits(M))
	Range   uint64   // or of bits(t₁) xor bits(M₁)
	Inexact uint64   // not 0 if some value was not all in the folds
	Lowest  uint64   // upper 32 bits: the lowest as integers of the values' upper 32 bits, at most 0
}

// outOfRange are the bits of Range that are set when t₁ leaves the binade of M₁.
const outOfRange = 0xfff << 52

// Exact reports whether T is all of the block's sum.
func (f *Folds) Exact() bool { return f.Range&outOfRange|f.Inexact == 0 }

// InRange reports whether every value was small enough for M₁.
func (f *Folds) InRange() bool { return f.Range&outOfRange == 0 }

// NegativeZero reports whether a value may have been −0; if not, none was.
func (f *Folds) NegativeZero() bool { return f.Lowest>>32 == 1<<31 }

// Constants returns the M of three folds, the first with exponent e. It has to be
// a float64's for each of them: −920 ≤ e ≤ 1023.
func Constants(e int) [3]float64 {
	b := uint64(e+1023)<<52 | 1<<51
	return [3]float64{math.Float64frombits(b), math.Float64frombits(b - FoldStep<<52), math.Float64frombits(b - 2*FoldStep<<52)}
}

// FoldStep is how far the exponents of two folds are apart: a residual of the
// one has to be in the range of the next.
const FoldStep = 51

// foldGeneric puts the values whose bits are those of x and mask through two folds.
func foldGeneric[T float32 | float64](x []T, mask uint64, m *[3]float64, f *Folds) {
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
	n := uint64(len(x))
	*f = Folds{T: [3]int64{int64(t1 - n*b1), int64(t2 - n*b2)}, Range: rng, Inexact: rest, Lowest: uint64(lowest)}
}

func foldSum2Generic[T float32 | float64](x []T, m *[3]float64, f *Folds) {
	foldGeneric(x, math.MaxUint64, m, f)
}

func foldAsum2Generic[T float32 | float64](x []T, m *[3]float64, f *Folds) {
	foldGeneric(x, math.MaxInt64, m, f)
}

func foldSum3Generic(x []float64, m *[3]float64, f *Folds) {
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
	n := uint64(len(x))
	*f = Folds{T: [3]int64{int64(t1 - n*b1), int64(t2 - n*b2), int64(t3 - n*b3)}, Range: rng, Inexact: rest, Lowest: uint64(lowest)}
}

// tinyProduct bounds the products whose error may not be a float64.
const tinyProduct = 0x1p-960

func foldDotGeneric(x, y []float64, m *[3]float64, f *Folds) {
	m1, m2, m3 := m[0], m[1], m[2]
	b1, b2, b3 := math.Float64bits(m1), math.Float64bits(m2), math.Float64bits(m3)
	var t1, t2, t3, rng, rest uint64
	var lowest int64
	y = y[:len(x)]
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
	n := uint64(len(x))
	*f = Folds{T: [3]int64{int64(t1 - n*b1), int64(t2 - 2*n*b2), int64(t3 - n*b3)}, Range: rng, Inexact: rest, Lowest: uint64(lowest)}
}

func foldDot2F32Generic(x, y []float32, m *[3]float64, f *Folds) {
	m1, m2 := m[0], m[1]
	b1, b2 := math.Float64bits(m1), math.Float64bits(m2)
	var t1, t2, rng, rest uint64
	var lowest int64
	y = y[:len(x)]
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
	n := uint64(len(x))
	*f = Folds{T: [3]int64{int64(t1 - n*b1), int64(t2 - n*b2)}, Range: rng, Inexact: rest, Lowest: uint64(lowest)}
}
