package engines

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// A column holds the numbers of a column, and whether each is missing.
type column struct {
	x       []float64
	missing []bool
}

// integer returns the number of a column of integers. In the column big most
// have more digits than a float64.
func integer(name string, x float64) int64 {
	if name == "big" {
		return int64(x) | 1
	}
	return int64(x)
}

// state returns the sum of the numbers that are not missing.
func (c column) state(include func(i int) bool) *exact.Accumulator {
	a := new(exact.Accumulator)
	for i, x := range c.x {
		if (c.missing == nil || !c.missing[i]) && include(i) {
			a.Add(x)
		}
	}
	return a
}

func all(int) bool { return true }

// write writes a column for the script check.py.
func (c column) write(t *testing.T, dir, name string) {
	t.Helper()
	var b []byte
	for _, x := range c.x {
		switch name {
		case "key", "big":
			b = binary.LittleEndian.AppendUint64(b, uint64(integer(name, x)))
		default:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	save(t, filepath.Join(dir, name+".bin"), b)
	if c.missing == nil {
		return
	}
	b = make([]byte, len(c.missing))
	for i, missing := range c.missing {
		if missing {
			b[i] = 1
		}
	}
	save(t, filepath.Join(dir, name+".null"), b)
}

func save(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// keys is the number of groups.
const keys = 7

// table returns n rows of every kind of column.
func table(r *rand.Rand, n int) map[string]column {
	columns := map[string]column{}
	fill := func(name string, draw func(i int) float64) {
		c := column{x: make([]float64, n)}
		for i := range c.x {
			c.x[i] = draw(i)
		}
		columns[name] = c
	}
	wide := 0.0
	fill("wide", func(i int) float64 {
		if i%2 == 1 && r.IntN(3) > 0 {
			return -wide
		}
		wide = math.Ldexp(r.NormFloat64(), r.IntN(120)-60)
		return wide
	})
	fill("money", func(int) float64 { return math.Round(r.ExpFloat64()*1e4) / 100 })
	fill("single", func(int) float64 {
		return float64(float32(math.Ldexp(r.Float64(), r.IntN(90)-50)))
	})
	fill("big", func(int) float64 { return float64(r.Uint64() >> 2) })
	fill("key", func(int) float64 { return float64(r.IntN(keys)) })
	fill("holes", func(int) float64 { return math.Float64frombits(r.Uint64() &^ (1 << 62)) })
	fill("empty", func(int) float64 { return 0 })
	fill("zeros", func(int) float64 { return math.Copysign(0, -1) })
	fill("infinite", func(i int) float64 { return []float64{math.MaxFloat64, math.Inf(-1)}[i%2] })
	fill("nan", func(i int) float64 { return []float64{1, math.NaN()}[i/(n-1)] })
	fill("both", func(i int) float64 { return []float64{1, math.Inf(1), math.Inf(-1)}[i%3] })
	for name, share := range map[string]float64{"holes": 0.3, "empty": 1} {
		c := columns[name]
		c.missing = make([]bool, n)
		for i := range c.missing {
			c.missing[i] = r.Float64() < share
		}
		columns[name] = c
	}
	return columns
}

// expected returns the results of exact queries of check.py, by package exact.
func expected(c map[string]column) map[string]string {
	want := map[string]string{}
	sum := func(query string, a *exact.Accumulator) { want[query] = result(a.Float64()) }
	for name := range c {
		sum("exact_sum("+name+")", c[name].state(all))
	}
	big := new(exact.Accumulator)
	for _, x := range c["big"].x {
		big.AddInt64(integer("big", x))
	}
	sum("exact_sum(big)", big)
	want["exact_avg(big)"] = result(big.Mean())
	want["exact_sum(empty)"], want["exact_state(empty)"] = "None", "None"
	for _, name := range []string{"wide", "holes"} {
		want["exact_avg("+name+")"] = result(c[name].state(all).Mean())
		want["exact_state("+name+")"] = stateOf(c[name].state(all))
	}
	want["exact_digest(money)"] = fmt.Sprintf("%x", c["money"].state(all).Digest())
	sum("exact_dot(wide, money)", dot(c["wide"], c["money"]))
	sum("exact_dot(holes, single)", dot(c["holes"], c["single"]))
	key := c["key"].x
	sum("exact_sum(wide) FILTER (WHERE key < 3)",
		c["wide"].state(func(i int) bool { return key[i] < 3 }))
	sevenths := new(exact.Accumulator)
	for k := range keys {
		sevenths.Add(float64(k) / keys)
	}
	sum("distinct", sevenths)
	sum("exact_sum(CAST(money AS DECIMAL(20, 2)) / 1.0D)", c["money"].state(all))
	for k := range keys {
		group := func(i int) bool { return int(key[i]) == k }
		want[fmt.Sprint("key ", k)] = result(c["wide"].state(group).Float64()) + " " +
			stateOf(c["holes"].state(group))
	}
	want["exact_merge"] = stateOf(c["holes"].state(all))
	want["exact_finish(exact_state(empty))"] = "None"
	for _, name := range []string{"wide", "holes", "empty"} {
		want["typed_sum("+name+")"] = want["exact_sum("+name+")"]
	}
	for _, query := range []string{"exact_finish(exact_state(wide))", "frame", "window"} {
		want[query] = want["exact_sum(wide)"]
	}
	return want
}

func dot(x, y column) *exact.Accumulator {
	a := new(exact.Accumulator)
	for i, v := range x.x {
		if x.missing == nil || !x.missing[i] {
			a.AddProduct(v, y.x[i])
		}
	}
	return a
}

// result returns a number as check.py prints it.
func result(x float64) string {
	if x != x {
		return "NaN"
	}
	return fmt.Sprintf("%016x", math.Float64bits(x))
}

func stateOf(a *exact.Accumulator) string {
	b, _ := a.MarshalBinary()
	return fmt.Sprintf("%x", b)
}

// refusals are parts of the errors that end a query.
var refusals = map[string]string{
	"exact_sum('1')":                      "takes floating-point numbers and integers",
	"exact_sum(CAST(1 AS DECIMAL(3, 1)))": "argument 1 is DECIMAL(3,1)",
	"exact_sum(wide, money)":              "exact_sum has 1 argument(s), not 2",
	"exact_dot(wide)":                     "exact_dot has 2 argument(s), not 1",
	"exact_dot(big, wide)":                "a BIGINT may have more digits",
	"exact_merge(wide)":                   "takes the binary states of exact_state",
	"exact_finish(X'6c62')":               "these bytes are not a state: they begin otherwise",
	"exact_finish(key)":                   "DATATYPE_MISMATCH",
	"exact_finish()":                      "WRONG_NUM_ARG_TYPES",
	"exact_merge(X'6c62')":                "these bytes are not a state: they begin otherwise",
}

// TestSpark runs the exact functions in local Spark, with several numbers of
// partitions, and compares with package exact. Spark's own sums depend on that
// number, or are off.
func TestSpark(t *testing.T) {
	python := pyenv.Python(t)
	jar := sparkJar(t, python)
	dir := t.TempDir()
	columns := table(rand.New(rand.NewPCG(32, 0)), 20_000)
	for name, c := range columns {
		c.write(t, dir, name)
	}
	cmd := exec.CommandContext(t.Context(), python,
		filepath.Join("spark", "src", "test", "python", "check.py"), jar, dir, "1,2,8")
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &log)
	}
	want := expected(columns)
	checked, plain := 0, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		partitions, query, got := f[0], f[1], f[2]
		switch {
		case partitions == "":
			if !strings.Contains(got, refusals[query]) || refusals[query] == "" {
				t.Errorf("%s: %s, want %q", query, got, refusals[query])
			}
		case query == "sum(wide)":
			plain[got] = true
			continue
		case got != want[query]:
			t.Errorf("%s partitions: %s is %s, want %s", partitions, query, got, want[query])
		}
		checked++
	}
	if min := len(refusals) + 3*(keys+22); checked < min {
		t.Errorf("%d results, want %d", checked, min)
	}
	delete(plain, want["exact_sum(wide)"])
	if t.Logf("sum(wide) has %d wrong values", len(plain)); len(plain) == 0 {
		t.Error("Spark's own sum is right each time: the numbers prove nothing")
	}
}

// sparkJar compiles everything against the jars that pyspark brings, and
// returns a jar.
func sparkJar(t *testing.T, python string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), python, "-c",
		"import pyspark, pathlib; print(pathlib.Path(pyspark.__file__).parent / 'jars')").Output()
	if err != nil {
		require.Missing(t, "pyspark")
	}
	jars := strings.TrimSpace(string(out))
	files, err := filepath.Glob(filepath.Join(mainFolder, "*.java"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Java files (%v)", err)
	}
	classes, jar := t.TempDir(), filepath.Join(t.TempDir(), "lastbit-spark.jar")
	compile(t, classes, filepath.Join(jars, "*"), files...)
	cmd := exec.CommandContext(t.Context(), require.Program(t, "jar"), "--create", "--file", jar,
		"-C", classes, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return jar
}
