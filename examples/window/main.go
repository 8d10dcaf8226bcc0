package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("window")
	n := flags.Int("n", 1_000_000, 1, 100_000_000, "numbers that pass through the window")
	width := flags.Int("width", 1000, 1, 1_000_000, "numbers in the window")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	random := demo.Random(1)
	first := amounts(random, *width)
	var w window
	for _, x := range first {
		w.insert(x)
	}
	start := w
	w.pass(first, amounts(random, *n))
	if got, want := w.exact.Digest(), start.exact.Digest(); got != want {
		return fmt.Errorf("the exact state %x has become %x", want[:8], got[:8])
	}
	digest := w.exact.Digest()
	_, err := fmt.Fprintf(stdout,
		"%x  before and after %d numbers; plain drift %.2g, Kahan's %.2g\n",
		digest[:8], *n, w.plain-start.plain, w.kahan.sum-start.kahan.sum)
	return err
}

// amounts returns n numbers between 2^-20 and 2^20.
func amounts(random *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(1+math.Abs(demo.Uniform(random)), random.IntN(40)-20)
	}
	return x
}

// A window holds the sum of its numbers in three ways.
type window struct {
	exact exact.Accumulator
	kahan compensated
	plain float64
}

// pass moves the window, which holds the numbers first, over all numbers of
// others, and back to the first.
func (w *window) pass(first, others []float64) {
	oldest := func(i int) float64 {
		if i < len(first) {
			return first[i]
		}
		return others[i-len(first)]
	}
	for i, x := range others {
		w.insert(x)
		w.remove(oldest(i))
	}
	for i, x := range first {
		w.insert(x)
		w.remove(oldest(len(others) + i))
	}
}

func (w *window) insert(x float64) {
	w.exact.Add(x)
	w.kahan.add(x)
	w.plain += x
}

func (w *window) remove(x float64) {
	var gone exact.Accumulator
	gone.Add(x)
	w.exact.Sub(&gone)
	w.kahan.add(-x)
	w.plain -= x
}

// compensated is Kahan's sum.
type compensated struct{ sum, error float64 }

func (k *compensated) add(x float64) {
	y := x - k.error
	t := k.sum + y
	k.error = (t - k.sum) - y
	k.sum = t
}
