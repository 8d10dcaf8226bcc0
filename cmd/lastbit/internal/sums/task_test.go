package sums

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// task returns a task of exact sums in float64.
func task(op string, o dataset.Options, files ...string) *Task {
	return &Task{Files: files, Algorithm: Exact(FindOperation(op), fp.Binary64), Options: o}
}

// run returns the lines of a task that must succeed.
func run(t *testing.T, task *Task) []Line {
	t.Helper()
	p, err := task.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines, err := p.Lines(task.Algorithm, false, true)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestLimits reads limits in the form of Linux.
func TestLimits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "limits")
	write(t, name, "Max cpu time      unlimited  unlimited  seconds\n"+
		"Max address space 2560000000 unlimited  bytes\n")
	for label, want := range map[string]int64{"Max address space": 2560000000, "Max cpu time": 0,
		"Max swap": 0} {
		if got := numberAfter(name, label, 1); got != want {
			t.Errorf("%s: %d, want %d", label, got, want)
		}
	}
	if got := numberAfter(name+".none", "", 1); got != 0 {
		t.Errorf("%d of a file that is not there", got)
	}
	write(t, name, "12345 678\n")
	if got := numberAfter(name, "", 4096); got != 12345*4096 {
		t.Errorf("%d pages", got)
	}
	if got := withinLimits(1 << 20); got > 1<<20 || got < 1 {
		t.Errorf("of 1 MiB, %d bytes are left", got)
	}
}

// TestRepeated names files twice.
func TestRepeated(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.csv", "1\n")
	write(t, "b.csv", "1\n")
	if err := os.Symlink("a.csv", "c.csv"); err != nil {
		require.Missing(t, "symbolic links")
	}
	for want, files := range map[string][]string{
		"":                                    {"a.csv", "b.csv", "none.csv", "none.csv", "."},
		"a.csv is named twice":                {"a.csv", "b.csv", "a.csv"},
		"b.csv and ./b.csv are the same file": {"b.csv", "./b.csv"},
		"a.csv and c.csv are the same file":   {"a.csv", "b.csv", "c.csv"},
	} {
		if want != "" {
			want += ", and everything in it counts twice"
		}
		if got := task("sum", dataset.Options{}, files...).Warning(); got != want {
			t.Errorf("%v: %q, want %q", files, got, want)
		}
	}
	if got := task("dot", dataset.Options{}, "a.csv", "a.csv").Warning(); got != "" {
		t.Errorf("the two factors are one file: %q", got)
	}
}

// TestExactDigits has sums with all their digits.
func TestExactDigits(t *testing.T) {
	const (
		e57 = "1000000000000000048346692115553659057528394845890514255872"
		e58 = "9999999999999999438119489974413630815797154428513196965888"
	)
	t.Chdir(t.TempDir())
	for _, c := range []struct{ op, rows, exact, integer string }{
		{"sum", "9007199254740992\n1\n", "9007199254740993", "9007199254740993"},
		{"sum", "-9007199254740992\n-1\n", "-9007199254740993", "-9007199254740993"},
		{"sum", "9007199254740991\n", "9007199254740991", ""},
		{"sum", "9007199254740992\n0.5\n", "9007199254740992.5", ""},
		{"asum", "-1152921504606846976\n1\n", "1152921504606846977", "1152921504606846977"},
		{"sum", "0.1\n0.2\n", "0.3000000000000000166533453693773481063544750213623046875", ""},
		{"sum", "1e57\n", e57, e57}, {"sum", "1e58\n", e58, e58},
		{"sum", "1e60\n", "999999999999999949387135297074018866963645011013410073083904", ""},
		{"sum", "inf\n", "", ""}, {"sum", "nan\n", "", ""}, {"sum", "-0\n", "-0", ""},
		{"mean", "9007199254740992\n", "", ""}, {"norm", "9007199254740992\n", "", ""},
	} {
		write(t, "x.csv", c.rows)
		l := run(t, task(c.op, dataset.Options{}, "x.csv"))[0]
		if l.Exact != c.exact || l.integer() != c.integer {
			t.Errorf("%s of %q is %q, and prints %q, want %q and %q", c.op, c.rows, l.Exact,
				l.integer(), c.exact, c.integer)
		}
	}
	if l := run(t, &Task{Files: []string{"x.csv"}, Algorithm: &Algorithm{
		name: "ordered", op: FindOperation("sum"), out: fp.Binary64, passes: 1,
		start: func(int, total, int64) (total, error) {
			left := int64(math.MaxInt64)
			return newOrderedTotal(FindOperation("sum"), fp.Binary64, &left), nil
		},
	}})[0]; l.Exact != "" || l.Promise != "ordered" {
		t.Errorf("an ordered sum has the digits %q, and promises %q", l.Exact, l.Promise)
	}
}

// TestCheckFolder looks for the folder of a file before the sum is made.
func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	for name, isThere := range map[string]bool{
		"": true, "x.acc": true, filepath.Join(dir, "x.acc"): true,
		filepath.Join(dir, "nowhere", "x.acc"): false,
	} {
		err := CheckFolder(name)
		isFault := err != nil && strings.Contains(err.Error(), "#write-failed")
		if isFault == isThere {
			t.Errorf("%q: the error is %v", name, err)
		}
	}
}
