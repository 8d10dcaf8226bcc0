package binned

import (
	"math/rand/v2"
	"testing"
)

// splitRandomly cuts x into parts, some of them empty.
func splitRandomly[T Float](rng *rand.Rand, x []T) [][]T {
	parts := [][]T{nil}
	for len(x) > 0 {
		m := rng.IntN(min(len(x), 1+rng.IntN(400)) + 1)
		parts = append(parts, x[:m])
		x = x[m:]
	}
	return parts
}

// merged sums the parts and merges them in a random tree, through vectors half
// of the time.
func (a algorithm[T]) merged(t *testing.T, rng *rand.Rand, parts [][]T, n int64, k int) T {
	t.Helper()
	return a.reduce(t, parts, n, k, func(m int) (int, int) {
		i, j := rng.IntN(m), rng.IntN(m-1)
		if j >= i {
			j++
		}
		return i, j
	}, rng.IntN(2) == 0)
}

// reduce sums the parts and merges their states. Of m states next returns the
// one that stays and the one that is merged into it.
func (a algorithm[T]) reduce(t *testing.T, parts [][]T, n int64, k int,
	next func(m int) (into, from int), vectors bool) T {
	t.Helper()
	if a.partial != nil {
		var top T
		for _, p := range parts {
			top = max(top, MaxAbs(p))
		}
		return reduce(t, parts, next, vectors, func() state[T] {
			p, err := a.partial(n, k, top)
			if err != nil {
				t.Fatal(err)
			}
			return partialState[T]{p}
		})
	}
	return reduce(t, parts, next, vectors, func() state[T] {
		w, err := a.window(n, k)
		if err != nil {
			t.Fatal(err)
		}
		return windowState[T]{w}
	})
}

// state is the interface that Partial and Window share.
type state[T Float] interface {
	AddSlice(x []T)
	Sum() (T, error)
	AppendVector(v []float64) []float64
	SetVector(v []float64) error
	merge(s state[T]) error
	mergeVectors(dst, src []float64) error
}

type partialState[T Float] struct{ *Partial[T] }

func (p partialState[T]) merge(s state[T]) error { return p.Merge(s.(partialState[T]).Partial) }

// mergeVectors adds element by element, as MPI_SUM does.
func (p partialState[T]) mergeVectors(dst, src []float64) error {
	for i, x := range src {
		dst[i] += x
	}
	return nil
}

type windowState[T Float] struct{ *Window[T] }

func (w windowState[T]) merge(s state[T]) error { return w.MergeLevels(s.(windowState[T]).Window) }

func (w windowState[T]) mergeVectors(dst, src []float64) error { return MergeVectors(dst, src) }

// reduce sums the parts, and merges their states or vectors.
func reduce[T Float](t *testing.T, parts [][]T, next func(int) (int, int), vectors bool,
	create func() state[T]) T {
	t.Helper()
	states, vecs := make([]state[T], len(parts)), make([][]float64, len(parts))
	for i, p := range parts {
		states[i] = create()
		if w, ok := states[i].(windowState[T]); ok && i%2 == 1 {
			for _, v := range p {
				w.Add(v)
			}
		} else {
			states[i].AddSlice(p)
		}
		if vectors {
			vecs[i] = states[i].AppendVector(nil)
		}
	}
	for m := len(parts); m > 1; m-- {
		i, j := next(m)
		var err error
		if vectors {
			err = states[0].mergeVectors(vecs[i], vecs[j])
		} else {
			err = states[i].merge(states[j])
		}
		if err != nil {
			t.Fatal(err)
		}
		states[j], vecs[j] = states[m-1], vecs[m-1]
	}
	if vectors {
		if err := states[0].SetVector(vecs[0]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := states[0].Sum()
	return must(t, s, err)
}
