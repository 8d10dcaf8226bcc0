package reveal

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/probe"
)

// unitTarget is a matrix product of a unit.
type unitTarget struct {
	unit mma.Unit
	n    int
}

func (u unitTarget) Key() probe.Key {
	k := probe.Spec{Op: probe.Gemm, DType: u.unit.In, N: u.n, M: 64, Cols: 1,
		OutIndex: []int{0, 0}}.Key("test:" + u.unit.Name)
	k.Out = fp.Binary32
	return k
}

func (unitTarget) Lanes() int { return 64 }

func (unitTarget) Close() error { return nil }

func (u unitTarget) Call(_ context.Context, b *probe.Batch) error {
	u.unit.Multiply(b.Out, b.X, b.Y, nil, len(b.Out), 1, u.n)
	return nil
}

func unitOf(t *testing.T, name string, in fp.Format) mma.Unit {
	t.Helper()
	u, ok := mma.Find(name, in)
	if !ok {
		t.Fatalf("there is no unit %s of %v", name, in)
	}
	return u
}

// TestAccelerators reveals matrix units, and the arithmetic of each.
func TestAccelerators(t *testing.T) {
	strange := unitOf(t, "h100", fp.Binary16)
	strange.Name, strange.Terms, strange.Bits = "strange", 12, 28
	strange.Round = fp.NearestEven
	for _, tt := range []struct {
		unit    mma.Unit
		verdict Verdict
		tree    bool // is verified
		known   bool
	}{
		{unitOf(t, "v100", fp.Binary16), TreeVerdict, true, true},
		{unitOf(t, "a100", fp.BFloat16), TreeVerdict, true, true},
		{unitOf(t, "h100", fp.TF32), TreeVerdict, true, true},
		{unitOf(t, "h100", fp.E4M3FN), TreeVerdict, false, true},
		{unitOf(t, "cdna3", fp.Binary16), ValueDependent, false, true},
		{unitOf(t, "cdna3", fp.E4M3FNUZ), TreeVerdict, false, true},
		{strange, Unsupported, false, false},
	} {
		t.Run(tt.unit.Name+"/"+tt.unit.In.String(), func(t *testing.T) {
			f, err := Reveal(t.Context(), unitTarget{tt.unit, 64}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := f.Accelerator
			if f.Verdict != tt.verdict || f.Verified != tt.tree || a == nil {
				t.Fatalf("%s, verified %v, accelerator %+v", f.Verdict, f.Verified, a)
			}
			known := slices.Contains(a.Known, tt.unit.Name)
			if !a.Verified || a.Calls > 64+a.Replayed || known != tt.known ||
				!tt.known && len(a.Known) > 0 {
				t.Errorf("%+v", a)
			}
			if a.Arithmetic.Terms != tt.unit.Terms || a.Arithmetic.Bits != tt.unit.Bits ||
				a.Arithmetic.Structure != tt.unit.Structure || a.Arithmetic.Round != tt.unit.Round {
				t.Errorf("%+v, want %+v", a.Arithmetic, tt.unit.Arithmetic)
			}
			text, err := json.Marshal(f)
			if err != nil || !strings.Contains(string(text), `"accelerator":{"known":[`) {
				t.Errorf("%v: %.300s", err, text)
			}
			var back Finding
			if err := json.Unmarshal(text, &back); err != nil ||
				back.Accelerator.Arithmetic != a.Arithmetic {
				t.Errorf("%v: %+v", err, back.Accelerator)
			}
		})
	}
}

// TestContradicted checks that a tree which ordinary products verify is taken
// back by products of many sizes, with a witness.
func TestContradicted(t *testing.T) {
	target := unitTarget{unitOf(t, "cdna3", fp.E4M3FNUZ), 64}
	f, err := Reveal(t.Context(), target, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verified || f.Arithmetic != nil || f.Witness == nil || len(f.Warnings) == 0 {
		t.Fatalf("verified %v, arithmetic %+v, witness %+v", f.Verified, f.Arithmetic, f.Witness)
	}
	var d [1]float64
	target.unit.Multiply(d[:], f.Witness.X, f.Witness.Y, nil, 1, 1, 64)
	if seen := f.Witness.Seen[0]; d[0] != seen || math.Abs(seen) == math.Abs((*f.Witness.Want)[0]) {
		t.Errorf("the witness gives %v: %+v", d[0], f.Witness)
	}
}

// TestNoAccelerator asks nothing about units where additions of two explain
// all, and where too few calls are left.
func TestNoAccelerator(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   fp.Format
		opt  Options
	}{
		{"avx512bf16", fp.BFloat16, Options{}},
		{"cdna1", fp.Binary16, Options{}},
		{"bfdot", fp.BFloat16, Options{}},
		{"h100", fp.Binary16, Options{MaxCalls: 120}},
	} {
		f, err := Reveal(t.Context(), unitTarget{unitOf(t, tt.name, tt.in), 64}, tt.opt)
		if err != nil || !f.Verified || f.Accelerator != nil {
			t.Errorf("%s: %v, %+v", tt.name, err, f)
		}
	}
}
