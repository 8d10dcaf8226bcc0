package sweep

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

// noRanges expands nothing.
func noRanges(string) ([]string, error) { return nil, nil }

// TestCombinations checks labels, environments and commands.
func TestCombinations(t *testing.T) {
	var variables []Variable
	for _, arg := range []string{"M=1,2", "CORE=a,", "ONE=x"} {
		v, err := Parse(arg, noRanges)
		if err != nil {
			t.Fatal(err)
		}
		variables = append(variables, v)
	}
	args := []string{"go:naive", "--shape", "{M}x{M}"}
	if err := Settle(variables, args); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range Combinations(variables) {
		got = append(got, fmt.Sprint(c.Label(variables), c.Env(variables),
			c.Fill(variables, args)[2]))
	}
	want := []string{
		"M=1 CORE=a [CORE=a] 1x1", "M=1 CORE=a ONE=x [CORE=a ONE=x] 1x1", "M=1 [] 1x1",
		"M=1 ONE=x [ONE=x] 1x1", "M=2 CORE=a [CORE=a] 2x2",
		"M=2 CORE=a ONE=x [CORE=a ONE=x] 2x2", "M=2 [] 2x2", "M=2 ONE=x [ONE=x] 2x2",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i, w := range want {
		if strings.ReplaceAll(got[i], " ", "") != strings.ReplaceAll(w, " ", "") {
			t.Errorf("%d: %q, want %q", i, got[i], w)
		}
	}
}

// TestConfirm compares values with the reports of libraries.
func TestConfirm(t *testing.T) {
	open := probe.Key{Library: "OpenBLAS", Kernel: "Haswell", Threads: 2}
	numpy := probe.Key{Library: "NumPy", Kernel: "OpenBLAS 0.3.31 SkylakeX",
		Settings: "X86_V2 X86_V3", Threads: 4}
	torch := probe.Key{Library: "PyTorch", Kernel: "MKL 2024.2", Settings: "AVX2, MKL_CBWR AUTO"}
	sum := probe.Key{Library: "PyTorch", Kernel: "AVX2", Settings: "MKL_CBWR AVX2"}
	for _, c := range []struct {
		name, value string
		key         probe.Key
		want        Effect
	}{
		{"OPENBLAS_CORETYPE", "HASWELL", open, Confirmed},
		{"OPENBLAS_CORETYPE", "Zen", open, Refuted},
		{"OPENBLAS_CORETYPE", "Prescott", probe.Key{Library: "OpenBLAS", Kernel: "Katmai"},
			Confirmed},
		{"OPENBLAS_CORETYPE", "SkylakeX", numpy, Confirmed},
		{"OPENBLAS_CORETYPE", "Haswell", torch, None},
		{"OPENBLAS_NUM_THREADS", "2", open, Confirmed},
		{"OPENBLAS_NUM_THREADS", "1", numpy, Refuted},
		{"OPENBLAS_NUM_THREADS", "1", torch, None},
		{"ATEN_CPU_CAPABILITY", "avx2", torch, Confirmed},
		{"ATEN_CPU_CAPABILITY", "avx2", sum, Confirmed},
		{"ATEN_CPU_CAPABILITY", "default", sum, Refuted},
		{"MKL_CBWR", "AVX2", torch, Refuted},
		{"MKL_CBWR", "AVX2,STRICT", sum, Confirmed},
		{"MKL_CBWR", "AVX2", open, None},
		{"NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_SPR", numpy, Confirmed},
		{"NPY_DISABLE_CPU_FEATURES", "X86_V4,X86_V3", numpy, Refuted},
		{"UNKNOWN", "1", numpy, None},
	} {
		if got := confirm(c.name, c.value, c.key); got != c.want {
			t.Errorf("%s=%s: %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

// TestOutcomes decides from classes and reports of combinations of two
// variables: one changes the order, one the report, and one value nothing.
func TestOutcomes(t *testing.T) {
	variables := []Variable{{Name: "A", Values: []string{"1", "2"}},
		{Name: "B", Values: []string{"", "x", "y"}},
		{Name: "P", Values: []string{"0"}, Placeholder: true}}
	var runs []Run
	for _, c := range Combinations(variables) {
		r := Run{Values: c, Report: "r"}
		if c[0] == "2" {
			r.Class = 1
		}
		if c[1] == "y" {
			r.Report = "other"
		}
		runs = append(runs, r)
	}
	effects := map[string]Effect{}
	for _, o := range Outcomes(variables, runs) {
		effects[o.Variable+o.Value] = o.Effect
	}
	want := map[string]Effect{"A1": Order, "A2": Order, "Bx": Reported, "By": Reported}
	if fmt.Sprint(effects) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", effects, want)
	}
	alike := slices.Clone(runs)
	for i := range alike {
		alike[i].Class, alike[i].Report = 0, "r"
	}
	for _, o := range Outcomes(variables, alike) {
		if o.Effect != None || o.Effect.Took() {
			t.Errorf("%+v of runs that are alike", o)
		}
	}
}

// TestReplaced tells a value that the library ignores from one that it replaces
// by another.
func TestReplaced(t *testing.T) {
	const name = "OPENBLAS_CORETYPE"
	for _, c := range []struct {
		values []string // and the kernel of each
		want   []Effect
	}{
		{[]string{"", "SkylakeX", "None", "SkylakeX"}, []Effect{Refuted}},
		{[]string{"", "SkylakeX", "Zen", "Haswell"}, []Effect{Replaced}},
		{[]string{"Haswell", "Haswell", "Zen", "Haswell"}, []Effect{Confirmed, Refuted}},
		{[]string{"SkylakeX", "SkylakeX", "Zen", "Haswell"}, []Effect{Confirmed, Replaced}},
	} {
		v, runs := Variable{Name: name}, []Run(nil)
		for i := 0; i < len(c.values); i += 2 {
			value, kernel := c.values[i], c.values[i+1]
			v.Values = append(v.Values, value)
			runs = append(runs, Run{Values: Combination{value}, Report: kernel,
				Key: probe.Key{Library: "OpenBLAS", Kernel: kernel}})
		}
		var got []Effect
		for _, o := range Outcomes([]Variable{v}, runs) {
			got = append(got, o.Effect)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.values, got, c.want)
		}
	}
}

// TestSettle adds a run without the variable where it takes two to see an
// effect.
func TestSettle(t *testing.T) {
	variables := []Variable{{Name: "A", Values: []string{"1"}},
		{Name: "B", Values: []string{"1", "2"}},
		{Name: disableFeatures, Values: []string{"X86_V4", "X86_V3"}}}
	if err := Settle(variables, []string{"go:naive"}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 2, 3} {
		if got := len(variables[i].Values); got != want {
			t.Errorf("%s has %d values, want %d", variables[i].Name, got, want)
		}
	}
}

// TestDisabledFeatures confirms a feature that another run has, and not one
// that no run has.
func TestDisabledFeatures(t *testing.T) {
	const name = "NPY_DISABLE_CPU_FEATURES"
	variables := []Variable{{Name: name, Values: []string{"", "X86_V4", "AVX999", "X86_V3"}}}
	var runs []Run
	for i, has := range []string{"X86_V3 X86_V4", "X86_V3", "X86_V3 X86_V4", "X86_V3 X86_V4"} {
		runs = append(runs, Run{Values: Combination{variables[0].Values[i]}, Report: has,
			Key: probe.Key{Library: "NumPy", Settings: has}})
	}
	var got []Effect
	for _, o := range Outcomes(variables, runs) {
		got = append(got, o.Effect)
	}
	if want := []Effect{Confirmed, None, Refuted}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
