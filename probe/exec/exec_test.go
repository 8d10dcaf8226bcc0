package exec

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// compiled compiles the C example and returns its address.
func compiled(t *testing.T) string {
	t.Helper()
	cc := require.Program(t, "cc")
	bin := filepath.Join(t.TempDir(), "the sum")
	// Neither the order nor the format of the C source's sum is the compiler's
	// to choose.
	out, err := exec.Command(cc, "-O1", "-ffp-contract=off", "-Wall", "-Werror", "-std=c99", "-o",
		bin, "testdata/sum.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return "'" + bin + "'"
}

func TestCExample(t *testing.T) {
	address := compiled(t)
	for _, n := range []int{1, 2, 1000,
		300000} { // the last by offered shared memory, which it ignores
		target, err := Open(t.Context(), address,
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n})
		if err != nil {
			t.Fatal(err)
		}
		if k := target.Key(); k.Library != "sum.c" || k.Version != "1.0" ||
			k.Target != "exec:"+address || k.Runtime != strings.Trim(address, "'") {
			t.Errorf("key %+v", k)
		}
		if _, ok := target.(probe.CellTarget); ok {
			t.Error("a sum is a cell target")
		}
		b := probe.NewBatch(target)
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range 3 {
			var want float32
			for i := range b.X {
				v := float32(rng.NormFloat64())
				b.X[i] = float64(v)
				want += v
			}
			if err := target.Call(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if math.Float64bits(b.Out[0]) != math.Float64bits(float64(want)) {
				t.Errorf("n = %d: %v, want %v", n, b.Out[0], want)
			}
		}
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPythonExample(t *testing.T) {
	python := require.Program(t, "python3")
	s := probe.Spec{Op: probe.Dot, DType: fp.Binary64, N: 100}
	target, err := Open(t.Context(), `"`+python+`" testdata/dot.py`, s)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	b := probe.NewBatch(target)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range b.X {
		b.X[i], b.Y[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	if err := target.Call(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i := 99; i >= 0; i-- {
		want += float64(b.X[i] * b.Y[i])
	}
	if math.Float64bits(b.Out[0]) != math.Float64bits(want) {
		t.Errorf("%v, want %v", b.Out[0], want)
	}
}

// The document quotes the examples unchanged.
func TestDocumentQuotesExamples(t *testing.T) {
	doc, err := os.ReadFile("../../docs/reference/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	for lang, name := range map[string]string{"c": "sum.c", "python": "dot.py"} {
		code, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), "```"+lang+"\n"+string(code)+"```\n") {
			t.Errorf("docs/reference/wire.md does not quote %s as it is", name)
		}
	}
}

func TestFaults(t *testing.T) {
	sum := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4}
	address := compiled(t)
	for _, c := range []struct {
		address string
		spec    probe.Spec
		id      string
		part    string
	}{
		{"", sum, "bad-address", "no command"},
		{"'unfinished", sum, "bad-address", "left open"},
		{"no-such-program-anywhere x", sum, "worker-start", `"no-such-program-anywhere"`},
		{"./testdata/absent", sum, "worker-start", "absent"},
		{address, probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 4}, "worker-refused", "op=dot"},
		{address, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4}, "worker-refused",
			"dtype=f64"},
		{address, probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4, Stride: 2}, "worker-refused",
			"stride=2"},
		{address, probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4, Axis: "1"}, "worker-refused",
			"m=1024"},
		{address, probe.Spec{Op: probe.Sum, DType: fp.Binary32}, "bad-spec", "nothing to add"},
		{address, probe.Spec{DType: fp.Binary32, N: 4}, "bad-op", "operation"},
		{"true", sum, "worker-died", "exit status 0"},
		{"false", sum, "worker-died", "exit status 1"},
		{"echo Hello", sum, "worker-protocol", "Hello"},
		{"sleep 1000",
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4, Timeout: 300 * time.Millisecond},
			"worker-timeout", "within 300ms"},
		{"sleep 1000",
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4, Timeout: 200 * time.Millisecond},
			"worker-timeout", "never answered the hello"},
	} {
		_, err := Open(t.Context(), c.address, c.spec)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != c.id || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%q %+v: %v, want a fault %s about %s", c.address, c.spec, err, c.id, c.part)
		}
	}
}

func TestSplit(t *testing.T) {
	if runtime.GOOS == "windows" {
		require.Missing(t, "a Unix, where a backslash is not part of a path")
	}
	for line, want := range map[string][]string{
		"a":                {"a"},
		"  a  b\tc\n":      {"a", "b", "c"},
		`'a b' "c d" e\ f`: {"a b", "c d", "e f"},
		`a'b'"c"`:          {"abc"},
		`a '' ""`:          {"a", "", ""},
		`a "\"\\\$\n"`:     {"a", `"\$\n`},
		`a '\' "it's"`:     {"a", `\`, "it's"},
		`a $HOME * ~ ; | & > < # ${x}`: {
			"a", "$HOME", "*", "~", ";", "|", "&", ">", "<", "#", "${x}",
		},
		`größe "ö ä"`: {"größe", "ö ä"},
	} {
		got, err := split(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{"", "  ", `"`, `'`, `a "b`, `a\`, `"" a`} {
		if got, err := split(line); err == nil {
			t.Errorf("%s: %q, want an error", line, got)
		}
	}
}
