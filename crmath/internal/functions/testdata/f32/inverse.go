package f32

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Inverse is 1/x to nearest: the function that TestAddsAFunction adds.
//
//go:nosplit
func Inverse(x float32) float32 { return fastInverse(x) }

// inverse is Inverse without fused operations.
func inverse(x float32) float32 {
	y := 1 / float64(x)
	if undecided(y) || !inLog(x) {
		return float32(f64.Inverse(float64(x), fp.NearestEven))
	}
	return float32(y)
}

// InverseSlice stores 1/x[i] in dst[i].
func InverseSlice(dst, x []float32) {
	vector.MapLoop("f32.InverseSlice", dst, x, each(Inverse), best.inverse, inLog)
}
