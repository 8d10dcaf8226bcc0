package array

import (
	"math"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
)

// TestHalf compares all numbers of 16 bits with package fp.
func TestHalf(t *testing.T) {
	for b := range 1 << 16 {
		x := uint16(b)
		for _, c := range []struct {
			format Format
			want   float64
		}{
			{Float16, fp.Binary16.FromBits(uint64(b))},
			{BFloat16, fp.BFloat16.FromBits(uint64(b))},
		} {
			var single [1]float32
			var double [1]float64
			load(single[:], c.format, unsafe.Pointer(&x), 0)
			load(double[:], c.format, unsafe.Pointer(&x), 0)
			for _, got := range []float64{float64(single[0]), double[0]} {
				if math.Float64bits(got) != math.Float64bits(c.want) &&
					(got == got || c.want == c.want) {
					t.Fatalf("%#x in format %d is %g, want %g", b, c.format, got, c.want)
				}
			}
			if c.want == c.want && shortened(c.format, c.want) != x {
				t.Fatalf("%g in format %d is %#x, want %#x", c.want, c.format,
					shortened(c.format, c.want), b)
			}
		}
	}
}
