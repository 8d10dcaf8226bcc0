package tables

import "math/big"

// shortSteps is the number of steps in 1 of the table of sines in two words,
// and shortRows the number of its rows, up to π/4.
const (
	shortSteps = 128
	shortRows  = 101
)

// words2 returns the fraction x, 0 ≤ x < 1, truncated to two words.
func words2(x *big.Float) (hi, lo uint64) {
	i, _ := fresh().SetMantExp(x, 128).Int(nil)
	lo = new(big.Int).And(i, new(big.Int).SetUint64(1<<64-1)).Uint64()
	return i.Rsh(i, 64).Uint64(), lo
}

// short writes x as a composite literal of type wide.short.
func (f *file) short(x *big.Float) {
	m := fresh()
	e := x.MantExp(m)
	hi, lo := words2(m.Abs(m))
	f.printf("short{neg: %v, exp: %d, hi: %#016x, lo: %#016x}", x.Sign() < 0, e, hi, lo)
}

// fixeds writes a variable of type [n]fixed.
func (f *file) fixeds(name, comment string, values []*big.Float) {
	f.printf("\n// %s %s.\nvar %s = [%d]fixed{\n", name, comment, name, len(values))
	for _, v := range values {
		hi, lo := words2(v)
		f.printf("{%#016x, %#016x},\n", hi, lo)
	}
	f.printf("}\n")
}

// wideShort writes the tables of the kernels in two words.
func wideShort(f *file) {
	f.printf(`
// shortSines holds sin(j/128) and cos(j/128).
var shortSines = [%d]struct{ sin, cos short }{
`, shortRows)
	for j := range shortRows {
		s, c := SinCos(quo(real(float64(j)), real(shortSteps)))
		f.printf("{")
		f.short(s)
		f.printf(", ")
		f.short(c)
		f.printf("},\n")
	}
	f.printf("}\n")
	// 2^(-14·k)/(2·k+1)! and 2^(-14·k)/(2·k)!.
	terms := func(first int) (all []*big.Float) {
		c := ExpSeries(20)
		for k := 1; k <= 6; k++ {
			all = append(all, fresh().SetMantExp(c[2*k+first], -14*k))
		}
		return all
	}
	shortExp(f)
	shortLog(f)
	f.fixeds("shortSinTerms", "holds 2^(-14·k)/(2·k+1)! for k from 1 on", terms(1))
	f.fixeds("shortCosTerms", "holds 2^(-14·k)/(2·k)! for k from 1 on", terms(0))
}

// shortExp writes the tables of exponentials.
func shortExp(f *file) {
	ln2 := Ln2()
	for _, r := range []struct {
		name, base string
		log        *big.Float
		exp        int
	}{
		{"rateE", "e", real(1), 1}, {"rate2", "2", ln2, 1}, {"rate10", "10", Log(real(10)), 2},
	} {
		i, _ := fresh().SetMantExp(quo(r.log, ln2), 192-r.exp).Int(nil)
		f.printf("\n// %s is that of base %s.\nvar %s = rate{%d, [3]uint64{", r.name, r.base,
			r.name, r.exp)
		for k := 2; k >= 0; k-- {
			word := new(big.Int).Rsh(i, uint(64*k))
			f.printf("%#016x,", word.And(word, new(big.Int).SetUint64(1<<64-1)).Uint64())
		}
		f.printf("}, ")
		f.short(r.log)
		f.printf("}\n")
	}
	hi, lo := words2(ln2)
	f.printf("\nvar shortLn2 = fixed{%#016x, %#016x}\n", hi, lo)
	f.printf("\n// shortPowers holds 2^(i/64) and 2^(i/4096).\nvar shortPowers = [2][64]short{{\n")
	for _, steps := range []float64{64, 4096} {
		for i := range 64 {
			f.short(Exp(quo(mul(ln2, real(float64(i))), real(steps))))
			f.printf(",\n")
		}
		if steps == 64 {
			f.printf("}, {\n")
		}
	}
	f.printf("}}\n")
	c := ExpSeries(20)
	var e, sinh, cosh []*big.Float
	for k := 1; k <= 8; k++ {
		e = append(e, fresh().SetMantExp(c[k], -12*k))
	}
	for k := 1; k <= 5; k++ {
		sinh = append(sinh, fresh().SetMantExp(c[2*k+1], -20*k))
		cosh = append(cosh, fresh().SetMantExp(c[2*k+2], 1-20*k))
	}
	f.fixeds("shortExpTerms", "holds 2^(-12·k)/k! for k from 1 on", e)
	f.fixeds("shortSinhTerms", "holds 2^(-20·k)/(2·k+1)! for k from 1 on", sinh)
	f.fixeds("shortCoshTerms", "holds 2·2^(-20·k)/(2·k+2)! for k from 1 on", cosh)
}

// shortLog writes the tables of logarithms.
func shortLog(f *file) {
	const first, last, middle = 90, 182, 72
	f.printf(`
const (
	shortLogFirst = %d
	shortSmallLogMiddle = %d
)

// shortLogs holds, for i from shortLogFirst on, r, an integer next to
// 256·128/i, and -ln(r/256).
var shortLogs = [%d]struct{ reciprocal uint64; log short }{
`, first, middle, last-first+1)
	for i := first; i <= last; i++ {
		r := (2*256*128 + i) / (2 * i)
		f.printf("{%d, ", r)
		f.short(neg(Log(quo(real(float64(r)), real(256)))))
		f.printf("},\n")
	}
	f.printf(`}

// shortSmallLogs holds -ln(1 - j/8192) for j from -shortSmallLogMiddle on.
var shortSmallLogs = [%d]short{
`, 2*middle+1)
	for j := -middle; j <= middle; j++ {
		f.short(neg(Log(quo(real(float64(8192-j)), real(8192)))))
		f.printf(",\n")
	}
	f.printf("}\n\n// Constants: ln 2, 1/ln 2, 1/ln 10, π and 1/π.\nvar (\n")
	for _, v := range []struct {
		name string
		x    *big.Float
	}{
		{"shortLn2Float", Ln2()}, {"shortInverseLn2", quo(real(1), Ln2())},
		{"shortInverseLn10", quo(real(1), Log(real(10)))},
		{"shortPi", Pi()}, {"shortInversePi", quo(real(1), Pi())},
	} {
		f.printf("%s = ", v.name)
		f.short(v.x)
		f.printf("\n")
	}
	f.printf(")\n")
	var terms []*big.Float
	for k := 1; k <= 9; k++ {
		terms = append(terms, fresh().SetMantExp(quo(real(1), real(float64(k+1))), -12*k))
	}
	f.fixeds("shortLogTerms", "holds 2^(-12·k)/(k+1) for k from 1 on", terms)
}

func neg(x *big.Float) *big.Float { return fresh().Neg(x) }
