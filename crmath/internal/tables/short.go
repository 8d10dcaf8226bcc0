package tables

import "math/big"

// shortSteps is the number of steps in 1 of the table of sines in two words,
// and shortRows that of its rows, up to π/4.
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

// short writes x, not negative, as a composite literal of type wide.short.
func (f *file) short(x *big.Float) {
	m := fresh()
	e := x.MantExp(m)
	hi, lo := words2(m)
	f.printf("short{exp: %d, hi: %#016x, lo: %#016x}", e, hi, lo)
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
	// 2^(-14k)/(2k+1)! and 2^(-14k)/(2k)!.
	terms := func(first int) (all []*big.Float) {
		c := ExpSeries(20)
		for k := 1; k <= 6; k++ {
			all = append(all, fresh().SetMantExp(c[2*k+first], -14*k))
		}
		return all
	}
	f.fixeds("shortSinTerms", "holds 2^(-14·k)/(2·k+1)! for k from 1 on", terms(1))
	f.fixeds("shortCosTerms", "holds 2^(-14·k)/(2·k)! for k from 1 on", terms(0))
}
