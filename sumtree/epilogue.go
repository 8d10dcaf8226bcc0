package sumtree

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lastbit/lastbit/fp"
)

// Epilogue is the function that an implementation applies to the sum of its
// summands. The zero value is none: the result is the sum itself.
type Epilogue struct {
	Kind    EpilogueKind `json:"kind"`
	Format  fp.Format    `json:"format"` // of the sum and of every operation on it
	Inverse Inverse      `json:"inverse,omitempty"`
	Eps     float64      `json:"eps,omitempty"`   // added to the mean square, for RMS
	Times   bool         `json:"times,omitempty"` // the mean is s·(1/n) instead of s/n, for RMS
}

// EpilogueKind names the function of an Epilogue. s is the sum, n the number of
// summands.
type EpilogueKind string

// The functions.
const (
	Root    EpilogueKind = "root"    // √s
	RMS     EpilogueKind = "rms"     // x/√(s/n + eps), x being the input of largest magnitude
	Softmax EpilogueKind = "softmax" // x/s, x being the smallest summand that is not zero
)

// Inverse names the operations that divide x by d, or by √v.
type Inverse string

// The ways to divide.
const (
	Divides    Inverse = "divides"    // x/d, where d may be √v rounded
	Reciprocal Inverse = "reciprocal" // x·(1/d), three roundings where d is √v
	Rsqrt      Inverse = "rsqrt"      // x·(1/√v) with 1/√v rounded once
)

// String returns the function as a formula: s is the sum, n the number of
// summands, x the input or summand that the result belongs to.
func (e Epilogue) String() string {
	mean := "s/n"
	if e.Times {
		mean = "s·(1/n)"
	}
	if e.Eps != 0 {
		mean += fmt.Sprintf(" + %.3g", e.Eps)
	}
	formulas := map[EpilogueKind]map[Inverse]string{
		Root:    {"": "√s"},
		RMS:     {Divides: "x/√(%s)", Reciprocal: "x·(1/√(%s))", Rsqrt: "x·rsqrt(%s)"},
		Softmax: {Divides: "x/s", Reciprocal: "x·(1/s)"},
	}
	f := formulas[e.Kind][e.Inverse]
	if e.Kind == RMS {
		f = fmt.Sprintf(f, mean)
	}
	return f + " in " + e.Format.String()
}

// apply returns the result of a sum s of the summands or factors x.
func (e Epilogue) apply(s float64, x []float64) float64 {
	f := e.Format
	s = f.Round(s, fp.NearestEven)
	switch e.Kind {
	case Root:
		return root(f, s)
	case RMS:
		return e.norm(mean(f, s, len(x), e.Times), largest(x))
	case Softmax:
		return e.divide(smallest(x), s)
	}
	return s
}

// norm returns x/√(v + eps).
func (e Epilogue) norm(v, x float64) float64 {
	f := e.Format
	v = f.Add(v, f.Round(e.Eps, fp.NearestEven), fp.NearestEven)
	if e.Inverse == Rsqrt {
		return f.Mul(x, rsqrt(f, v), fp.NearestEven)
	}
	return e.divide(x, root(f, v))
}

// divide returns x/d.
func (e Epilogue) divide(x, d float64) float64 {
	if e.Inverse == Reciprocal {
		return e.Format.Mul(x, ratio(e.Format, 1, d), fp.NearestEven)
	}
	return ratio(e.Format, x, d)
}

// mean returns s/n, or s·(1/n).
func mean(f fp.Format, s float64, n int, times bool) float64 {
	if times {
		return f.Mul(s, ratio(f, 1, float64(n)), fp.NearestEven)
	}
	return ratio(f, s, float64(n))
}

// root returns √s rounded to f: a binary64 root has more than twice the
// precision of every narrower format, so rounding it again is harmless.
func root(f fp.Format, s float64) float64 { return f.Round(math.Sqrt(s), fp.NearestEven) }

// ratio returns a/b rounded once to f, for the same reason; a subnormal result
// of a narrower format is a multiple of its smallest number, which binary64
// divides as finely.
func ratio(f fp.Format, a, b float64) float64 { return f.Round(a/b, fp.NearestEven) }

// rsqrt returns 1/√v rounded once to f.
func rsqrt(f fp.Format, v float64) float64 {
	if v <= 0 || v-v != 0 {
		return 1 / math.Sqrt(v)
	}
	const bits = 200 // no 1/√v of a binary64 v is so close to a midpoint of f
	one := new(big.Float).SetPrec(bits).SetInt64(1)
	r := new(big.Float).SetPrec(bits).SetFloat64(v)
	r.Sqrt(r)
	return f.RoundBig(one.Quo(one, r), fp.NearestEven)
}

// largest returns the first element of largest magnitude.
func largest(x []float64) float64 {
	top := x[0]
	for _, v := range x[1:] {
		if math.Abs(v) > math.Abs(top) {
			top = v
		}
	}
	return top
}

// smallest returns the least element that is not zero, 0 where all are.
func smallest(x []float64) float64 {
	var least float64
	for _, v := range x {
		if v != 0 && (least == 0 || v < least) {
			least = v
		}
	}
	return least
}
