package bf16

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/fp"
)

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
