package explain_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
)

// Shape of the products of these tests.
const (
	unitRows  = 12
	unitCols  = 10
	unitDepth = 96
)

// unitInputs draws two matrices of values of a format, of many sizes.
func unitInputs(seed uint64, f fp.Format) (x, y []float64) {
	rng := rand.New(rand.NewPCG(33, seed))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f.RoundSaturated(math.Ldexp(rng.NormFloat64(), rng.IntN(13)-6), fp.NearestEven)
		}
		return v
	}
	return draw(unitRows * unitDepth), draw(unitDepth * unitCols)
}

// reference is the product in binary32, one product after the other.
func reference(x, y []float64) []float64 {
	out := make([]float64, unitRows*unitCols)
	for e := range out {
		s := float32(0)
		for k := range unitDepth {
			p := float64(x[e/unitCols*unitDepth+k] * y[k*unitCols+e%unitCols]) // exact
			s = float32(fp.Binary32.Add(float64(s), p, fp.NearestEven))
		}
		out[e] = float64(s)
	}
	return out
}

// explainUnit explains the difference of a reference product and one of a unit,
// whose inputs are stored in a format.
func explainUnit(t *testing.T, stored fp.Format, x, y, a, b []float64) *explain.Explanation {
	t.Helper()
	p, err := explain.NewProduct(explain.MatMul,
		explain.Array{Format: stored, Shape: []int{unitRows, unitDepth}, Values: x},
		explain.Array{Format: stored, Shape: []int{unitDepth, unitCols}, Values: y})
	if err != nil {
		t.Fatal(err)
	}
	shape := []int{unitRows, unitCols}
	got, err := explain.Explain(t.Context(), p,
		explain.Array{Format: fp.Binary32, Shape: shape, Values: a},
		explain.Array{Format: fp.Binary32, Shape: shape, Values: b}, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestEveryUnitIsNamed explains a product of each unit that takes no scales,
// beside a reference product.
func TestEveryUnitIsNamed(t *testing.T) {
	for i, u := range mma.Units() {
		if u.Block > 0 || u.In == fp.E2M1 {
			continue
		}
		stored := u.In
		if i%3 == 0 {
			stored = fp.Binary32 // which holds all values of shorter formats
		}
		if stored != fp.Binary16 && stored != fp.BFloat16 {
			stored = fp.Binary32
		}
		if u.In.Precision() < fp.BFloat16.Precision() && i%2 == 1 {
			stored = fp.BFloat16 // which holds all of them
		}
		x, y := unitInputs(uint64(i), u.In)
		out := make([]float64, unitRows*unitCols)
		u.Multiply(out, x, y, nil, unitRows, unitCols, unitDepth)
		got := explainUnit(t, stored, x, y, reference(x, y), out)
		if !got.Explained || len(got.Causes) != 1 {
			t.Errorf("%s %v: %v %s", u.Name, u.In, got.Causes, got.Reason)
			continue
		}
		_, names, _ := strings.Cut(got.Values[0].B, " (")
		for names != "" && !slices.Contains(strings.Split(strings.Trim(names, ")"), ", "), u.Name) {
			_, names, _ = strings.Cut(names, " (")
		}
		if names == "" {
			t.Errorf("%s %v is %s", u.Name, u.In, got.Values[0].B)
		}
	}
}

// TestUnitsOfRoundedInputs explains products of binary32 values that the unit
// rounds.
func TestUnitsOfRoundedInputs(t *testing.T) {
	for _, tt := range []struct {
		unit   string
		in     fp.Format
		inputs string
	}{{"h100", fp.TF32, "tf32"}, {"a100", fp.BFloat16, "bf16"}, {"cdna3", fp.TF32, "tf32"},
		{"h100", fp.E4M3FN, "f8e4m3fn"}, {"cdna3", fp.E5M2FNUZ, "f8e5m2fnuz"}} {
		u, _ := mma.Find(tt.unit, tt.in)
		x, y := unitInputs(7, fp.Binary32)
		narrow := func(v []float64) []float64 {
			w := make([]float64, len(v))
			for i := range v {
				w[i] = tt.in.RoundSaturated(v[i], fp.NearestEven)
			}
			return w
		}
		out := make([]float64, unitRows*unitCols)
		u.Multiply(out, narrow(x), narrow(y), nil, unitRows, unitCols, unitDepth)
		got := explainUnit(t, fp.Binary32, x, y, reference(x, y), out)
		if !got.Explained || !slices.Equal(got.Causes, []explain.Cause{explain.Inputs,
			explain.Fused}) || got.Values[0].B != tt.inputs ||
			!strings.Contains(got.Values[1].B, tt.unit) {
			t.Errorf("%s %v: %v %v %s", tt.unit, tt.in, got.Causes, got.Values, got.Reason)
		}
	}
}

// TestUnitBesideExactSums explains a product of FP8 inputs whose reference
// product rounds nothing.
func TestUnitBesideExactSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 12))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = fp.E4M3FN.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
		}
		return v
	}
	x, y, out := draw(unitRows*unitDepth), draw(unitDepth*unitCols), make([]float64, 120)
	u, _ := mma.Find("h100", fp.E4M3FN)
	u.Multiply(out, x, y, nil, unitRows, unitCols, unitDepth)
	got := explainUnit(t, fp.Binary32, x, y, reference(x, y), out)
	if !slices.Equal(got.Causes, []explain.Cause{explain.Fused}) ||
		got.Values[0].B != "fused(32+1), 13 bits, sums of 14 bits (h100)" {
		t.Errorf("%v %v %s", got.Causes, got.Values, got.Reason)
	}
}

// TestExactIsNoUnit compares a sum that is correctly rounded with an ordinary
// one: the exact result is not taken for a matrix unit's, whose arithmetic may
// give the same.
func TestExactIsNoUnit(t *testing.T) {
	x, y := unitInputs(11, fp.E4M3FN)
	out := make([]float64, unitRows*unitCols)
	for e := range out {
		var s big.Float
		s.SetPrec(2000)
		for k := range unitDepth {
			p := float64(x[e/unitCols*unitDepth+k] * y[k*unitCols+e%unitCols])
			s.Add(&s, big.NewFloat(p))
		}
		out[e] = fp.Binary32.RoundBig(&s, fp.NearestEven)
	}
	got := explainUnit(t, fp.Binary32, x, y, reference(x, y), out)
	if slices.Contains(got.Causes, explain.Fused) {
		t.Errorf("%v %v", got.Causes, got.Values)
	}
}

// TestUnknownUnits checks that a unit that is not in the table gets no name.
func TestUnknownUnits(t *testing.T) {
	for i, change := range []func(u *mma.Arithmetic){
		func(u *mma.Arithmetic) { u.Bits = 21 },
		func(u *mma.Arithmetic) { u.Terms = 12 },
		func(u *mma.Arithmetic) { u.Round = fp.Up },
		func(u *mma.Arithmetic) { u.Precision = 20 },
	} {
		u, _ := mma.Find("h100", fp.Binary16)
		change(&u.Arithmetic)
		x, y := unitInputs(uint64(i), fp.Binary16)
		out := make([]float64, unitRows*unitCols)
		u.Multiply(out, x, y, nil, unitRows, unitCols, unitDepth)
		if got := explainUnit(t, fp.Binary16, x, y, reference(x, y), out); got.Explained {
			t.Errorf("change %d is explained by %v", i, got.Values)
		}
	}
}
