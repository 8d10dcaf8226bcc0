package sums

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/exact"
)

func quiet(string, int, int) {}

func TestIllConditioned(t *testing.T) {
	for _, n := range []int{10, 1000, 30_000} {
		for e := 0; e <= 50; e += 10 {
			x := illConditioned(rand.New(rand.NewPCG(1, uint64(e))), n, math.Ldexp(1, e))
			got := math.Log2(exact.Asum(x) / math.Abs(exact.Sum(x)))
			if math.Abs(got-float64(e)) > 0.01 {
				t.Errorf("n = %d: the condition number is 2^%v, not 2^%d", n, got, e)
			}
		}
	}
}

func TestErrorOf(t *testing.T) {
	if got := errorOf([]float64{1, 0x1p-60}, 1); got != -0x1p-60 {
		t.Errorf("errorOf = %g, want −2^-60", got)
	}
}

// TestConditions compares every measured error with the bound of its method.
func TestConditions(t *testing.T) {
	figures, err := Conditions(context.Background(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		of := map[string][]plots.Point{}
		for _, s := range f.Series {
			of[s.Name] = s.Points
			if len(s.Points) != 11 {
				t.Errorf("%s: %d points of %s", f.Name, len(s.Points), s.Name)
			}
		}
		for method, bound := range map[string]string{
			"Go loop": "bound of the loop", "Demmel–Nguyen 3": "bound of 3",
			"Demmel–Nguyen 4": "bound of 4", "Demmel–Nguyen 4, k=2": "bound of 4, k=2",
		} {
			for i, p := range of[method] {
				if b := of[bound][i]; p.X != b.X || p.Y > b.Y {
					t.Errorf("%s: the error of %s at 2^%v is %g, its bound %g", f.Name, method,
						math.Log2(p.X), p.Y, b.Y)
				}
			}
		}
		for _, p := range of["exact.Sum"] {
			if p.Y > 0x1p-53 {
				t.Errorf("%s: exact.Sum is off by %g", f.Name, p.Y)
			}
		}
	}
}

// TestExponential checks that nothing is closer to the sum than its correctly
// rounded value, and the paper's observation that three levels of the single
// sweep and two of the double sweep are as good, up to an ulp.
func TestExponential(t *testing.T) {
	figures, err := Exponential(context.Background(), 1<<16, quiet)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]plots.Point{}
	for _, s := range figures[0].Series {
		of[s.Name] = s.Points
	}
	for i, best := range of["exact.Sum"] {
		for name, points := range of {
			if points[i].Y < best.Y {
				t.Errorf("n = %v: %s is closer than the correctly rounded sum", best.X, name)
			}
		}
		for _, name := range []string{"single sweep, k=3", "double sweep, k=2"} {
			if p := of[name][i]; p.Y > best.Y+best.X*1e8*0x1p-52 {
				t.Errorf("n = %v: %s is off by %g", p.X, name, p.Y)
			}
		}
	}
}

func TestTimes(t *testing.T) {
	figures, err := Times(context.Background(), 1<<12, time.Millisecond, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		names := ""
		for _, s := range f.Series {
			names += s.Name + "; "
			if len(s.Points) != 2 {
				t.Errorf("%s: %d points of %s", f.Name, len(s.Points), s.Name)
			}
			for _, p := range s.Points {
				if !(p.Y > 0) {
					t.Errorf("%s: %s took %g", f.Name, s.Name, p.Y)
				}
			}
		}
		for _, want := range []string{"Go loop", "gonum", "exact.Sum", "ordered.Sum"} {
			if !strings.Contains(names, want) {
				t.Errorf("%s lacks %s: %s", f.Name, want, names)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Times(ctx, 1<<12, time.Millisecond, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}

func TestJobSizes(t *testing.T) {
	for most, want := range map[int][]int{1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 8: {1, 2, 4, 8},
		9: {1, 2, 4, 8, 9}} {
		if got := jobSizes(most); !slices.Equal(got, want) {
			t.Errorf("%v up to %d, want %v", got, most, want)
		}
	}
}
