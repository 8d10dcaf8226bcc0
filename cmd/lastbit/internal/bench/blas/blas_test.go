package blas

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/openblas"

	gonum "gonum.org/v1/gonum/blas"
)

// TestBLAS measures small cases of every experiment.
func TestBLAS(t *testing.T) {
	o := Options{MaxN: 16, Budget: time.Microsecond}
	table, err := BLAS(context.Background(), o, quiet)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, r := range table.Rows {
		found[r.Routine] = true
		if r.N > 1024 || r.OurTime <= 0 || r.TheirTime <= 0 || r.Ratio <= 0 ||
			r.FirstRatio <= 0 {
			t.Errorf("%+v", r)
		}
	}
	for _, routine := range []string{"dgemm", "LU", "Cholesky", "QR", "least squares"} {
		if !found[routine] {
			t.Errorf("%s was not measured", routine)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := BLAS(ctx, o, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}

// TestImplementations compares the results of the libraries: they compute the
// same.
func TestImplementations(t *testing.T) {
	open, err := openblas.Load()
	l := newLibraries(open)
	all := []implementation{l.ordered, l.gonum}
	if err == nil {
		all = append(all, open)
	}
	const n = 20
	results := func(i implementation) []float64 {
		l := newLibraries(nil) // the same numbers again
		a, b, c := l.random(n*n, 0), l.random(n*n, 0), make([]float64, n*n)
		i.Dgemm(n, a, b, c)
		i.Dgemv(gonum.NoTrans, n, a, b[:n], c[n:2*n])
		i.Dgemv(gonum.Trans, n, a, b[:n], c[2*n:3*n])
		i.Daxpy(3, a, b)
		a32, c32 := make([]float32, n*n), make([]float32, n*n)
		for i := range a32 {
			a32[i] = float32(a[i])
		}
		i.Sgemm(n, a32, a32, c32)
		for _, v := range c32 {
			c = append(c, float64(v))
		}
		i.Dsymv(n, a, b[:n], c[3*n:4*n])
		for i := range n {
			a[i*n+i] = 10
		}
		i.Dtrmv(n, a, b[2*n:3*n])
		i.Dtrsv(n, a, b[3*n:4*n])
		i.Dger(n, 2, b[:n], b[n:2*n], a)
		i.Dsyr(n, 2, b[:n], a)
		return append(append(append(c, a...), b...), i.Ddot(a, b), i.Dasum(a))
	}
	want := results(l.ordered)
	for _, i := range all {
		for at, v := range results(i) {
			// Orders differ; sums of 400 products of at most 4 are off by
			// less, in float32.
			if d := v - want[at]; d > 1e-4 || d < -1e-4 {
				t.Fatalf("%T: result %d is %v, Ordered's %v", i, at, v, want[at])
			}
		}
	}
}

func TestTable(t *testing.T) {
	table := &Table{
		Cores: []Core{{"Haswell", 5e6, 1500}, {"Zen", 4e6, 999}},
		Rows: []Row{
			{Routine: "dgemm", N: 256, Threads: 1, Ours: nameOrdered, Theirs: nameOpenBLAS,
				Core: "Zen", OurTime: 5e5, TheirTime: 4e5, Ratio: 0.8, Goal: 1},
			{Routine: "ddot", N: 1 << 24, Threads: 2, Ours: nameOrdered, Theirs: nameOpenBLAS,
				OurTime: 2e9, TheirTime: 2e9, Ratio: 1, Goal: 1},
			{Routine: "dgemm", N: 512, Threads: 1, Ours: nameExact, Theirs: nameOpenBLAS,
				OurTime: 8e6, TheirTime: 2e6, Ratio: 4, IsTime: true, Goal: 10},
			{Routine: "dasum", N: 64, Threads: 1, Ours: nameOrdered, Theirs: nameOpenBLAS,
				OurTime: 8, TheirTime: 8, Ratio: 1, Low: 0.75, High: 1.25, Goal: 1},
			{Routine: "dgemm", N: 512, Threads: 1, Ours: nameOrdered, Theirs: nameGonum,
				OurTime: 300, TheirTime: 150, Ratio: 0.5},
		},
		Missing: []string{"two threads: there is one processor"},
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `2 of 4 goals met, 1 open
The ratio is our speed over theirs; for Exact, our time over theirs.
OpenBLAS runs its fastest kernels. Mean times of products, and of the others:
  Haswell 5 ms, 1.5 µs
  Zen 4 ms, 999 ns
not compared: two threads: there is one processor

routine     n  threads  ours     theirs        our time  their time  ratio  goal
dgemm     256        1  Ordered  OpenBLAS Zen    500 µs      400 µs   0.80   ≥ 1  missed
ddot     2^24        2  Ordered  OpenBLAS           2 s         2 s   1.00   ≥ 1  met
dgemm     512        1  Exact    OpenBLAS          8 ms        2 ms   4.00  ≤ 10  met
dasum      64        1  Ordered  OpenBLAS          8 ns        8 ns   1.00   ≥ 1  open 0.75–1.25
dgemm     512        1  Ordered  gonum           300 ns      150 ns   0.50
`
	if got := b.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	bars := table.charts()[0]
	if fmt.Sprint(bars.Groups, bars.Series[0].Values, bars.Series[1].Values) !=
		"[dgemm 256 ddot 2^24 dasum 64] [0.8 -1 1] [-1 1 -1]" {
		t.Errorf("%+v", bars)
	}
	for _, d := range append(table.charts(), new(Table).charts()...) {
		var picture bytes.Buffer
		if err := d.SVG(&picture); err != nil || !strings.HasPrefix(picture.String(), "<svg") {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// BenchmarkBLAS prints the table of lastbit bench blas. With the tags noasm and
// purego it compares portable Go.
func BenchmarkBLAS(b *testing.B) {
	o := Options{MaxN: 1024, Budget: time.Second}
	if isPortable() {
		o.Only = []string{"dgemm"}
	}
	for b.Loop() {
		t, err := BLAS(context.Background(), o, quiet)
		if err != nil {
			b.Fatal(err)
		}
		var s strings.Builder
		if err := t.Write(&s); err != nil {
			b.Fatal(err)
		}
		b.Log("\n" + s.String())
	}
}

func quiet(string, int, int) {}
