//go:build exhaustive && !static

package f32

import (
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// A counterpart is a function of float64: its slice function, and itself.
type counterpart struct {
	slice func(dst, x []float64)
	one   func(x float64, m fp.Mode) float64
}

// doubles are the counterparts of functions, by MPFR's names.
var doubles = map[string]counterpart{
	"exp":      {f64.ExpSlice, f64.Exp},
	"exp2":     {f64.Exp2Slice, f64.Exp2},
	"exp10":    {f64.Exp10Slice, f64.Exp10},
	"expm1":    {f64.Expm1Slice, f64.Expm1},
	"log":      {f64.LogSlice, f64.Log},
	"log2":     {f64.Log2Slice, f64.Log2},
	"log10":    {f64.Log10Slice, f64.Log10},
	"log1p":    {f64.Log1pSlice, f64.Log1p},
	"sin":      {f64.SinSlice, f64.Sin},
	"cos":      {f64.CosSlice, f64.Cos},
	"tan":      {f64.TanSlice, f64.Tan},
	"asin":     {f64.AsinSlice, f64.Asin},
	"acos":     {f64.AcosSlice, f64.Acos},
	"atan":     {f64.AtanSlice, f64.Atan},
	"sinh":     {f64.SinhSlice, f64.Sinh},
	"cosh":     {f64.CoshSlice, f64.Cosh},
	"tanh":     {f64.TanhSlice, f64.Tanh},
	"asinh":    {f64.AsinhSlice, f64.Asinh},
	"acosh":    {f64.AcoshSlice, f64.Acosh},
	"atanh":    {f64.AtanhSlice, f64.Atanh},
	"cbrt":     {f64.CbrtSlice, f64.Cbrt},
	"exp2m1":   {f64.Exp2m1Slice, f64.Exp2m1},
	"exp10m1":  {f64.Exp10m1Slice, f64.Exp10m1},
	"log2p1":   {f64.Log2p1Slice, f64.Log2p1},
	"log10p1":  {f64.Log10p1Slice, f64.Log10p1},
	"sinpi":    {f64.SinpiSlice, f64.Sinpi},
	"cospi":    {f64.CospiSlice, f64.Cospi},
	"tanpi":    {f64.TanpiSlice, f64.Tanpi},
	"asinpi":   {f64.AsinpiSlice, f64.Asinpi},
	"acospi":   {f64.AcospiSlice, f64.Acospi},
	"atanpi":   {f64.AtanpiSlice, f64.Atanpi},
	"rec_sqrt": {f64.RsqrtSlice, f64.Rsqrt},
	"erf":      {f64.ErfSlice, f64.Erf},
	"erfc":     {f64.ErfcSlice, f64.Erfc},
	"gamma":    {f64.GammaSlice, f64.Gamma},
	"lgamma": {f64.LgammaSlice, func(x float64, m fp.Mode) float64 {
		y, _ := f64.Lgamma(x, m)
		return y
	}},
}

// TestExhaustiveDouble compares the functions that LASTBIT_EXHAUSTIVE names, or
// all, and their kernels at all 2^32 arguments with those of float64, rounded
// once more. Where the latter is a midpoint of two float32, or subnormal there,
// it is rounded to odd.
func TestExhaustiveDouble(t *testing.T) {
	names := os.Getenv("LASTBIT_EXHAUSTIVE")
	for _, f := range functions {
		d, ok := doubles[f.name]
		if !ok || names != "" && !slices.Contains(strings.Split(names, ","), f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			const workers = 2
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() { f.compareDouble(t, d, uint32(w), workers) })
			}
			wg.Wait()
		})
	}
}

// compareDouble compares every workers-th block of encodings, in calls and by
// the fastest kernel. Of an odd or even function it compares positive arguments
// so, and negative ones with these.
func (f function) compareDouble(t *testing.T, d counterpart, w, workers uint32) {
	const block = 1 << 12
	var x, want, got [block]float32
	var double [block]float64
	blocks := uint32(1 << 20)
	if f.parity != 0 {
		blocks /= 2
	}
	for i := w; i < blocks && !t.Failed(); i += workers {
		for k := range x {
			x[k] = math.Float32frombits(i*block + uint32(k))
			double[k] = float64(x[k])
		}
		d.slice(double[:], double[:])
		for k, y := range double {
			if isUnsure(y) {
				y = d.one(float64(x[k]), fp.ToOdd)
			}
			want[k] = f.f(x[k])
			if !identical(want[k], float32(y)) || !f.mirrored(x[k], want[k]) {
				t.Errorf("%s(±%x) = %x, want %x", f.name, x[k], want[k], float32(y))
			}
		}
		if kernel := sliceFunctions[f.name].kernel(&best); kernel != nil {
			compareLanes(t, f.name, kernel, x[:], want[:], got[:])
		}
	}
}

// mirrored reports whether the result for -x fits that for x.
func (f function) mirrored(x, result float32) bool {
	return f.parity == 0 || identical(f.f(-x), float32(f.parity)*result)
}
