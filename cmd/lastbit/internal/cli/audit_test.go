package cli

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// dying is a sum that ends its process on the hundredth call, when others have
// been compared with it for a while.
const dying = `#include <stdlib.h>
#include <stddef.h>
float dying(const float *x, size_t n) { static int calls; if (++calls > 99) abort(); float s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
`

// TestAuditGoesOn audits targets of which some cannot be opened and one dies.
func TestAuditGoesOn(t *testing.T) {
	cc := require.Program(t, "cc")
	dir := t.TempDir()
	source, lib := filepath.Join(dir, "dying.c"), filepath.Join(dir, "libdying.so")
	if err := os.WriteFile(source, []byte(dying), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", lib, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	table := &auditTable{spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 50}, Op: probe.Sum, DType: fp.Binary32, N: 50}
	for _, address := range []string{"go:naive", "go:nothing", "clib:" + lib + ":dying", "go:pairwise", "clib:" + lib + ":missing"} {
		table.rows = append(table.rows, &auditRow{listing: probe.Listing{Address: address}})
	}
	told := map[string]int{}
	table.fill(t.Context(), &app{drivers: drivers()}, reveal.Options{}, func(target string) { told[target]++ })
	if told["go:pairwise"] == 0 {
		t.Error("the progress did not hear of go:pairwise")
	}
	if len(table.Groups) != 2 || len(table.Failed) != 3 || len(table.Pairs) != 1 {
		t.Fatalf("%d groups, %d failures, %d differences; 2, 3 and 1 were expected", len(table.Groups), len(table.Failed), len(table.Pairs))
	}
	var b bytes.Buffer
	table.write(&b)
	for _, want := range []string{"#unknown-target]", "#worker-died]", "#symbol-missing]", "differs from A on"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, b.String())
		}
	}
}

// TestAuditLetters holds that nothing shares a letter which differs in anything.
func TestAuditLetters(t *testing.T) {
	finding := func(change func(*reveal.Finding)) *reveal.Finding {
		a := sumtree.Plain(fp.Binary32)
		f := &reveal.Finding{Verdict: reveal.TreeVerdict, Verified: true, Arithmetic: &a, Key: probe.Key{DType: fp.Binary32, Out: fp.Binary32}}
		change(f)
		return f
	}
	same := func(*reveal.Finding) {}
	row := func(g, shiftedGroup int, f *reveal.Finding) *auditRow {
		r := &auditRow{Finding: f, group: [2]int{g, shiftedGroup}}
		if g != shiftedGroup {
			r.Shifted = finding(same)
		}
		return r
	}
	table := &auditTable{rows: []*auditRow{
		row(0, 0, finding(same)),
		row(0, 0, finding(same)),
		row(0, 0, finding(func(f *reveal.Finding) { f.Arithmetic.PlusZero = true })),
		row(0, 0, finding(func(f *reveal.Finding) { f.Verified = false })),
		row(1, 1, finding(same)),
		row(0, 1, finding(same)),
		row(0, 1, finding(same)),
		row(2, 2, finding(func(f *reveal.Finding) { f.Verdict, f.Arithmetic = reveal.Compensated, nil })),
		row(2, 2, finding(func(f *reveal.Finding) { f.Verdict, f.Arithmetic = reveal.Exact, nil })),
	}}
	table.Pairs = []auditPair{
		{A: "0", B: "1", Difference: &reveal.Difference{Differ: 1, Tried: 2}},
		{A: "0", B: "2", Difference: &reveal.Difference{Differ: 2, Tried: 2}},
	}
	table.group()
	var sizes []int
	for _, g := range table.Groups {
		sizes = append(sizes, len(g.Members))
	}
	if want := []int{2, 1, 1, 1, 2, 1, 1}; !reflect.DeepEqual(sizes, want) {
		t.Fatalf("the groups have %v members, not %v", sizes, want)
	}
	for k, want := range []string{"−0", "unverified", "", "only where data begins 4 bytes past", "", ""} {
		p := table.Pairs[k]
		if p.A != "A" || !strings.Contains(p.Note, want) || (want == "") != (p.Note == "") {
			t.Errorf("A and %s: the note is %q, which should speak of %q", p.B, p.Note, want)
		}
	}
}

func TestGroupName(t *testing.T) {
	for g, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 27: "AB", 701: "ZZ", 702: "AAA"} {
		if got := groupName(g); got != want {
			t.Errorf("group %d is %s, not %s", g, got, want)
		}
	}
}

// TestSparse holds how long inputs are shortened: nothing is claimed of an entry
// that is not so.
func TestSparse(t *testing.T) {
	negative := make([]float64, 9)
	for i := range negative {
		negative[i] = math.Copysign(0, -1)
	}
	negative[3] = 0
	many := make([]float64, 20)
	for i := range 8 {
		many[2*i] = float64(i + 1)
	}
	all := make([]float64, 9)
	for i := range all {
		all[i] = float64(i)
	}
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1, 2}, "[1, 2]"},
		{make([]float64, 9), "0 everywhere"},
		{negative, "-0 everywhere but [3] = 0"},
		{many, "0 everywhere but [0] = 1, [2] = 2, [4] = 3, [6] = 4, [8] = 5, [10] = 6 … (8 others in all; --json has them)"},
		{all, "[0, 1, 2, 3, 4, 5 … (9 in all; --json has them)]"},
	} {
		if got := sparse(c.x, fp.Binary64); got != c.want {
			t.Errorf("sparse(%v) is %q, not %q", c.x, got, c.want)
		}
	}
}
