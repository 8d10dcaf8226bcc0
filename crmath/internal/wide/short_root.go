package wide

import "github.com/lastbit/lastbit/fp"

// TryHypot returns √(x²+y²), rounded in direction m, where r + c is within
// 2^-65 of it, relatively, and 2^-500 < r < 2^501; false where two words do not
// decide, as for all results that are representable or midpoints. The sum s of
// squares is off by 2^-126 and the root's square by 2^-124, so that
//
//	√s = z + (s - z²)/(2z) - …,  z = r + c,
//
// is off by less than 2^-124 of it. The next term is below 2^-130 of it.
func TryHypot(x, y, r, c float64, m fp.Mode) (float64, bool) {
	a, b, z := shortFloat(x), shortFloat(y), shortFloat(r).plus(shortFloat(c))
	d := a.times(a).plus(b.times(b)).minus(z.times(z))
	return z.plus(shortFloat(d.approx()/(2*r))).rounded(m, 0)
}

// TryCbrt returns ∛(x·2^k), rounded in direction m, where r + c is within 2^-65
// of it, relatively, and 1/2 < r < 2; false as in TryHypot. The two products in
// the cube z³ of z = r + c lose 2^-123 of it, so that
//
//	z + (x·2^k - z³)/(3z²) - …
//
// is off by less than 2^-124 of the root. The next term is below 2^-129 of it.
func TryCbrt(x float64, k int, r, c float64, m fp.Mode) (float64, bool) {
	z := shortFloat(r).plus(shortFloat(c))
	d := shortFloat(x).scaled(k).minus(z.times(z).times(z))
	return z.plus(shortFloat(d.approx()/(3*r*r))).rounded(m, 0)
}
