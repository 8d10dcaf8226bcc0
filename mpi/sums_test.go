package mpi

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/exact"
)

// sums compares the reproducible sums over ranks with the sums of one process,
// for parts of every size, empty ones included, and in other orders.
func sums(c *Comm) error {
	for seed := range uint64(2) {
		x, y := values(seed, 1), values(seed, 2)
		mine := share(c, seed, x)
		err := errors.Join(exactly(c, x, mine), windows(c, x, mine),
			windows(c, narrow(x), narrow(mine)), partials(c, x, mine), together(c, x, y, mine))
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return errors.Join(special(c), mismatch(c))
}

// values are numbers of both signs, over a range of exponents that is wide for
// some seeds. Most of their sum cancels.
func values(seed, stream uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, stream))
	x := make([]float64, 5000)
	for i := range x {
		x[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(1+40*int(seed)))
		if i > 0 && rng.IntN(3) == 0 {
			x[i] = -x[rng.IntN(i)]
		}
	}
	return x
}

// share returns the part of x that belongs to this rank, in any order.
func share(c *Comm, seed uint64, x []float64) (mine []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	order := rng.Perm(len(x))
	for _, i := range order {
		if owner := int(float64(c.Size()) * rng.Float64() * rng.Float64()); owner == c.Rank() &&
			c.Rank() != 2 {
			mine = append(mine, x[i])
		} else if owner == 2 && c.Rank() == 0 { // rank 2 has nothing
			mine = append(mine, x[i])
		}
	}
	return mine
}

func narrow(x []float64) []float32 {
	y := make([]float32, len(x))
	for i := range x {
		y[i] = float32(x[i])
	}
	return y
}

// same compares bits.
func same[T binned.Float](what string, got, want T) error {
	if math.Float64bits(float64(got)) != math.Float64bits(float64(want)) &&
		(got == got || want == want) {
		return fmt.Errorf("%s: %v over the ranks, %v alone", what, got, want)
	}
	return nil
}

func exactly(c *Comm, x, mine []float64) error {
	var a exact.Accumulator
	a.AddSlice(mine)
	if err := AllreduceExact(c, &a); err != nil {
		return err
	}
	if a.Count() != int64(len(x)) {
		return fmt.Errorf("%d numbers were added, not %d", a.Count(), len(x))
	}
	return same("exact", a.Float64(), exact.Sum(x))
}

// together merges two accumulators in one reduction.
func together(c *Comm, x, y, mine []float64) error {
	var a, b exact.Accumulator
	a.AddSlice(mine)
	if c.Rank() == c.Size()-1 {
		b.AddSlice(y)
	}
	err := AllreduceExact(c, &a, &b)
	return errors.Join(err, same("the first of two", a.Float64(), exact.Sum(x)),
		same("the second of two", b.Float64(), exact.Sum(y)))
}

func windows[T binned.Float](c *Comm, x, mine []T) error {
	for k := 1; k <= 3; k += 2 {
		single, err := binned.NewSingleSweep[T](int64(len(x)), k)
		if err != nil {
			return err
		}
		want, err := binned.SingleSweep(x, k)
		if err != nil {
			return err
		}
		one, err := binned.NewOneReduction[T](k)
		if err != nil {
			return err
		}
		wantOne, err := binned.OneReduction(x, k)
		if err != nil {
			return err
		}
		err = errors.Join(window(c, "single sweep", single, mine, want),
			window(c, "one reduction", one, mine, wantOne))
		if err != nil {
			return fmt.Errorf("k = %d: %w", k, err)
		}
	}
	return nil
}

func window[T binned.Float](c *Comm, what string, w *binned.Window[T], mine []T, want T) error {
	w.AddSlice(mine)
	if err := AllreduceWindow(c, w); err != nil {
		return err
	}
	sum, err := w.Sum()
	return errors.Join(err, same(what, sum, want))
}

func partials(c *Comm, x, mine []float64) error {
	const k = 3
	top := []float64{binned.MaxAbs(mine)}
	if err := Allreduce(c, top, Max); err != nil {
		return err
	}
	for _, algorithm := range []struct { // in one order in all ranks
		name  string
		parts func(int64, int, float64) (*binned.Partial[float64], error)
		alone func([]float64, int) (float64, error)
	}{
		{"double sweep", binned.NewDoubleSweep[float64], binned.DoubleSweep[float64]},
		{"Algorithm 3", binned.NewAlgorithm3[float64], binned.Algorithm3[float64]},
		{"Algorithm 4", binned.NewAlgorithm4[float64], binned.Algorithm4[float64]},
	} {
		p, err := algorithm.parts(int64(len(x)), k, top[0])
		if err != nil {
			return err
		}
		p.AddSlice(mine)
		if err := AllreducePartial(c, p); err != nil {
			return err
		}
		want, err := algorithm.alone(x, k)
		sum, failed := p.Sum()
		if err := errors.Join(err, failed, same(algorithm.name, sum, want)); err != nil {
			return err
		}
	}
	return nil
}

// special sums infinities and NaN, and values that MPI_SUM gets wrong: the
// ranks give 2^60, 1, −2^60, 1, and zeros from then on.
func special(c *Comm) error {
	all := [][]float64{
		{0x1p60, 1, -0x1p60, 1},
		{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
		{math.Inf(1), 1, 2}, {1, math.Inf(1), math.Inf(-1)}, {math.NaN()},
		{math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64},
		{}, {math.Copysign(0, -1), math.Copysign(0, -1)}, {math.Copysign(0, -1), 0},
	}
	accumulators, states := make([]exact.Accumulator, len(all)), make([]Limbs, len(all))
	for i, x := range all {
		for j, v := range x {
			if j%c.Size() == c.Rank() {
				accumulators[i].Add(v)
			}
		}
		states[i] = &accumulators[i]
	}
	if err := AllreduceExact(c, states...); err != nil {
		return err
	}
	for i, x := range all {
		if err := same(fmt.Sprint(x), accumulators[i].Float64(), exact.Sum(x)); err != nil {
			return err
		}
	}
	return nil
}

// mismatch holds that ranks with different parameters all get an error.
func mismatch(c *Comm) error {
	if c.Size() == 1 {
		return nil
	}
	w, err := binned.NewSingleSweep[float64](int64(100+c.Rank()/(c.Size()-1)), 3)
	if err != nil {
		return err
	}
	w.Add(float64(c.Rank()))
	if AllreduceWindow(c, w) == nil {
		return fmt.Errorf("windows for %d and for %d numbers were merged", 100, 101)
	}
	if sum, err := w.Sum(); err != nil || sum != float64(c.Rank()) {
		return fmt.Errorf("then rank %d has %v (%v)", c.Rank(), sum, err)
	}
	return nil
}
