package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/mpfr"
)

// swept holds the exponents of the sweeps of some functions: beyond them the
// results are so close to 1, to x or to a constant that all seem hard. Other
// functions' sweeps have the domains of the search.
var swept = map[string]struct{ lo, hi int }{
	"exp": {-24, 9}, "exp2": {-24, 9}, "exp10": {-24, 8},
	"expm1": {-27, 4}, "exp2m1": {-27, 5}, "exp10m1": {-27, 3},
	"log1p": {-27, 60}, "log2p1": {-27, 60}, "log10p1": {-27, 60},
	"sin": {-20, 8}, "cos": {-20, 8}, "tan": {-20, 8},
	"sinpi": {-24, 8}, "cospi": {-20, 8}, "tanpi": {-27, 8},
	"asin": {-20, -1}, "acos": {-24, -1}, "atan": {-20, 20},
	"asinpi": {-24, -1}, "acospi": {-24, -1}, "atanpi": {-24, 20},
	"sinh": {-20, 9}, "cosh": {-20, 9}, "tanh": {-20, 2},
	"asinh": {-20, 60}, "atanh": {-20, -1},
	"erf": {-24, 1}, "erfc": {-24, 3}, "lgamma": {-60, 8},
}

// flat holds the exponents of positive arguments that only -long tries, beyond
// the sweeps: there lines are longer. Near 0, lgamma(x) is next to -log(x); for
// large x, acosh(x) is next to log(2x).
var flat = map[string]struct{ lo, hi int }{
	"acosh": {61, 1000}, "lgamma": {-1000, -61},
}

// inTurn holds the second arguments that -long tries in all of one binade,
// which the others repeat.
var inTurn = map[string][]float64{"pow_si": {-2, 3, -3, 4, -4, 5}}

// originals reports, for functions that repeat themselves, which binades from
// 2^e on no other one repeats. Only these are tried as a whole. Cube roots and
// reciprocal square roots have a period; log2(2^e·x) is e + log2(x), whose last
// bits depend on the binade of the result only.
var originals = map[string]func(e int) bool{
	"cbrt":     func(e int) bool { return 0 <= e && e < 3 },
	"rec_sqrt": func(e int) bool { return 0 <= e && e < 2 },
	"log2":     func(e int) bool { return e == -1 || e >= 0 && e&(e-1) == 0 },
}

// A plan tries parts of binades, until it has spent its work: first of all in
// turn, and then of those with the longest lines, where most arguments are
// tried for it. Of these it tries some as a whole.
type plan struct {
	f       func(x, y float64) (mpfr.Digits, bool)
	binades []*binade
	tried   float64 // arguments
}

// newPlan returns a plan for a function of one argument, or of two: then a
// binade has a second argument, drawn from ys.
func newPlan(f func(x, y float64) (mpfr.Digits, bool), xs domain, ys draw,
	rng *rand.Rand) *plan {
	p := &plan{f: f}
	p.add(xs, ys, p.isMirrored(xs, ys, rng), rng)
	return p
}

// add adds binades. Their signs take turns if the function is mirrored.
func (p *plan) add(xs domain, ys draw, isMirrored bool, rng *rand.Rand) {
	add := func(e int, sign float64) {
		b := &binade{first: math.Copysign(math.Ldexp(1, e), sign), order: int(rng.Uint32())}
		if ys != nil {
			b.y = ys(rng)
		}
		b.level = p.partLevel(b)
		p.binades = append(p.binades, b)
	}
	for e := xs.lo; e <= xs.hi; e++ {
		switch {
		case isMirrored:
			add(e, float64(1-2*(e&1)))
		case xs.negative:
			add(e, -1)
			fallthrough
		default:
			add(e, 1)
		}
	}
	rng.Shuffle(len(p.binades), func(i, k int) {
		p.binades[i], p.binades[k] = p.binades[k], p.binades[i]
	})
}

// isMirrored reports whether |f(-x)| is |f(x)|, judging by some arguments.
func (p *plan) isMirrored(xs domain, ys draw, rng *rand.Rand) bool {
	for range 8 {
		x, y := xs.random(rng), 0.0
		if ys != nil {
			y = ys(rng)
		}
		a, _ := p.f(x, y)
		if b, ok := p.f(-x, y); !ok || a != b {
			return false
		}
	}
	return xs.negative
}

