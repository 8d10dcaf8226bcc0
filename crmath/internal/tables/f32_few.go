package tables

import (
	"math"
	"math/big"
)

// fewWords writes a table of 16 numbers, which two registers of AVX-512 hold.
func (f *file) fewWords(name, comment string, word func(i int) *big.Float) {
	f.printf("\n// %s %s.\nvar %s = [16]float64{\n", name, comment, name)
	for i := range 1 << f32FewBits {
		f.printf("%s,\n", float(word(i)))
	}
	f.printf("}\n")
}

// f32LogFew writes the tables of logarithms that kernels of AVX-512 use.
func f32LogFew(f *file) {
	const cells = 1 << f32FewBits
	reciprocal := func(i int) float64 {
		switch i {
		case 0: // so that logarithms of numbers near 1 begin with 0
			return 1
		case cells - 1:
			return 0.5
		}
		return math.Round(2048*cells/float64(2*(cells+i)+1)) / 1024
	}
	low, high := 0.0, 0.0
	for i := range cells {
		c := reciprocal(i)
		low = min(low, float64(float64(1+float64(float64(i)/cells))*c)-1)
		high = max(high, float64(float64(1+float64(float64(i+1)/cells))*c)-1)
	}
	f.polynomial(approximation{"logFewC",
		"ln(1+r) = r + r²·(C2 + C3·r + …) for r = m·c - 1, relative to r", 2, 1, 7, low, high, 1,
		func(r *big.Float) *big.Float { return logRest(r, 2) }})
	f.fewWords("logFew", "holds, for each sixteenth of [1, 2), c near the reciprocals",
		func(i int) *big.Float { return real(reciprocal(i)) })
	for _, base := range []struct {
		name, log string
		unit      *big.Float
	}{{"logFewLn", "-ln c", real(1)}, {"logFewLog2", "-log2 c", Ln2()},
		{"logFewLog10", "-log10 c", Log(real(10))}} {
		f.fewWords(base.name, "holds "+base.log, func(i int) *big.Float {
			return quo(Log(quo(real(1), real(reciprocal(i)))), base.unit)
		})
	}
}

// f32CbrtFew writes the tables of cube roots that kernels of AVX-512 use.
func f32CbrtFew(f *file) {
	root := cbrtFew(f)
	root.n = 6
	f.polynomial(root)
	f.printf("\n// cbrtFewPowers has 1, ∛2, 0 and ∛4, with i·2^50 taken from the bits of number\n" +
		"// i of the four, and these again.\nvar cbrtFewPowers = [16]float64{\n")
	for i := range 1 << f32FewBits {
		v := 0.0
		if part := i % 4; part != 2 {
			v, _ = cubeRoot(thirds(i)).Float64()
			v = math.Float64frombits(math.Float64bits(v) - uint64(part)<<50)
		}
		f.printf("%s,\n", hex(v))
	}
	f.printf("}\n")
}

// f32TanFew writes the tables of tangents that kernels of AVX-512 use.
func f32TanFew(f *file) {
	const steps = 1 << f32FewBits // of half a turn
	angle := func(i int) *big.Float { return quo(mul(Pi(), real(float64(i))), real(steps)) }
	f.fewWords("tanFewSin", "holds sin(i·π/16)", func(i int) *big.Float {
		s, _ := SinCos(angle(i))
		return s
	})
	f.fewWords("tanFewCos", "holds cos(i·π/16)", func(i int) *big.Float {
		if i == steps/2 {
			return real(0)
		}
		_, c := SinCos(angle(i))
		return c
	})
	half, _ := quo(Pi(), real(2*steps)).Float64()
	f.polynomial(approximation{"tanFewC",
		"tan r = r + r³·(C3 + C5·r² + …) for |r| < π/32, relative to r", 3, 2, 4, 0, half * half, 1,
		odd(func(x *big.Float) *big.Float {
			s, c := SinCos(x)
			return quo(s, c)
		})})
}

// f32InverseFew writes the tables and polynomials of inverse trigonometric
// functions that kernels of AVX-512 use.
func f32InverseFew(f *file) {
	f.polynomial(approximation{"asinFewC",
		"arcsin x = x + x³·(C3 + C5·x² + …) for |x| ≤ 1/2, relative to x", 3, 2, 9, 0, 0.25, 1,
		odd(Asin)})
	f.polynomial(approximation{"atanFewC",
		"arctan u = u + u³·(C3 + C5·u² + …) for |u| ≤ 3/16, relative to u", 3, 2, 5, 0,
		0.1875 * 0.1875, 1, odd(Atan)})
	f.fewWords("atanFew", "has 0 for numbers up to 3/16, a point in each half of an octave\n"+
		"// up to 24, and one beyond: word i for those whose bits shifted by 51 end in i",
		func(i int) *big.Float { return real(f32AtanPoint(i)) })
	f.fewWords("atanFewArc", "holds their arctangents", func(i int) *big.Float {
		return Atan(real(f32AtanPoint(i)))
	})
}

// f32AtanPoint returns the tangent of an angle near the middle of those whose
// tangents are in the part of word i.
func f32AtanPoint(i int) float64 {
	i = (i + 8) % (1 << f32FewBits)
	edge := func(i int) *big.Float {
		if i == 1<<f32FewBits {
			return quo(Pi(), real(2))
		}
		return Atan(real(math.Ldexp(1+0.5*float64(i%2), i/2-3)))
	}
	if i == 0 {
		return 0
	}
	s, c := SinCos(quo(add(edge(i), edge(i+1)), real(2)))
	t, _ := quo(s, c).Float64()
	return t
}
