package deviation

import (
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/functions"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
)

// longPrecision suffices for values that do not underflow: 1 - 2^-2148 has 2148
// bits.
const longPrecision = 2400

// mpfrNames are MPFR's names of crmath's functions, by crmath's names.
var mpfrNames = sync.OnceValues(func() (map[string]string, error) {
	rows, err := functions.Read("../internal/f64")
	names := map[string]string{}
	for _, r := range rows {
		names[r["function"]] = r["mpfr"]
	}
	return names, err
})

// mpfr returns MPFR's name of f.
func (f function) mpfr(t *testing.T) string {
	t.Helper()
	names, err := mpfrNames()
	if err != nil || names[f.name] == "" {
		t.Fatalf("%s has no name of MPFR: %v", f.name, err)
	}
	return names[f.name]
}

// bigValue returns MPFR's function, at any precision.
func (f function) bigValue(t *testing.T) func(x []float64, precision uint) *big.Float {
	t.Helper()
	if f.whole {
		g := oracle.IntValue(t, f.mpfr(t))
		return func(x []float64, precision uint) *big.Float { return g(x[0], int(x[1]), precision) }
	}
	if f.arity == 2 {
		g := oracle.BinaryValue(t, f.mpfr(t))
		return func(x []float64, precision uint) *big.Float { return g(x[0], x[1], precision) }
	}
	g := oracle.UnaryValue(t, f.mpfr(t))
	return func(x []float64, precision uint) *big.Float { return g(x[0], precision) }
}

// bigDeviation returns the deviation of got from a finite value, truncated.
func bigDeviation(got float64, value *big.Float) float64 {
	d := new(big.Float).SetPrec(2 * longPrecision)
	if math.IsInf(got, 0) {
		d.SetMantExp(big.NewFloat(math.Copysign(1, got)), 1024)
	} else {
		d.SetFloat64(got)
	}
	d.Sub(d, value)
	if d.Sign() == 0 {
		return 0
	}
	ulp := -1074
	if value.Sign() != 0 {
		ulp = min(max(value.MantExp(nil)-53, -1074), 971)
	}
	r, _ := d.SetMantExp(d, -ulp).Float64()
	return r
}

// TestAgainstMPFR computes the deviations of right results, of their neighbours
// and of others once more.
func TestAgainstMPFR(t *testing.T) {
	kinds := kinds()
	for _, f := range everyFunction() {
		t.Run(f.name, func(t *testing.T) {
			value := f.bigValue(t)
			rng := args.Generator("deviation of " + f.name + " in MPFR")
			n := max(1, args.SampleSize(t)/4000)
			var hard [][]float64
			if !f.whole {
				hard = args.Hard(t, f.mpfr(t))
			}
			compared := 0
			for i := range n + len(hard) {
				x, precision := []float64(nil), uint(400)
				if i < n {
					x = f.draw(rng, kinds, i)
				} else {
					x = hard[i-n]
				}
				r := f.value(x)
				if extreme(f.name, x) {
					precision = longPrecision
				}
				y := value(x, precision)
				if r != r || y == nil || y.IsInf() {
					continue // see TestKnown
				}
				got := r
				switch rng.IntN(8) {
				case 0:
					got = math.Nextafter(r, math.Inf(1))
				case 1:
					got = math.Nextafter(r, math.Inf(-1))
				case 2:
					got = float64(r * (1 + float64((rng.Float64()-0.5)*0x1p-40)))
				case 3:
					got = r + float64(rng.IntN(2000)-1000)*0x1p-1074
				case 4:
					if i%4 == 0 {
						got = args.AnyBits(rng)
					}
				}
				if got != got || got == r && math.IsInf(r, 0) {
					continue // see TestKnown
				}
				compared++
				d, want := f.ulps(got, x), bigDeviation(got, y)
				// The promise is a relative error, except for underflow.
				if !(d == want || math.Abs(d-want) < math.Abs(want)*0x1p-45 ||
					max(math.Abs(d), math.Abs(want)) < 0x1p-1000) {
					t.Errorf("%s%x, got %x: deviation %v, want %v", f.name, x, got, d, want)
				}
			}
			if compared < n/4+len(hard)/2 {
				t.Errorf("only %d were compared", compared)
			}
		})
	}
}

// oneFarOut are functions that are next to a number for large arguments.
var oneFarOut = []string{"tanh", "expm1", "exp2m1", "exp10m1", "log2p1", "erf", "erfc", "atanpi"}

// extreme reports whether the value may differ from a number by less than
// 2^-300 of it.
func extreme(name string, x []float64) bool {
	for _, v := range x {
		switch a := math.Abs(v); {
		case a < 0x1p-60:
			return true
		case a > 15:
			return slices.Contains(oneFarOut, name) || len(x) == 2
		}
	}
	return false
}
