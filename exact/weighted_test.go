package exact

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// TestWeightedStates compares weighted states with the functions of slices.
func TestWeightedStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for i, d := range distributions {
		x := d.draw(rng, 60)
		w := distributions[(i+5)%len(distributions)].draw(rng, 60)
		switch i % 4 {
		case 1:
			x[7] = math.Inf(1)
		case 2:
			w[9] = math.NaN()
		}
		var mean WeightedMean
		var m WeightedMoments
		mean.AddSlice(x, w)
		for i, v := range x {
			m.Add(v, w[i])
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"mean", mean.Mean(), Mean(x, w)}, {"mean of moments", m.Mean(), Mean(x, w)},
			{"weight", m.Weight(), Sum(w)}, {"variance", m.Variance(), Variance(x, w)},
			{"deviation", m.StdDev(), StdDev(x, w)},
		} {
			if !same(c.got, c.want) {
				t.Errorf("%s: the %s is %v, not %v", d.name, c.name, c.got, c.want)
			}
		}
	}
	var m WeightedMoments
	m.AddSlice([]float64{1, 2, 4}, []float64{0.5, 0.25, 0.25})
	// µ = 2, Σ w·(x − µ)² = 1.5, Σ w² = 0.375
	if m.PopVariance() != 1.5 || m.ReliabilityVariance() != 2.4 || m.EffectiveCount() != 1/0.375 ||
		m.PopStdDev() != math.Sqrt(1.5) || !math.IsInf(m.Variance(), 1) {
		t.Errorf("%v, %v, %v, %v", m.PopVariance(), m.ReliabilityVariance(), m.EffectiveCount(),
			m.Variance())
	}
	n := m
	n.Add(3, 1)
	if m.Count() != 3 || n.Count() != 4 || m.PopVariance() != 1.5 {
		t.Error("adding to a copy changes the original")
	}
}

func TestHistogram(t *testing.T) {
	for _, edges := range [][]float64{nil, {1}, {1, 1}, {2, 1}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if _, err := NewHistogram(edges); !errors.Is(err, ErrEdges) {
			t.Errorf("edges %v: %v", edges, err)
		}
	}
	edges := []float64{-1, math.Copysign(0, -1), 0.1, 5}
	h, err := NewHistogram(edges)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{-1, -0x1p-1074, math.Copysign(0, -1), 0, 0.1, 5, math.Nextafter(5, 6),
		math.Nextafter(-1, -2), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64}
	h.AddSlice(x)
	for i, want := range []int64{2, 2, 2} {
		if b := h.Bin(i); b.Count() != want {
			t.Errorf("bin %d has %d numbers, not %d", i, b.Count(), want)
		}
	}
	if want := (Outside{Below: 1, Above: 2, NaN: 1, PosInf: 1, NegInf: 1}); h.Outside() != want ||
		h.Count() != int64(len(x)) {
		t.Errorf("outside are %+v", h.Outside())
	}
	parts := []*Histogram{h.Clone(), h.Clone()}
	parts[0].Add(0.05)
	if h.Count() != int64(len(x)) {
		t.Error("adding to a clone changes the original")
	}
	for _, err := range []error{parts[0].Merge(h), parts[0].Sub(parts[1])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	h.Add(0.05)
	if parts[0].Digest() != h.Digest() {
		t.Error("merging and removing gives another state")
	}
	other, _ := NewHistogram([]float64{-1, 5})
	if err := h.Merge(other); !errors.Is(err, ErrEdges) {
		t.Errorf("other edges: %v", err)
	}
	if h.Edges()[1] != 0 || math.Signbit(h.Edges()[1]) {
		t.Error("an edge is −0")
	}
}

func FuzzUnmarshalHistogram(f *testing.F) {
	h, _ := NewHistogram([]float64{-1, 0, 2})
	h.AddSlice([]float64{-3, -0.5, 1, math.Inf(1)})
	b, _ := h.MarshalBinary()
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var h Histogram
		if h.UnmarshalBinary(b) != nil {
			return
		}
		if again, _ := h.MarshalBinary(); string(again) != string(b) {
			t.Fatalf("% x is taken, but its state is written % x", b, again)
		}
	})
}

func FuzzUnmarshalWeightedMoments(f *testing.F) {
	addStates(f, func(m *WeightedMoments, x []float64) { m.AddSlice(x, x) })
	f.Fuzz(func(t *testing.T, b []byte) {
		var m WeightedMoments
		if holdTaken(t, &m, b) {
			m.Mean()
			m.Variance()
			m.ReliabilityVariance()
		}
	})
}
