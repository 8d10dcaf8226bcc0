package f64

import (
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Inverse is 1/x to nearest: the function that TestAddsAFunction adds.
func Inverse(x float64, _ fp.Mode) float64 { return 1 / x }

func inInverse(x float64) bool { return isPositiveNormal(x) && x < 0x1p1000 }

// inverseLane is Inverse for positive normal x below 2^1000.
func inverseLane(x float64) (r float64, ok bool) {
	return 1 / bounded(x, 0x1p-1022, 0x1p1000), inInverse(x)
}

func inverseCall(x float64) (r float64, ok bool) { return 1 / x, inInverse(x) }

// InverseSlice stores 1/x[i] in dst[i].
func InverseSlice(dst, x []float64) {
	vector.MapLoop("f64.InverseSlice", dst, x, vector.Each(FastInverse), best.inverse, inInverse)
}
