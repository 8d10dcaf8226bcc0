package dotted

import . "math"

func wave(x float64) float64 { return Sin(x) + Sqrt(x) } // want `math.Sin differs`
