package kernel

import (
	"math"
	"unsafe"
)

//go:generate sh -c "cd ../_asm && go run ./foldamd64 -out ../kernel/fold_amd64.s -stubs ../kernel/fold_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./foldarm64 -out ../kernel/fold_arm64.s -stubs ../kernel/fold_arm64.go"

// MaxFold bounds the elements of one call of a fold kernel. The sum of 4096
// contributions, each from −2^51 to below 2^51, is an int64.
const MaxFold = 4096

// Folds is the result of a fold kernel for a block of summands v.
//
// A fold splits each summand at a constant M = 1.5·2^e:
//
//	t = RN(v + M)   q = t − M   r = v − q
//
// While t stays in the binade of M, that is for −2^(e−1) ≤ v < 2^(e−1), all of
// this is exact (Algorithm 2 of Demmel and Nguyen): q is a multiple of
// ulp(M) = 2^(e−52), bits(t) − bits(M) is q in units of it, so that integers
// can add the q, and the residual r is a float64 with |r| ≤ 2^(e−53). It goes
// to the next fold, whose constant is 1.5·2^(e−51). In the last fold v + M must
// be exact. Then
//
//	Σ v = T₁·ulp(M₁) + T₂·ulp(M₂) + …
//
// exactly, if every t₁ is in the binade of M₁ and every last addition is exact.
// NaN and infinities leave the binade.
//
// The summands of a dot product are p = RN(x·y) and e = x·y − p. p goes through
// folds 1 and 2; e, at most 2^(e−54), goes through folds 2 and 3. The error e
// is a float64 itself unless the product is tiny, which counts as inexact.
//
// Assembly writes the fields at fixed offsets: gen/fold.go of internal/_asm
// mirrors them, and a test compares.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
type Folds struct {
	T       [3]int64 // of each fold: Σ (bits(t) − bits(M))
	Range   uint64   // or of bits(t₁) xor bits(M₁)
	Inexact uint64   // not 0 if some summand was not all in the folds

	// Lowest has in its upper 32 bits the lowest of the summands' upper 32
	// bits, as signed integers, and at most 0.
	Lowest uint64
}

// words is Folds as assembly sees it.
type words = [6]uint64

func (f *Folds) words() *words { return (*words)(unsafe.Pointer(f)) }

// outOfRange are the bits of Range that are set when t₁ leaves the binade of
// M₁.
const outOfRange = 0xfff << 52

// Exact reports whether T is all of the block's sum.
func (f *Folds) Exact() bool { return f.Range&outOfRange|f.Inexact == 0 }

// InRange reports whether every summand was small enough for M₁.
func (f *Folds) InRange() bool { return f.Range&outOfRange == 0 }

// NegativeZero reports whether a summand may have been −0. If not, none was.
func (f *Folds) NegativeZero() bool { return f.Lowest>>32 == 1<<31 }

// FoldStep is the distance between the exponents of two folds: a residual of
// the one must be in the range of the next.
const FoldStep = 51

// Constants returns the M of three folds, the first with exponent e. Each must
// be a float64: −920 ≤ e ≤ 1023.
func Constants(e int) [3]float64 {
	b := uint64(e+1023)<<52 | 1<<51
	const step = FoldStep << 52
	return [3]float64{
		math.Float64frombits(b),
		math.Float64frombits(b - step),
		math.Float64frombits(b - 2*step),
	}
}

// FoldSum2 puts x, at most MaxFold elements, through two folds.
func (l Level) FoldSum2(x []float64, m *[3]float64, f *Folds) {
	fold1(l.bodies().foldSum2Float64, x, m, f)
}

// FoldSum3 puts x through three folds.
func (l Level) FoldSum3(x []float64, m *[3]float64, f *Folds) {
	fold1(l.bodies().foldSum3Float64, x, m, f)
}

// FoldAsum2 puts |x| through two folds.
func (l Level) FoldAsum2(x []float64, m *[3]float64, f *Folds) {
	fold1(l.bodies().foldAsum2Float64, x, m, f)
}

// FoldSum2F32 puts x through two folds.
func (l Level) FoldSum2F32(x []float32, m *[3]float64, f *Folds) {
	fold1(l.bodies().foldSum2Float32, x, m, f)
}

// FoldAsum2F32 puts |x| through two folds.
func (l Level) FoldAsum2F32(x []float32, m *[3]float64, f *Folds) {
	fold1(l.bodies().foldAsum2Float32, x, m, f)
}

// FoldDot puts the products x[i]·y[i] and their errors through three folds. y
// is as long as x or longer.
func (l Level) FoldDot(x, y []float64, m *[3]float64, f *Folds) {
	fold2(l.bodies().foldDot3Float64, x, y, m, f)
}

// FoldDot2F32 puts the products x[i]·y[i] through two folds. y is as long as x
// or longer.
func (l Level) FoldDot2F32(x, y []float32, m *[3]float64, f *Folds) {
	fold2(l.bodies().foldDot2Float32, x, y, m, f)
}

// fold1 calls the body of a kernel of one slice.
func fold1[T float32 | float64](body fold[T], x []T, m *[3]float64, f *Folds) {
	body(data(x), len(x), hidden(m), hidden(f.words()))
}

// fold2 calls the body of a kernel of two slices.
func fold2[T float32 | float64](body foldDot[T], x, y []T, m *[3]float64, f *Folds) {
	y = y[:len(x)]
	body(data(x), data(y), len(x), hidden(m), hidden(f.words()))
}
