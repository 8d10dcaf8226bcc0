package binned

import (
	"math"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, a := range algorithms[float32]() {
		for _, k := range []int{-1, 0, MaxLevels + 1} {
			if _, err := a.sum(make([]float32, 4), k); err == nil {
				t.Errorf("%s with k = %d: no error", a.name, k)
			}
		}
		if _, err := a.sum([]float32{3}, MaxLevels); err != nil {
			t.Errorf("%s with k = %d: %v", a.name, MaxLevels, err)
		}
		_, err := a.sum(make([]float32, MaxCount[float32]()+1), 2)
		if (err == nil) != (a.name == "OneReduction") {
			t.Errorf("%s of more than MaxCount values: %v", a.name, err)
		}
		if a.partial != nil {
			for _, m := range []float32{-1, float32(math.NaN()), float32(math.Inf(1))} {
				if _, err := a.partial(3, 2, m); err == nil {
					t.Errorf("%s with the maximum %v: no error", a.name, m)
				}
			}
			p, _ := a.partial(3, 2, 1)
			q, _ := a.partial(3, 2, 1)
			q.AddSlice([]float32{0.5, -2})
			if err := p.Merge(q); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Sum(); err == nil {
				t.Errorf("%s with a value above the maximum: no error", a.name)
			}
			for _, other := range []struct {
				n int64
				k int
				m float32
			}{{4, 2, 1}, {3, 1, 1}, {3, 2, 0.5}} {
				if q, _ := a.partial(other.n, other.k, other.m); p.Merge(q) == nil {
					t.Errorf("%s merges partial sums with other parameters %v", a.name, other)
				}
			}
		}
	}
	p, _ := NewDoubleSweep[float64](2, 1, 1)
	w, _ := NewSingleSweep[float64](2, 1)
	p.AddSlice([]float64{1, 1, 1})
	w.AddSlice([]float64{1, 1, 1})
	if _, err := p.Sum(); err == nil {
		t.Error("a Partial takes more than n values")
	}
	if _, err := w.Sum(); err == nil {
		t.Error("a Window takes more than n values")
	}
	one, _ := NewOneReduction[float64](2)
	if w.MergeLevels(one) == nil {
		t.Error("windows of two algorithms are merged")
	}
	if _, err := NewSingleSweep[float32](MaxCount[float32]()+1, 1); err == nil {
		t.Error("n above MaxCount is accepted")
	}
	if _, err := NewSingleSweep[float64](-1, 1); err == nil {
		t.Error("a negative n is accepted")
	}
}
