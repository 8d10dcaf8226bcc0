package reveal

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/heap"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/open"
)

func TestMain(m *testing.M) {
	open.ServeIfWorker()
	heap.Floor(64 << 20) // as the command does
	os.Exit(m.Run())
}

// TestReveal measures a target in both ways, one that no algorithm finds a tree
// of, one that takes longer than the budget, and one that cannot be opened.
func TestReveal(t *testing.T) {
	m := revealer{ctx: context.Background(), budget: time.Minute, progress: quiet,
		table: &Table{}, open: gofunc.Open}
	spec := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 100}
	for _, c := range []struct {
		address        string
		lastbit, fprev string
	}{
		{"go:pairwise", "verified by family", "unproven"},
		{"go:neumaier", "compensated, unverified", "compensated, unverified"},
		{"go:none", "", ""},
	} {
		one := subject{name: c.address, address: c.address, spec: spec, goal: 60}
		if err := m.goal(one, 0, 1); err != nil {
			t.Fatal(err)
		}
		row := m.table.Rows[len(m.table.Rows)-1]
		if row.Lastbit.Result != c.lastbit || row.FPRev.Result != c.fprev ||
			(row.Missing == "") != (c.lastbit != "") {
			t.Errorf("%s: %+v", c.address, row)
		}
		if row.FPRev.Result == "unproven" && row.FPRev.Calls < spec.N-1 {
			t.Errorf("%s: FPRev's algorithm took %d calls", c.address, row.FPRev.Calls)
		}
	}
	m.budget = time.Nanosecond
	late := subject{name: "pairwise", address: "go:pairwise", spec: spec}
	if err := m.figure(curveSet{name: "late", cases: []subject{late}}, 64); err != nil {
		t.Fatal(err)
	}
	fig := m.table.Figures[0]
	want := []string{"pairwise, lastbit: not done in 1ns",
		"pairwise, FPRev's algorithm: not done in 1ns"}
	if len(fig.Series) != 0 || !slices.Equal(fig.Notes, want) {
		t.Errorf("%+v", fig)
	}
	var b strings.Builder
	if err := m.table.Write(&b); err != nil || !strings.HasPrefix(b.String(), "1 of 2 goals met;") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestRandomTree adds whole numbers by the random tree.
func TestRandomTree(t *testing.T) {
	const n = 1000
	target := randomTree(n)
	defer target.Close()
	b := probe.NewBatch(target)
	for i := range b.X {
		b.X[i] = float64(i)
	}
	if err := target.Call(context.Background(), b); err != nil || b.Out[0] != n*(n-1)/2 {
		t.Errorf("the random tree adds 0 … %d to %v, %v", n-1, b.Out[0], err)
	}
}

// BenchmarkReveal prints the table of lastbit bench reveal.
func BenchmarkReveal(b *testing.B) {
	drivers := open.Drivers(open.Config{})
	for b.Loop() {
		t, err := Reveal(context.Background(), drivers.Open, []string{"goals"}, 16,
			time.Minute, quiet)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range t.Rows {
			if r.Lastbit.Seconds != nil {
				name := strings.NewReplacer(" ", "-", ",", "").Replace(r.Name)
				b.ReportMetric(*r.Lastbit.Seconds, fmt.Sprintf("s/%s-%d", name, r.N))
			}
		}
		var s strings.Builder
		if err := t.Write(&s); err != nil {
			b.Fatal(err)
		}
		b.Log("\n" + s.String())
	}
}

func quiet(string, int, int) {}
