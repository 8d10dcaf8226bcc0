// Package deviation measures how far a result is off from the real value of an
// elementary function, in units in the last place (ULPs), with its sign.
//
//	d := deviation.Exp.ULPs(math.Exp(x), x)
//	d = deviation.Atan2.ULPs(math.Atan2(y, x), y, x) // crmath's order
//
// On amd64 the first is -1.549 for x = -3.1520826432463664.
//
// The real value is that at the argument itself, not that at a rounded one. So
// the deviation of a correctly rounded result, such as crmath's, is at most
// half a unit in magnitude, and any other number deviates by at least half a
// unit.
//
// # Units
//
// With 2^e ≤ |f(x)| < 2^(e+1), the unit ulp(f(x)) is 2^(e-52): the distance of
// float64 there. Below 2^-1022 it is 2^-1074, and from 2^1024 on 2^971, as just
// below. Muller2016 compares this unit with other definitions.
//
// # Promise
//
// Exact, to 45 bits: the relative error of a deviation is below 2^-45, and its
// bits are the same on every machine. A deviation beyond MaxFloat64 is ±Inf,
// and one below 2^-1074 may be 0. An exact result deviates by 0; 900 bits
// distinguish it from others, as in crmath.Pow, and 320 of Gamma and Lgamma.
//
// # Special values
//
//   - f is not defined at x: 0 for NaN, and NaN for any other result.
//   - f is defined at x, and the result is NaN: NaN.
//   - f(x) is ±Inf or rounds to it, and the result is that: 0.
//   - f(x) is ±Inf, as ln 0 is, and the result is another number: ∓Inf.
//   - Any other infinite result counts as ±2^1024, which comes after
//     MaxFloat64.
//   - Signs of zeros do not count.
//
// # Cost
//
// A call takes some 3 µs, and up to 100 µs where the result is exact. Nothing
// is allocated.
//
// References:
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
package deviation
