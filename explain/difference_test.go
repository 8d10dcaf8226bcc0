package explain_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
)

var (
	nan     = math.NaN()
	inf     = math.Inf(1)
	minus   = math.Copysign(0, -1)
	next    = math.Nextafter(1, 2)
	tiny    = 0x1p-1074
	payload = math.Float64frombits(0x7ff8000000000123)
)

// TestKinds counts each kind of difference.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b float64
		want explain.Differences
	}{
		{"one ULP", 1, next, explain.Differences{Differing: 1, MaxULPs: 1, MedianULPs: 1}},
		{"equal", 1, 1, explain.Differences{}},
		{"two NaN", nan, payload, explain.Differences{}},
		{"a NaN", nan, 1, explain.Differences{Differing: 1, NaN: 1}},
		{"zeros", 0, minus, explain.Differences{Differing: 1, Zeros: 1}},
		{"infinity", math.MaxFloat64, inf,
			explain.Differences{Differing: 1, Inf: 1, MaxULPs: 1, MedianULPs: 1}},
		{"signs", tiny, -tiny, explain.Differences{Differing: 1, SignFlips: 1, Subnormals: 1,
			MaxULPs: 2, MedianULPs: 2}},
		{"flushed", tiny, 0,
			explain.Differences{Differing: 1, Subnormals: 1, MaxULPs: 1, MedianULPs: 1}},
	} {
		k := explain.NewCounter(fp.Binary64, []int{1}, false)
		k.Add([]float64{c.a}, []float64{c.b})
		d := k.Differences()
		got := explain.Differences{Differing: d.Differing, MaxULPs: d.MaxULPs,
			MedianULPs: d.MedianULPs, SignFlips: d.SignFlips, NaN: d.NaN, Inf: d.Inf,
			Zeros: d.Zeros, Subnormals: d.Subnormals}
		if !equalCounts(got, c.want) {
			t.Errorf("%s: %+v instead of %+v", c.name, got, c.want)
		}
	}
}

func equalCounts(a, b explain.Differences) bool {
	return a.Differing == b.Differing && a.MaxULPs == b.MaxULPs && a.MedianULPs == b.MedianULPs &&
		a.SignFlips == b.SignFlips && a.NaN == b.NaN && a.Inf == b.Inf && a.Zeros == b.Zeros &&
		a.Subnormals == b.Subnormals
}

// TestCounterInParts compares counts of arrays that come in parts with a plain
// computation, in both orders of storage.
func TestCounterInParts(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	shape := []int{5, 30, 40}
	n := 5 * 30 * 40
	a, b := make([]float64, n), make([]float64, n)
	var ulps []float64
	for i := range a {
		a[i] = r.NormFloat64()
		b[i] = a[i]
		if r.IntN(3) == 0 {
			steps := 1 << r.IntN(20)
			b[i] = math.Float64frombits(math.Float64bits(a[i]) + uint64(steps))
			ulps = append(ulps, float64(steps))
		}
	}
	slices.Sort(ulps)
	m := len(ulps)
	median := (ulps[(m-1)/2] + ulps[m/2]) / 2
	for _, fortran := range []bool{false, true} {
		k := explain.NewCounter(fp.Binary64, shape, fortran)
		for i := 0; i < n; {
			to := min(n, i+1+r.IntN(700))
			k.Add(a[i:to], b[i:to])
			i = to
		}
		d := k.Differences()
		if d.Count != int64(n) || d.Differing != int64(m) || d.MedianULPs != median ||
			d.MaxULPs != uint64(ulps[m-1]) {
			t.Errorf("seed %d: %d of %d, at most %d, median %v; want %d, %v, %v", seed, d.Differing,
				d.Count, d.MaxULPs, d.MedianULPs, m, ulps[m-1], median)
		}
		first := slices.IndexFunc(a, func(float64) bool { return true })
		for first < n && a[first] == b[first] {
			first++
		}
		index := []int{first / 1200, first / 40 % 30, first % 40}
		if fortran {
			index = []int{first % 5, first / 5 % 30, first / 150}
		}
		if !slices.Equal(d.First, index) {
			t.Errorf("the first difference is at %v instead of %v", d.First, index)
		}
		var inTiles, inBins int64
		for _, row := range d.Where.Grid {
			for _, c := range row {
				inTiles += c
			}
		}
		for _, bin := range d.Histogram {
			inBins += bin.Count
		}
		if inTiles != int64(m) || inBins != int64(m) {
			t.Errorf("tiles have %d differences, bins %d, of %d", inTiles, inBins, m)
		}
	}
}

// TestClusters describes places.
func TestClusters(t *testing.T) {
	for _, c := range []struct {
		name   string
		shape  []int
		differ func(row, col int) bool
		want   []string
	}{
		{"rows", []int{64, 32}, func(r, _ int) bool { return r >= 8 && r < 16 },
			[]string{"all in rows 8 to 15"}},
		{"tail", []int{64, 33}, func(_, c int) bool { return c >= 32 },
			[]string{"all in column 32"}},
		{"columns", []int{64, 48}, func(_, c int) bool { return c >= 40 },
			[]string{"all in the tail, columns 40 to 47"}},
		{"period", []int{64, 256}, func(_, c int) bool { return c%16 < 4 },
			[]string{"all in columns with number mod 16 = 0 to 3"}},
		{"vector", []int{512}, func(_, c int) bool { return c >= 500 },
			[]string{"all in the tail, elements 500 to 511"}},
		{"everywhere", []int{64, 64}, func(r, c int) bool { return (r*31+c*17)%5 == 0 },
			[]string{}},
	} {
		cols := c.shape[len(c.shape)-1]
		rows := 1
		if len(c.shape) > 1 {
			rows = c.shape[0]
		}
		a, b := make([]float64, rows*cols), make([]float64, rows*cols)
		for i := range a {
			if c.differ(i/cols, i%cols) {
				b[i] = 1
			}
		}
		k := explain.NewCounter(fp.Binary32, c.shape, false)
		k.Add(a, b)
		if got := k.Differences().Where.Clusters; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q instead of %q", c.name, got, c.want)
		}
	}
}

// TestUnknownLength counts vectors whose length is not known before their end.
func TestUnknownLength(t *testing.T) {
	k := explain.NewCounter(fp.Binary16, nil, false)
	a, b := make([]float64, 1000), make([]float64, 1000)
	for i := 900; i < 1000; i++ {
		b[i] = fp.Binary16.Smallest()
	}
	for range 3 {
		k.Add(a, b)
	}
	d := k.Differences()
	if !slices.Equal(d.Shape, []int{3000}) || d.Differing != 300 || d.Bits[0] != 300 ||
		d.First[0] != 900 {
		t.Errorf("%+v", d)
	}
}
