package a

import (
	"math"
	"math/cmplx"
	"math/rand"
)

func functions(x, y float64) float64 {
	f := math.Sin              // want `math.Sin differs by processor; write crmath.Sin`
	r := f(x) + math.Pow(x, y) // want `write crmath.Pow`
	r += math.Sqrt(x) + math.Floor(y) + math.FMA(x, y, r) + math.Mod(x, y)
	r += math.J0(x)               // want `math.J0 differs by processor; no exact function`
	r += cmplx.Abs(complex(x, y)) // want `cmplx.Abs differs by processor`
	r += real(cmplx.Conj(complex(x, y)))
	r += rand.Float64()
	_ = rand.NewZipf(nil, 2, 1, 9) // want `rand.NewZipf calls`
	r += rand.NormFloat64()        // want `rand.NormFloat64 calls math.Exp and math.Log`
	return r + math.Exp(x)         //lastbit:ignore libm only printed with three digits
}

type angle float64

func (a angle) degrees() float64 { return float64(a) }

func chained(x float64) float64 {
	return angle(math.Atan2(x, 1)).degrees() // want `math.Atan2 differs`
}
