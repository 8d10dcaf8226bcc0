package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
)

// TestToward compares the directed rounding of sums with package fp's, which is
// another algorithm. A sum that is representable is left to others.
func TestToward(t *testing.T) {
	rng := args.Generator("toward")
	kind := args.Magnitudes(-900, 1000)
	for range 100_000 {
		hi := kind(rng)
		lo := hi * math.Ldexp(rng.Float64()-0.5, -rng.IntN(60))
		exact := lo == 0 || hi+lo-hi == lo
		for _, m := range directions {
			got, ok := toward(hi, lo, 0, m)
			if want := fp.Binary64.Add(hi, lo, m); ok && !args.Identical(got, want) {
				t.Fatalf("%x + %x, %v: %x, want %x", hi, lo, m, got, want)
			}
			if ok == exact {
				t.Fatalf("%x + %x, %v: decided is %v", hi, lo, m, ok)
			}
		}
		if r, ok := toward(hi, lo, 0, fp.NearestEven); ok {
			t.Fatalf("%x + %x is decided to nearest: %x", hi, lo, r)
		}
	}
}

// TestBeside compares the results for numbers of all kinds, the smallest among
// them, with neighbours.
func TestBeside(t *testing.T) {
	rng := args.Generator("beside")
	kind := only(func(x float64) bool { return x != 0 && x-x == 0 }, args.AnyBits)
	for i := range 100_000 {
		r := kind(rng)
		if i%4 == 0 {
			r = math.Copysign(math.Float64frombits(1+rng.Uint64N(4)), r)
		}
		for _, m := range append(directions, fp.NearestEven) {
			for _, rest := range []float64{1, -1} {
				want := neighbour(r, rest, m)
				if got := beside(r, rest, m); !args.Identical(got, want) {
					t.Fatalf("beside(%x, %v, %v) = %x, want %x", r, rest, m, got, want)
				}
			}
		}
	}
}

// neighbour is beside by math.Nextafter.
func neighbour(r, rest float64, m fp.Mode) float64 {
	next := math.Nextafter(r, math.Inf(int(rest)))
	outward := math.Abs(next) > math.Abs(r)
	moves := m == fp.Up && rest > 0 || m == fp.Down && rest < 0 || m == fp.TowardZero && !outward ||
		m == fp.ToOdd && math.Float64bits(r)&1 == 0
	if moves {
		return next
	}
	return r
}
