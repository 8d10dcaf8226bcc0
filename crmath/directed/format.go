package directed

import "github.com/lastbit/lastbit/fp"

// A Function is a function of one argument in every direction, such as Exp.
type Function func(x float64, m fp.Mode) float64

// In returns f(x) rounded once to a format, in direction m: float32, binary16
// and bfloat16 too.
//
//	y := directed.In(fp.BFloat16, directed.Exp, x, fp.Up)
//
// It costs a call of f and the rounding. For functions of two arguments round
// their result in direction fp.ToOdd with fp.Format.Round.
func In(format fp.Format, f Function, x float64, m fp.Mode) float64 {
	return format.Round(f(x, fp.ToOdd), m)
}
