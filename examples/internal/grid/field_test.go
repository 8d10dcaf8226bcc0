package grid

import (
	"math"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

const (
	golden = "c06e05beb3b87f59" // of 20×20 values after 50 steps
	n      = 20
	steps  = 50
)

// TestGolden shares the rows out among ranks, and a rank's rows among workers.
func TestGolden(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 7, n} {
		for workers := 1; workers <= 3; workers++ {
			if h, err := hashOf(size, workers); err != nil || h != golden {
				t.Errorf("%d ranks of %d workers: hash %s (%v), want %s", size, workers, h, err,
					golden)
			}
		}
	}
}

// hashOf computes by goroutines as ranks.
func hashOf(size, workers int) (hash string, err error) {
	job := &job{size: size, boxes: make([]chan []float64, size*size),
		parts: make(chan exact.Accumulator), totals: make(chan exact.Accumulator)}
	for i := range job.boxes {
		job.boxes[i] = make(chan []float64, 2)
	}
	var all sync.WaitGroup
	results, errs := make([][]float64, size), make([]error, size)
	for rank := range size {
		all.Go(func() { results[rank], errs[rank] = compute(member{job, rank}, workers) })
	}
	all.Wait()
	for rank, err := range errs {
		if err != nil || rank > 0 && results[rank] != nil {
			return "", err
		}
	}
	return demo.NewHash().Floats(results[0]).String(), nil
}

func compute(ranks Ranks, workers int) ([]float64, error) {
	f, err := New(ranks, n, workers)
	for i := 0; err == nil && i < steps; i++ {
		err = f.Step()
	}
	if err != nil {
		return nil, err
	}
	return f.Gather()
}

// job is a world of goroutines that are its ranks.
type job struct {
	size          int
	boxes         []chan []float64 // from rank i to rank j: i·size + j
	parts, totals chan exact.Accumulator
}

// member is one of its ranks.
type member struct {
	*job
	rank int
}

func (m member) Rank() int { return m.rank }
func (m member) Size() int { return m.size }

func (m member) Shift(send []float64, to int, receive []float64, from int) error {
	if to != Nobody {
		m.boxes[m.rank*m.Size()+to] <- append([]float64(nil), send...)
	}
	if from != Nobody {
		copy(receive, <-m.boxes[from*m.Size()+m.rank])
	}
	return nil
}

// Merge lets rank 0 add in the order of arrival, and answer.
func (m member) Merge(a *exact.Accumulator) error {
	if m.rank > 0 {
		m.parts <- *a
		*a = <-m.totals
		return nil
	}
	for range m.size - 1 {
		part := <-m.parts
		a.Merge(&part)
	}
	for range m.size - 1 {
		m.totals <- *a
	}
	return nil
}

// TestNaive shows the need: a norm whose parts are added in the order of the
// ranks gives other fields for each number of ranks.
func TestNaive(t *testing.T) {
	const counts = 6
	hashes := map[string]bool{}
	for size := 1; size <= counts; size++ {
		f, err := New(Alone{}, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			if err := f.exchange(); err != nil {
				t.Fatal(err)
			}
			f.advance(naiveNorm(f.own(), size))
		}
		hashes[demo.NewHash().Floats(f.own()).String()] = true
	}
	t.Logf("norms of parts: %d different hashes for %d numbers of ranks", len(hashes), counts)
	if len(hashes) == 1 {
		t.Error("the number of ranks makes no difference: the field proves nothing")
	}
}

func naiveNorm(x []float64, size int) float64 {
	var sum float64
	for rank := range size {
		var part float64
		from, to := rowsOf(n, rank, size)
		for _, v := range x[from*n : to*n] {
			part += float64(v * v)
		}
		sum += part
	}
	return math.Sqrt(sum)
}

func TestTooManyRanks(t *testing.T) {
	if _, err := hashOf(n+1, 1); err == nil {
		t.Error("more ranks than rows are accepted")
	}
}
