package tables

import (
	"math"
	"math/big"
)

const (
	// Tangents are tabulated in 2^atanBits steps for an octave, from 2^-atanOctaves to
	// 2^atanOctaves.
	atanBits    = 4
	atanOctaves = 6
)

// AtanReduced bounds the tangent that is left.
const AtanReduced = 0x1.05p-6

// atan writes what the arcus functions need.
func atan(f *file) {
	const rows = 2*atanOctaves<<atanBits + 1 // finite tangents
	first := math.Float64bits(math.Ldexp(1, -atanOctaves)) >> (52 - atanBits)
	f.printf(`
const (
atanBits = %d
atanRows = %d

// atanFirst is the encoding of the first tangent, but for the zero, with atanBits
// bits of the significand.
atanFirst = %#x
)
`, atanBits, rows+2, first)

	f.coefficients("atanC", "arctan t - t for |t| < 0x1.05p-6", []int{3, 5, 7, 9, 11}, interpolate(func(t *big.Float) *big.Float {
		return sub(Atan(t), t)
	}, []int{3, 5, 7, 9, 11}, 0, AtanReduced))

	tangents := make([]float64, rows)
	angles := []*big.Float{real(0)}
	for i := range tangents {
		tangents[i] = math.Float64frombits((first + uint64(i)) << (52 - atanBits))
		angles = append(angles, Atan(real(tangents[i])))
	}
	half := quo(Pi(), real(2))
	angles = append(angles, half)

	f.printf("\n// atanTangent has tangents sin/cos, from 0 to +Inf.\nvar atanTangent = [atanRows]struct{ cos, sin float64 }{\n{1, 0},\n")
	for _, t := range tangents {
		f.printf("{1, %s},\n", hex(t))
	}
	f.printf("{0, 1},\n}\n")

	f.printf("\n// atanTable has the angles of these tangents, in forms, each as the sum of two numbers.\nvar atanTable = [4][atanRows]struct{ hi, lo float64 }{\n")
	for _, form := range []struct {
		name string
		of   func(a *big.Float) *big.Float
	}{
		{"atanAngle", func(a *big.Float) *big.Float { return a }},
		{"atanSupplement", func(a *big.Float) *big.Float { return sub(Pi(), a) }},
		{"atanComplement", func(a *big.Float) *big.Float { return sub(half, a) }},
		{"atanRight", func(a *big.Float) *big.Float { return add(half, a) }},
	} {
		f.printf("%s: {\n", form.name)
		for _, a := range angles {
			v := form.of(a)
			hi, _ := v.Float64()
			f.printf("{%s, %s},\n", hex(hi), float(sub(v, real(hi))))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}

// AtanSeries returns the first n coefficients of the Taylor series of arctan x.
func AtanSeries(n int) []*big.Float {
	c := make([]*big.Float, n)
	for k := range c {
		c[k] = real(0)
		if k%2 == 1 {
			c[k] = quo(real(float64(2-k%4)), real(float64(k)))
		}
	}
	return c
}
