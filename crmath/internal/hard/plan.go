package main

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/mpfr"
)

// swept holds the exponents of the sweeps of some functions: beyond them the
// results are so close to 1, to x or to a constant that all seem hard. Other
// functions' sweeps have the domains of the search.
var swept = map[string]struct{ lo, hi int }{
	"exp": {-24, 9}, "exp2": {-24, 9}, "exp10": {-24, 8}, "expm1": {-24, 4}, "log1p": {-24, 60},
	"sin": {-12, 8}, "cos": {-12, 8}, "tan": {-12, 8}, "acos": {-24, -1}, "tanh": {-12, 2},
}

// A plan tries parts of all binades in turn, until it has spent its work.
type plan struct {
	f       func(x, y float64) (mpfr.Digits, bool)
	binades []*binade
	tried   float64 // arguments
}

// newPlan returns a plan for a function of one argument, or of two: then a
// binade has a second argument, drawn from ys.
func newPlan(f func(x, y float64) (mpfr.Digits, bool), xs domain, ys *domain,
	rng *rand.Rand) *plan {
	p := &plan{f: f}
	add := func(e int, sign float64) {
		b := &binade{first: math.Copysign(math.Ldexp(1, e), sign), order: int(rng.Uint32())}
		if ys != nil {
			b.y = ys.random(rng)
		}
		b.level = p.partLevel(b)
		p.binades = append(p.binades, b)
	}
	mirrored := p.isMirrored(xs, ys, rng)
	for e := xs.lo; e <= xs.hi; e++ {
		switch {
		case mirrored: // the signs take turns
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
	return p
}

// isMirrored reports whether |f(-x)| is |f(x)|, judging by some arguments.
func (p *plan) isMirrored(xs domain, ys *domain, rng *rand.Rand) bool {
	for range 8 {
		x, y := xs.random(rng), 0.0
		if ys != nil {
			y = ys.random(rng)
		}
		a, _ := p.f(x, y)
		if b, ok := p.f(-x, y); !ok || a != b {
			return false
		}
	}
	return xs.negative
}

// partWork is the work of a part in lines, more or less.
const partWork = 1 << 16

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

// run spends some work, in lines. Each part goes to the binade that had least.
func (p *plan) run(work int) {
	for spent := 0; spent < work; {
		var least *binade
		for _, b := range p.binades {
			if b.done < 1<<(52-b.level) && (least == nil || b.work < least.work) {
				least = b
			}
		}
		if least == nil {
			return
		}
		spent += p.part(least)
	}
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
