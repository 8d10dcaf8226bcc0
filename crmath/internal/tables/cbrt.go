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
}

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
