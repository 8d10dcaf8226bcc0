// Command hard searches for arguments of elementary functions that are hard to
// round: the result lies within 2^-30 ulp of a number of 53 or 54 bits, that
// is, of a representable number or of the midpoint of two. It prints them, for
// crmath/internal/args.
//
//	hard -f exp -n 250 > internal/args/hard/exp.txt
//
// With -sweep it searches for the hardest arguments of all, within 2^-43 to
// 2^-75 ulp after some seconds to minutes, for package internal/hardest:
//
//	hard -f exp -n 240 -sweep 100 > ../internal/hardest/exp.txt
//
// With -long 60 as well it then tries whole binades near 0, where most
// functions are so flat that this takes seconds, and reaches 2^-54 ulp. A
// search that is interrupted prints what it found, and the call that finds the
// same.
//
// Functions of a number and an integer have MPFR's names: pow_si, compound_si,
// rootn_si.
//
// Files:
//   - main.go: the functions, their domains, and random runs;
//   - lattice.go, fixed.go: the arithmetic of a sweep;
//   - sweep.go, plan.go, keep.go: a block of arguments, the order of the
//     blocks, and the choice of the hardest;
//   - divisors.go: hard arguments of gamma, from number theory.
//
// Without -sweep, it takes short random runs of successive arguments: one in
// 2^28 is so hard. On a run the function is a parabola to far more than the
// bits that matter, and the search steps through it by differences, in
// fixed-point arithmetic modulo half an ulp (LefevreMuller2001, section 2): two
// additions and a comparison for an argument. 256 bits of MPFR confirm each
// hit.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/lastbit/lastbit/internal/mpfr"
)

// domain bounds the search for a function: exponents from lo to hi, positive or
// of either sign. Closer to 0 many functions are so close to x, or to 1, that
// all arguments seem hard; that neighbourhood has tests of its own.
type domain struct {
	lo, hi   int
	negative bool
}

var unary = map[string]domain{
	"exp":   {-14, 9, true},
	"exp2":  {-14, 9, true},
	"exp10": {-14, 8, true},
	"expm1": {-12, 4, true},
	"log":   {-1000, 1000, false},
	"log2":  {-1000, 1000, false},
	"log10": {-1000, 1000, false},
	"log1p": {-12, 60, true},
	"sin":   {-12, 10, true},
	"cos":   {-12, 10, true},
	"tan":   {-12, 10, true},
	"asin":  {-12, -1, true},
	"acos":  {-12, -1, true},
	"atan":  {-12, 20, true},
	"sinh":  {-12, 9, true},
	"cosh":  {-12, 9, true},
	"tanh":  {-12, 3, true},
	"asinh": {-12, 60, true},
	"acosh": {0, 60, false},
	"atanh": {-12, -1, true},
	"cbrt":  {-300, 300, true},

	"erf":      {-12, 1, true},
	"erfc":     {-12, 3, false},
	"gamma":    {-12, 6, true},
	"lgamma":   {-12, 60, true},
	"exp2m1":   {-12, 5, true},
	"exp10m1":  {-12, 3, true},
	"log2p1":   {-12, 60, true},
	"log10p1":  {-12, 60, true},
	"sinpi":    {-12, 8, true},
	"cospi":    {-12, 8, true},
	"tanpi":    {-12, 8, true},
	"asinpi":   {-12, -1, true},
	"acospi":   {-12, -1, true},
	"atanpi":   {-12, 20, true},
	"rec_sqrt": {-300, 300, false},
}

// binary holds the domains of functions of two arguments. The first varies in a
// run. The second may be an integer.
var binary = map[string]struct {
	x, y    domain
	integer bool
}{
	"pow":         {domain{-6, 6, false}, domain{-24, 6, true}, false},
	"atan2":       {domain{-8, 8, true}, domain{-8, 8, true}, false},
	"hypot":       {domain{-8, 8, true}, domain{-8, 8, true}, false},
	"pow_si":      {domain{-6, 6, true}, domain{1, 5, true}, true},
	"compound_si": {domain{-30, 5, true}, domain{1, 20, true}, true},
	"rootn_si":    {domain{-300, 300, false}, domain{1, 30, true}, true},
}

// random returns an argument to begin a run with: all of the run has its
// exponent.
func (d domain) random(rng *rand.Rand) float64 {
	x := math.Ldexp(1+float64(rng.Float64()*(1-0x1p-30)), d.lo+rng.IntN(d.hi-d.lo+1))
	if d.negative && rng.IntN(2) == 0 {
		return -x
	}
	return x
}

// run is the number of arguments of a run. It makes 2^-32 of the third
// difference, below 2^-77 of an ulp for e^x at 2^9, and no more of the second's
// rounding to 2^-64.
const run = 1 << 16

// tolerance is 2^-30 ulp, in units of 2^-64 of half an ulp. Candidates within
// coarse are examined with more digits.
const (
	tolerance = 1 << 35
	coarse    = 2 * tolerance
)

