package libm

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/hardest"
)

// A Set names a kind of arguments to measure a function with.
type Set int

// The sets of arguments.
const (
	Typical Set = iota // evenly spread over the function's range
	Domain             // of every binade and sign with finite results other than 0
	Hard               // whose values are hardest to round
)

// Sets returns all sets.
func Sets() []Set { return []Set{Typical, Domain, Hard} }

// Numbers of hard arguments: of a measurement, which repeats them in random
// order, and of a function of float32.
const (
	hardCount   = 1 << 13
	hardSingles = 1 << 8
)

// Arguments returns the arguments of a set in random order. y is nil for a
// function of one argument; both are nil if the set is empty.
func (f *Function[T]) Arguments(s Set) (x, y []T, err error) {
	switch s {
	case Domain:
		return f.everyBinade()
	case Hard:
		return f.hard()
	}
	x, y = f.Typical()
	return x, y, nil
}

// everyBinade returns numbers of either sign with evenly spread exponents, from
// the smallest subnormal number on, without those whose result is NaN, infinite
// or 0: outside of the domain, overflow and underflow.
func (f *Function[T]) everyBinade() (x, y []T, err error) {
	rng := rand.New(rand.NewPCG(5, 6))
	format := FormatOf[T]()
	least, binades := format.MinExp()-format.Precision()+1, format.MaxExp()+1
	binades -= least
	const batch = 1 << 12
	for len(x) < typicalCount {
		a, b := f.draw(batch, func(int) T {
			v := math.Ldexp(1+rng.Float64(), least+rng.IntN(binades))
			return T(math.Copysign(min(v, format.Max()), rng.Float64()-0.5))
		})
		right := make([]T, f.Results*batch)
		if err := f.right(right, a, b); err != nil {
			return nil, nil, err
		}
		for i, v := range right[:batch] {
			if size := math.Abs(float64(v)); size > 0 && size <= format.Max() {
				x = append(x, a[i])
				if b != nil {
					y = append(y, b[i])
				}
			}
		}
	}
	return x, y, nil
}

// hard returns the hardest arguments of package hardest, and for float32 the
// hardest arguments of the other sets.
func (f *Function[T]) hard() (x, y []T, err error) {
	if FormatOf[T]() == fp.Binary32 {
		x, y, err = f.hardOfOthers()
	} else {
		x, y = f.hardListed()
	}
	if len(x) == 0 || err != nil {
		return nil, nil, err
	}
	rng := rand.New(rand.NewPCG(7, 8))
	var a, b []T
	for range hardCount {
		i := rng.IntN(len(x))
		a = append(a, x[i])
		if y != nil {
			b = append(b, y[i])
		}
	}
	return a, b, nil
}

// hardListed returns the arguments of package hardest; sincos has the arguments
// of both sin and cos.
func (f *Function[T]) hardListed() (x, y []T) {
	names := []string{f.hardName()}
	if f.Results == 2 {
		names = []string{"sin", "cos"}
	}
	for _, name := range names {
		a, b := hardest.Arguments(name)
		for _, v := range a {
			x = append(x, T(v))
		}
		for _, v := range b {
			y = append(y, T(v))
		}
	}
	return x, y
}

// hardNames holds MPFR's names of functions, which package hardest has, where
// they are others.
var hardNames = map[string]string{"rsqrt": "rec_sqrt", "pown": "pow_si",
	"compound": "compound_si", "rootn": "rootn_si"}

// hardName returns package hardest's name of a function.
func (f *Function[T]) hardName() string { return cmp.Or(hardNames[f.Name], f.Name) }

// hardOfOthers returns the hardSingles arguments of the other sets whose
// results are closest to a midpoint.
func (f *Function[T]) hardOfOthers() (x, y []T, err error) {
	x, y = f.Typical()
	a, b, err := f.everyBinade()
	if err != nil {
		return nil, nil, err
	}
	j := Job[T]{Function: f, X: append(x, a...), Y: append(y, b...)}
	j.Out = make([]T, f.Results*len(j.X))
	if err := f.right(j.Out, j.X, j.Y); err != nil {
		return nil, nil, err
	}
	type rated struct {
		x, y  T
		error float64
	}
	all := make([]rated, len(j.X))
	for i := range all {
		v, w, _ := j.arguments(i)
		all[i] = rated{v, w, math.Abs(f.deviation(0, j.Out[i], v, w))}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(b.error, a.error) })
	x, y = nil, nil
	for _, r := range all[:hardSingles] {
		x = append(x, r.x)
		if f.Binary {
			y = append(y, r.y)
		}
	}
	return x, y, nil
}
