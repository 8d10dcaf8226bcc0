package libm

import (
	"math"
	"slices"
	"testing"
)

// TestThresholds holds that the arguments where results overflow, become
// subnormal and vanish are among the fixed ones, with their neighbours. The
// numbers are from the sources of glibc and musl.
func TestThresholds(t *testing.T) {
	for name, want := range map[string][]float64{
		"exp": {0x1.62e42fefa39efp+9, // 709.78…
			-0x1.6232bdd7abcd3p+9, // −708.39…: normal
			-0x1.74910d52d3052p+9, // −745.13…: not yet zero
		},
		"exp2":   {math.Nextafter(1024, 0), -1022, math.Nextafter(-1075, 0)},
		"cosh":   {0x1.633ce8fb9f87dp+9},
		"sinh":   {0x1.633ce8fb9f87dp+9},
		"expm1":  {0x1.62e42fefa39efp+9},
		"gamma":  {0x1.573fae561f647p+7},
		"log":    {0x1p-1074, 0},
		"asin":   {1, -1},
		"lgamma": {0x1.754d9278b51a8p+1014 - 0x1p962},
	} {
		f := named[float64](t, name)
		x, _, err := f.Fixed()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range want {
			for _, u := range []float64{v, math.Nextafter(v, math.Inf(1)),
				math.Nextafter(v, math.Inf(-1))} {
				if !slices.Contains(x, u) {
					t.Errorf("%s: %v (%x) is not among the arguments", name, u, u)
				}
			}
		}
	}
	f := named[float64](t, "pow")
	x, y, err := f.Fixed()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]float64{{2, 1024}, {2, math.Nextafter(1024, 0)}, {2, -1075},
		{10, 0x1.34413509f79fep+8}, {0.5, -1024}} {
		at := func(i int) bool { return x[i] == want[0] && y[i] == want[1] }
		if !slices.ContainsFunc(indices(len(x)), at) {
			t.Errorf("pow: %v is not among the arguments", want)
		}
	}
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestGoOverflowsEarly holds that a function that gives up before its results
// overflow has a large error: Go's Exp is +Inf from 709.436 on.
func TestGoOverflowsEarly(t *testing.T) {
	var list []*Function[float64]
	for _, name := range []string{"exp", "sinh", "cosh"} {
		list = append(list, named[float64](t, name))
	}
	prints, err := Prints(Go[float64](), list)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prints {
		out := make([]float64, 1)
		f := named[float64](t, p.Function)
		if err := f.golang(out, []float64{709.7}, nil); err != nil {
			t.Fatal(err)
		}
		early := p.Function == "exp" && math.IsInf(out[0], 1)
		if early && p.Worst < 1e15 {
			t.Errorf("%s: worst error %v at %v", p.Function, p.Worst, p.At)
		}
		t.Logf("%s: worst error %v at %v, gave %v instead of %v", p.Function, p.Worst, p.At, p.Gave,
			p.Right)
	}
}

// named returns a function.
func named[T Float](t *testing.T, name string) *Function[T] {
	t.Helper()
	for _, f := range Functions[T]() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}
