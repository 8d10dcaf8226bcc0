package stoch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

func TestFormat(t *testing.T) {
	samples := func(a, b, c float64) stoch.Float64 { return stoch.FromSamples([3]float64{a, b, c}) }
	third, zero := samples(1.0/3, 1.0/3+1e-5, 1.0/3-1e-5), math.Copysign(0, -1)
	for _, c := range []struct {
		format string
		x      any
		want   string
	}{
		{"%v", third, "0.3333"},
		{"%s", third.Neg(), "-0.3333"},
		{"%g", third, "0.3333"},
		{"%e", third, "3.333e-01"},
		{"%E", third, "3.333E-01"},
		{"%f", third, "0.3333"},
		{"%.2f", third, "0.33"},
		{"%.2e", third, "3.33e-01"},
		{"%.9f", third, "0.3333"},
		{"%.2g", third, "0.33"},
		{"%10v|", third, "    0.3333|"},
		{"%-10v|", third, "0.3333    |"},
		{"%+.2f", third, "+0.33"},
		{"% .2f", third, " 0.33"},
		{"%+v", stoch.Of(2.0), "2.00000000000000{2 2 2}"},
		{"%d", third, "%!d(stoch.Number=0.3333)"},
		{"%+d", third, "%!d(stoch.Number=0.3333)"},
		{"%08v", third, "000.3333"},
		{"%08v", third.Neg(), "-00.3333"},
		{"%+08f", third, "+00.3333"},
		{"%-08v|", third, "0.3333  |"},
		{"%08v", stoch.Of(math.Inf(1)), "    +Inf"},
		{"%06v", samples(1, -1, 0.5), "   @.0"},
		{"%v", stoch.Of(1.0), "1.00000000000000"},
		{"%v", stoch.Of[float32](1), "1.000000"},
		{"%v", stoch.Of(1e300), "1.00000000000000e+300"},
		{"%v", samples(123456, 123556, 123356), "1.2e+05"},
		{"%f", samples(123456, 123556, 123356), "1.2e+05"},
		{"%v", samples(1, -1, 0.5), "@.0"},
		{"%6v", samples(1, -1, 0.5), "   @.0"},
		{"%e", samples(1, -1, 0.5), "@.0"},
		{"%v", stoch.Float64{}, "0"},
		{"%v", stoch.Of(zero), "0"},
		{"%v", stoch.Of(math.NaN()), "NaN"},
		{"%v", samples(1, math.NaN(), 1), "NaN"},
		{"%v", stoch.Of(math.Inf(-1)), "-Inf"},
		{"%v", samples(math.Inf(1), math.MaxFloat64, math.MaxFloat64), "@.0"},
	} {
		if got := fmt.Sprintf(c.format, c.x); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.format, c.x, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, r := range [][3]float64{
		{1, 1 + 0x1p-52, 1}, {0, math.Copysign(0, -1), 5e-324},
		{math.Inf(1), math.Inf(-1), math.NaN()},
	} {
		x := stoch.FromSamples(r)
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var y stoch.Float64
		if err := json.Unmarshal(b, &y); err != nil || !sameNumber(x, y) {
			t.Errorf("%v becomes %s, and that %v (%v)", r, b, y.Samples(), err)
		}
	}
	if b, _ := json.Marshal(stoch.Of[float32](2.5)); string(b) !=
		`{"value":"2.500000","digits":7.224719895935548,"samples":[2.5,2.5,2.5]}` {
		t.Errorf("2.5 is %s", b)
	}
	var x stoch.Float32
	if err := json.Unmarshal([]byte("0.5"), &x); err != nil || x != stoch.Of[float32](0.5) {
		t.Errorf("0.5 is read as %v: %v", x, err)
	}
	for _, bad := range []string{`"x"`, `{"samples":[1,2]}`, `{"samples":[1,2,"x"]}`, `{}`} {
		if json.Unmarshal([]byte(bad), &x) == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestParse holds that decimals become R- or R+, and exact ones themselves.
func TestParse(t *testing.T) {
	a, seen := stoch.New[float64](stoch.Options{}), map[float64]bool{}
	x, err := a.Parse("0.1")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range x.Samples() {
		seen[s] = true
	}
	if !seen[0.1] || !seen[math.Nextafter(0.1, 0)] || len(seen) != 2 {
		t.Errorf("0.1 becomes %v", x.Samples())
	}
	for text, want := range map[string]float64{
		"2.5": 2.5, "-0": math.Copysign(0, -1), "0x1p-1074": 5e-324, "Inf": math.Inf(1),
		"0e-99999": 0, "-0.00e-1_0000": math.Copysign(0, -1), "0x0p-99999": 0,
	} {
		x, err := a.Parse(text)
		if err != nil || !sameNumber(x, stoch.Of(want)) {
			t.Errorf("%s becomes %v: %v", text, x.Samples(), err)
		}
	}
	for text, ends := range map[string][2]float64{
		"1e400": {math.MaxFloat64, math.Inf(1)}, "1e-400": {0, 5e-324},
		"-1e-9999999": {math.Copysign(0, -1), -5e-324}, "0x1e1p-9999999999": {0, 5e-324},
	} {
		x, err := a.Parse(text)
		for _, s := range x.Samples() {
			if err != nil || math.Float64bits(s) != math.Float64bits(ends[0]) && s != ends[1] {
				t.Errorf("%s becomes %v: %v", text, x.Samples(), err)
			}
		}
	}
	for _, bad := range []string{"", "x", "1,5", "0x"} {
		if _, err := a.Parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestConversions holds that conversions round as operations do.
func TestConversions(t *testing.T) {
	a, b := stoch.Formats(stoch.Options{Seed: 2})
	if x := a.FromInt(1<<53 + 1); x.Samples()[1] == x.Samples()[2] {
		t.Errorf("2^53 + 1 is %v", x.Samples())
	}
	for _, n := range []int64{0, -5, math.MinInt64, 1 << 62} {
		if x := a.FromInt(n); x != stoch.Of(float64(n)) {
			t.Errorf("%d is %v", n, x.Samples())
		}
	}
	if x := stoch.Narrow(b, stoch.Of(0.1)); x.Samples()[1] == x.Samples()[2] ||
		stoch.Widen(x).Digits() < 6 {
		t.Errorf("0.1 is %v", x.Samples())
	}
	if n, err := a.Int(stoch.Of(-7.9)); n != -7 || err != nil {
		t.Errorf("Int(-7.9) = %d, %v", n, err)
	}
	if a.Int(stoch.FromSamples([3]float64{0.9, 1.1, 0.9})); a.Report().Count(stoch.Branching) != 1 {
		t.Errorf("%v", a.Report())
	}
	for _, v := range []float64{0x1p63, math.NaN(), math.Inf(-1)} {
		if _, err := a.Int(stoch.Of(v)); err == nil {
			t.Errorf("%v is an int64", v)
		}
	}
}
