package bf16

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/fp"
)

// functions holds the functions of one argument by MPFR's names.
var functions = map[string]func(uint16) uint16{
	"exp":      Exp,
	"exp2":     Exp2,
	"exp10":    Exp10,
	"expm1":    Expm1,
	"exp2m1":   Exp2m1,
	"exp10m1":  Exp10m1,
	"log":      Log,
	"log2":     Log2,
	"log10":    Log10,
	"log1p":    Log1p,
	"log2p1":   Log2p1,
	"log10p1":  Log10p1,
	"sin":      Sin,
	"cos":      Cos,
	"tan":      Tan,
	"asin":     Asin,
	"acos":     Acos,
	"atan":     Atan,
	"sinpi":    Sinpi,
	"cospi":    Cospi,
	"tanpi":    Tanpi,
	"asinpi":   Asinpi,
	"acospi":   Acospi,
	"atanpi":   Atanpi,
	"sinh":     Sinh,
	"cosh":     Cosh,
	"tanh":     Tanh,
	"asinh":    Asinh,
	"acosh":    Acosh,
	"atanh":    Atanh,
	"cbrt":     Cbrt,
	"rec_sqrt": Rsqrt,
	"erf":      Erf,
	"erfc":     Erfc,
	"gamma":    Gamma,
	"lgamma":   func(x uint16) uint16 { y, _ := Lgamma(x); return y },
}

// TestAllArguments compares every result with MPFR's.
func TestAllArguments(t *testing.T) {
	for name, f := range functions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			correct := oracle.In(t, name, format)
			for u := range 1 << 16 {
				x := uint16(u)
				want := uint16(format.Bits(correct(value(x), fp.NearestEven)))
				switch minusInf, minusZero := value(x) < -format.Max(), x == 1<<15; {
				case name == "rec_sqrt" && minusZero, name == "lgamma" && minusInf:
					want |= 1 << 15 // as in IEEE 754 and in package math; MPFR gives +Inf
				}
				if got := f(x); got != want && !(isNaN(got) && isNaN(want)) {
					t.Fatalf("%s(%v) = %v, want %v", name, value(x), value(got), value(want))
				}
			}
		})
	}
}

func isNaN(x uint16) bool { v := value(x); return v != v }
