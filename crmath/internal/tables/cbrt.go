package tables

import (
	"fmt"
	"math"
	"math/big"
)

// cbrtBits is the logarithm of the number of cells in an octave of cube roots.
const cbrtBits = 7

// cbrt writes the table of the cube root.
func cbrt(f *file) {
	entries, radius := "", 0.0
	for i := range 1 << cbrtBits {
		first := math.Float64frombits(logOffset + uint64(i)<<(52-cbrtBits))
		end := math.Float64frombits(logOffset + uint64(i+1)<<(52-cbrtBits))
		b := math.Round(2048/(first+end)) / 1024
		radius = max(radius, math.Abs(float64(first*b)-1), math.Abs(float64(end*b)-1)) // exact
		entries += fmt.Sprintf("{%s, [3]float64{%s}},\n", hex(b), cubeRoots(real(b)))
	}
	f.printf(`
const (
cbrtBits = %d
cbrtCells = 1 << cbrtBits
cbrtOffset = %#x // the encoding of 0.6875, as for logarithms

// cbrtRadius bounds |m·b - 1| for a significand m and the b of its cell.
cbrtRadius = %s
)
`, cbrtBits, uint64(logOffset), hex(radius))
	f.polynomial(cbrtPolynomial(radius))
	f.printf(`
// cbrtTable holds, for each cell, b near the reciprocal of its significands,
// and the cube roots of 1/b, 2/b and 4/b.
var cbrtTable = [cbrtCells]struct{ b float64; root [3]float64 }{
%s}
`, entries)
	root := cbrtFew(f)
	root.n = 5
	f.polynomial(root)
	f.polynomial(approximation{"cbrtFewInverseC", "1/(1+r) = C0 + C1·r + … for these r", 0, 1, 5,
		root.a, root.b, 0, func(r *big.Float) *big.Float { return quo(real(1), add(real(1), r)) }})
	cbrtFewThirds(f)
}

// cbrtFew writes tables of 16 words for cube roots of significands. It returns
// the polynomial behind them, without its number of terms.
func cbrtFew(f *file) approximation {
	const cells = 1 << f32FewBits
	reciprocal := func(i int) float64 {
		return math.Round(2048*cells/float64(2*(cells+i)+1)*2) / 2048
	}
	low, high := 0.0, 0.0
	for i := range cells {
		c := reciprocal(i)
		low = min(low, float64(float64(1+float64(float64(i)/cells))*c)-1)
		high = max(high, float64(float64(1+float64(float64(i+1)/cells))*c)-1)
	}
	f.fewWords("cbrtFew", "holds, for each sixteenth of [1, 2), c near the reciprocals",
		func(i int) *big.Float { return real(reciprocal(i)) })
	f.fewWords("cbrtFewRoot", "holds the cube roots of 1/c", func(i int) *big.Float {
		return cubeRoot(quo(real(1), real(reciprocal(i))))
	})
	return approximation{name: "cbrtFewC",
		comment: "∛(1+r) = 1 + r·(C1 + C2·r + …) for r = m·c - 1", first: 1,
		step: 1, a: low, b: high, scale: 1,
		f: after(func(r *big.Float) *big.Float { return cubeRoot(add(real(1), r)) })}
}

// cbrtFewThirds writes tables for the parts of exponents: of number i of four,
// 2^0, 2^1, none and 2^2.
func cbrtFewThirds(f *file) {
	f.fewWords("cbrtFewUp", "has 1, 2, 0 and 4, and these again", thirds)
	f.fewWords("cbrtFewPowers", "holds their cube roots", func(i int) *big.Float {
		if i%4 == 2 {
			return real(0)
		}
		return cubeRoot(thirds(i))
	})
	f.fewWords("cbrtFewDown", "holds the reciprocals of three times them", func(i int) *big.Float {
		if i%4 == 2 {
			return real(0)
		}
		return quo(real(1), mul(real(3), thirds(i)))
	})
}

// thirds returns number i of 1, 2, 0, 4, and of these again.
func thirds(i int) *big.Float { return real([]float64{1, 2, 0, 4}[i%4]) }

// cubeRoots returns the cube roots of 1/b, 2/b and 4/b, as source.
func cubeRoots(b *big.Float) string {
	s := ""
	for j := range 3 {
		s += float(cubeRoot(quo(real(float64(int(1)<<j)), b))) + ", "
	}
	return s
}

// cubeRoot returns the cube root of positive x.
func cubeRoot(x *big.Float) *big.Float { return Exp(quo(Log(x), real(3))) }

// cbrtPolynomial approximates ∛(1+r).
func cbrtPolynomial(radius float64) approximation {
	return approximation{"cbrtC", "∛(1+r) = 1 + r·(C1 + C2·r + …) for |r| within the cells' radius",
		1, 1, 6, -radius, radius, 1,
		after(func(r *big.Float) *big.Float { return cubeRoot(add(real(1), r)) })}
}