// fraction returns the bits after the 54th: the distance from the number of 54
// bits below, in units of 2^-64 of half an ulp.
func fraction(d mpfr.Digits) uint64 { return d.M[0]<<54 | d.M[1]>>10 }

// hard reports whether a result is within the tolerance, but not exact.
func hard(d mpfr.Digits) bool {
	if d.M[1]<<54|d.M[2]|d.M[3] == 0 && fraction(d) == 0 {
		return false
	}
	return fraction(d)+tolerance < 2*tolerance
}

func next(x float64, i uint64) float64 { return math.Float64frombits(math.Float64bits(x) + i) }

// search calls found for hard arguments in the run that begins with x, four at
// most: where more are hard, the function is next to a constant or to its
// argument.
func search(f func(float64) (mpfr.Digits, bool), x float64, found func(float64)) {
	var y [4]mpfr.Digits
	for j, i := range [4]uint64{0, 1, 2, run - 1} {
		var ok bool
		if y[j], ok = f(next(x, i)); !ok || y[j].Exp != y[0].Exp {
			return
		}
	}
	f0, f1, f2 := fraction(y[0]), fraction(y[1]), fraction(y[2])
	d0, d1, d2 := f0, f1-f0, f2-2*f1+f0
	count := 0
	for i := range uint64(run) {
		if d0+coarse < 2*coarse {
			if y, ok := f(next(x, i)); ok && hard(y) {
				found(next(x, i))
				if count++; count == 4 {
					return
				}
			}
		}
		d0 += d1
		d1 += d2
	}
}

func main() {
	name := flag.String("f", "exp", "function")
	n := flag.Int("n", 250, "how many arguments")
	seed := flag.Uint64("seed", 1, "of the random runs")
	work := flag.Int("sweep", 0, "sweep so many million lines, for the hardest arguments")
	more := flag.Int("long", 0, "after that, so many million lines where they are longest")
	flag.Parse()
	l, err := mpfr.Open()
	if err != nil {
		log.Fatal(err)
	}
	xs, ys, f, err := function(l, *name)
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(*seed, 0))
	w := bufio.NewWriter(os.Stdout)
	head := fmt.Sprintf("# go run ./internal/hard -f %s -n %d -seed %d", *name, *n, *seed)
	if *work > 0 {
		if d, ok := swept[*name]; ok {
			xs.lo, xs.hi = d.lo, d.hi
		}
		p := newPlan(f, xs, ys, rng)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		head += fmt.Sprintf(" -sweep %d", p.run(ctx, p.binades, *work, leastWork))
		if *more > 0 {
			longest := p.long(*name, ys, rng)
			head += fmt.Sprintf(" -long %d", p.run(ctx, longest, *more, longestLines))
		}
		if *name == "gamma" {
			p.tryReciprocals()
		}
		fmt.Fprintln(w, head)
		p.write(w, ys != nil, *n)
	} else {
		fmt.Fprintln(w, head)
		for _, s := range runs(f, xs, ys, rng, *n) {
			fmt.Fprintln(w, s)
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

// draw draws a second argument.
type draw func(*rand.Rand) float64

// function returns a function, the domain of its first argument and a source of
// second ones. ys is nil for a function of one argument.
func function(l *mpfr.Library, name string) (xs domain, ys draw,
	f func(x, y float64) (mpfr.Digits, bool), err error) {
	if d, ok := unary[name]; ok {
		u, err := l.Unary(name)
		return d, nil, func(x, _ float64) (mpfr.Digits, bool) { return u.Digits(x) }, err
	}
	if d, ok := binary[name]; ok {
		if d.integer {
			w, err := l.WithInt(name)
			whole := func(rng *rand.Rand) float64 { return math.Trunc(d.y.random(rng)) }
			return d.x, whole, func(x, n float64) (mpfr.Digits, bool) {
				return w.Digits(x, int(n)) //lastbit:ignore floatconv below 2^31
			}, err
		}
		b, err := l.Binary(name)
		return d.x, d.y.random, func(x, y float64) (mpfr.Digits, bool) {
			return b.Digits(x, y)
		}, err
	}
	return xs, nil, nil, fmt.Errorf("hard: no domain is known for %s", name)
}

// runs returns n hard arguments of random runs, or pairs of them, as text.
func runs(f func(x, y float64) (mpfr.Digits, bool), xs domain, ys draw, rng *rand.Rand,
	n int) (lines []string) {
	for len(lines) < n {
		y, second := 0.0, ""
		if ys != nil {
			y = ys(rng)
			second = fmt.Sprintf(" %x", y)
		}
		search(func(x float64) (mpfr.Digits, bool) { return f(x, y) }, xs.random(rng),
			func(x float64) { lines = append(lines, fmt.Sprintf("%x", x)+second) })
	}
	slices.Sort(lines)
	return lines
}
