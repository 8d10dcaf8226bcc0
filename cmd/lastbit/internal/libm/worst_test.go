package libm

import (
	"math"
	"testing"
)

// TestWorst searches every result, the right ones too, for the largest error.
func TestWorst(t *testing.T) {
	allLookedAt(t, Go[float64]())
	allLookedAt(t, Go[float32]())
	allLookedAt(t, c[float64](t))
	allLookedAt(t, c[float32](t))
}

func allLookedAt[T Float](t *testing.T, l Library[T]) {
	t.Helper()
	off := 0
	for _, f := range Functions[T]() {
		loop, err := l.Find(f)
		if err != nil {
			t.Fatal(err)
		}
		if loop == nil {
			continue
		}
		x, y := few(f)
		x = x[:2048]
		j := Job[T]{f, make([]T, f.Results*len(x)), x, y}
		if err := loop(j.Out, x, y); err != nil {
			t.Fatal(err)
		}
		want := make([]T, len(j.Out))
		if err := f.right(want, x, y); err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i, got := range j.Out {
			x, y, result := j.arguments(i)
			d := math.Abs(f.deviation(result, got, x, y))
			if right := same(got, want[i]); right && d > 0.5 || !right && d < 0.5 &&
				got != want[i] {
				t.Errorf("%s %s(%v, %v) = %v is off by %v ULPs, right is %v", l.Name, f.Name, x, y,
					got, d, want[i])
			}
			if d > errorBound(got, want[i]) && !same(got, want[i]) {
				t.Errorf("%s %s(%v, %v) = %v is off by %v ULPs, and the bound is %v", l.Name,
					f.Name, x, y, got, d, errorBound(got, want[i]))
			}
			most = max(most, d)
		}
		p, err := l.print(j)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case p.Wrong == 0 && !(p.Worst == 0.5 && most <= 0.5):
			t.Errorf("%s %s: none is wrong, the worst is off by %v ULPs, not %v", l.Name, f.Name,
				most, p.Worst)
		case p.Wrong > 0 && float64(p.Worst) != most:
			t.Errorf("%s %s: the worst is off by %v ULPs, not %v", l.Name, f.Name, most, p.Worst)
		}
		if most > 0.5 {
			off++
		}
	}
	if off < 10 && l.Name == "c" {
		t.Errorf("%s: only %d functions are off by more than half a ULP", l.Name, off)
	}
}

// TestSingleDeviation checks deviations of float32 at the ends of the format.
func TestSingleDeviation(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got         float32
		value, want float64
	}{
		{1, 1, 0},
		{1, 1 + 0x1p-24, -0.5},
		{1, 1 - 0x1p-26, 0.25},
		{-3, -3 - 0x1p-22, 1},
		{0, 0x1p-149, -1},
		{0, 0x1p-151, -0.25},
		{0x1p-149, 0x1p-126, -0x1p23 + 1},
		{math.MaxFloat32, 0x1p128, -1},
		{math.MaxFloat32, 0x1p130, -0x1p26 + 0x1p24 - 1},
		{float32(inf), 0x1p127, 0x1p23},
		{float32(inf), 0x1p130, 0},
		{float32(inf), inf, 0},
		{float32(-inf), 0x1p130, -0x1p26 - 0x1p24},
		{1, inf, -inf},
		{1, -inf, inf},
		{1, nan, nan},
		{float32(nan), nan, 0},
		{float32(nan), 1, nan},
		{float32(nan), inf, nan},
		{float32(inf), nan, nan},
	} {
		if d := singleDeviation(c.got, c.value); d != c.want && (d == d || c.want == c.want) {
			t.Errorf("%v for %v: %v, want %v", c.got, c.value, d, c.want)
		}
	}
}