// partWork is the work of a part in lines, more or less.
const partWork = 1 << 18

// partLevel returns log2 of the size of a binade's parts, judging by a block in
// its middle, or the first half, and so on, where the function is not defined
// or a result's exponent changes.
func (p *plan) partLevel(b *binade) int {
	s := sweep{f: p.of(b)}
	for level := 51; level > 10; level-- {
		if n, ok := s.line(next(b.first, 1<<level), level-10); ok {
			return min(52, n+bits.Len(partWork)-1)
		}
	}
	return 52 // the function is not defined there
}

// of returns the function of a binade's arguments, where its results are normal
// numbers.
func (p *plan) of(b *binade) func(float64) (mpfr.Digits, bool) {
	return func(x float64) (mpfr.Digits, bool) {
		d, ok := p.f(x, b.y)
		return d, ok && d.Exp > fp.Binary64.MinExp() && d.Exp <= fp.Binary64.MaxExp()+1
	}
}

// leastWork orders binades by their work.
func leastWork(a, b *binade) int { return cmp.Compare(a.work, b.work) }

// longestLines orders binades by the length of their lines, and by their work.
func longestLines(a, b *binade) int {
	return cmp.Or(cmp.Compare(b.level, a.level), leastWork(a, b))
}

// run spends some work, in millions of lines, unless it is interrupted, and
// returns what it spent. Each part goes to the first binade in an order.
func (p *plan) run(ctx context.Context, binades []*binade, millions int,
	order func(a, b *binade) int) int {
	spent := 0
	for spent < millions*1e6 && ctx.Err() == nil {
		left := slices.DeleteFunc(slices.Clone(binades),
			func(b *binade) bool { return b.done == 1<<(52-b.level) })
		if len(left) == 0 {
			return millions
		}
		spent += p.part(slices.MinFunc(left, order))
	}
	return min(millions, (spent+1e6-1)/1e6)
}

// long returns the binades that -long tries: those that no other one repeats,
// and flat ones.
func (p *plan) long(name string, ys draw, rng *rand.Rand) []*binade {
	if all, ok := inTurn[name]; ok {
		n := len(p.binades)
		for _, y := range all {
			p.add(domain{}, func(*rand.Rand) float64 { return y }, false, rng)
		}
		return p.binades[n:]
	}
	if d, ok := flat[name]; ok {
		p.add(domain{d.lo, d.hi, false}, ys, false, rng)
	}
	isOriginal := originals[name]
	return slices.DeleteFunc(slices.Clone(p.binades), func(b *binade) bool {
		_, e := math.Frexp(b.first)
		return isOriginal != nil && !isOriginal(e-1)
	})
}

// part tries one part of a binade, and returns the work.
func (p *plan) part(b *binade) int {
	s := sweep{f: p.of(b), tolerance: b.tolerance, found: b.keep}
	count := 52 - b.level // log2 of the number of parts
	i := uint64(b.done^b.order) & (1<<count - 1)
	i = bits.Reverse64(i) >> (64 - count)
	s.block(next(b.first, i<<b.level), b.level)
	b.done++
	b.work += s.work
	p.tried += s.tried
	return s.work
}

// write prints n arguments, half of them of each class.
func (p *plan) write(w io.Writer, binary bool, n int) {
	//lastbit:ignore libm a comment for people
	fmt.Fprintf(w, "# of 2^%.1f arguments\n", math.Log2(p.tried))
	for class := range classes {
		chosen := choose(p.binades, class, n/2)
		hardest := math.Inf(1)
		for _, h := range chosen {
			hardest = min(hardest, h.distance)
		}
		//lastbit:ignore libm a comment for people
		fmt.Fprintf(w, "# next to %s: to 2^%.1f ulp\n", classNames[class], math.Log2(hardest))
		for _, h := range chosen {
			if fmt.Fprintf(w, "%x", h.x); binary {
				fmt.Fprintf(w, " %x", h.y)
			}
			fmt.Fprintln(w)
		}
	}
}
