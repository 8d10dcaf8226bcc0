package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/internal/require"
)

// runSum runs a command line that must succeed, and returns its output.
func runSum(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), strings.NewReader(""), &stdout, &stderr, args); code != same ||
		stderr.Len() > 0 {
		t.Fatalf("lastbit %s: exit code %d, %s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.String()
}

// summed is a result as JSON has it.
type summed struct {
	Key    string
	Count  int64
	Bits   string
	Digest string
}

func sumJSON(t testing.TB, args ...string) summed {
	t.Helper()
	var s summed
	if err := json.Unmarshal([]byte(runSum(t, append(args, "--json")...)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// kindsOfData are numbers of every kind.
var kindsOfData = map[string]func(r *rand.Rand) float64{
	"uniform": func(r *rand.Rand) float64 { return 2*r.Float64() - 1 },
	"normal":  func(r *rand.Rand) float64 { return r.NormFloat64() },
	"wide": func(r *rand.Rand) float64 {
		return math.Ldexp(r.NormFloat64(), r.IntN(400)-200)
	},
	"all": func(r *rand.Rand) float64 {
		return math.Ldexp(r.Float64()-0.5, r.IntN(2090)-1070)
	},
	"subnormal": func(r *rand.Rand) float64 {
		return math.Ldexp(r.Float64()-0.5, -1040-r.IntN(30))
	},
	"huge": func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, 1024) },
	"cancelling": func(r *rand.Rand) float64 {
		return math.Copysign(1e16, r.NormFloat64()) + float64(r.IntN(9))
	},
	"equal": func(r *rand.Rand) float64 { return 0.1 },
}

// TestSumAgainstPython compares every operation with rational arithmetic, and
// the sum with math.fsum too.
func TestSumAgainstPython(t *testing.T) {
	python := require.Program(t, "python3")
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 1))
	var questions bytes.Buffer
	var got []summed
	var about []string
	ask := func(kind string, x, y []string, args ...string) {
		for _, op := range sums.OperationNames() {
			line, err := json.Marshal(map[string]any{"op": op, "x": x, "y": y})
			if err != nil {
				t.Fatal(err)
			}
			questions.Write(append(line, '\n'))
			a := append([]string{"sum", "--op", op}, args...)
			if op != "dot" {
				a = a[:len(a)-1] // without the second file
			}
			got = append(got, sumJSON(t, a...))
			about = append(about, kind+": "+op)
		}
	}
	for kind, next := range kindsOfData {
		for _, n := range []int{2, 3, 500} {
			var raw [2][]byte
			var text [2][]string
			for range n {
				for k := range raw {
					v := next(r)
					raw[k] = binary.BigEndian.AppendUint64(raw[k], math.Float64bits(v))
					f, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'x', -1, 64))
					text[k] = append(text[k], f.String())
				}
			}
			names := []string{filepath.Join(dir, "x.raw"), filepath.Join(dir, "y.raw")}
			for k, name := range names {
				write(t, name, raw[k])
			}
			ask(fmt.Sprint(kind, ", n = ", n), text[0], text[1],
				append([]string{"--order", "big"}, names...)...)
		}
	}
	// Integers, most of them no float64.
	var raw [2][]byte
	var text [2][]string
	for range 300 {
		for k := range raw {
			v := int64(r.Uint64()) >> r.IntN(60)
			raw[k] = binary.LittleEndian.AppendUint64(raw[k], uint64(v))
			text[k] = append(text[k], strconv.FormatInt(v, 10))
		}
	}
	write(t, filepath.Join(dir, "x.i64"), raw[0])
	write(t, filepath.Join(dir, "y.i64"), raw[1])
	ask("integers", text[0], text[1], "--format", "raw", "--dtype", "i64",
		filepath.Join(dir, "x.i64"), filepath.Join(dir, "y.i64"))

	cmd := exec.Command(python, "testdata/expect.py")
	cmd.Stdin = &questions
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(out))
	if len(want) != len(got) {
		t.Fatalf("%d answers to %d questions", len(want), len(got))
	}
	for i := range want {
		if got[i].Bits != "0x"+want[i] {
			t.Errorf("%s: %s, want 0x%s", about[i], got[i].Bits, want[i])
		}
	}
}

func write(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestSplits splits rows at random into files of random formats, sums them with
// and without merges in a random tree, and expects the bits and the bytes of
// the whole.
func TestSplits(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(3, 2))
	for round := range 12 {
		names := sums.OperationNames()
		op := names[r.IntN(len(names))]
		if op == "dot" {
			op = "sum"
		}
		x := make([]float64, r.IntN(2000))
		next := kindsOfData[[]string{"wide", "cancelling", "all"}[r.IntN(3)]]
		for i := range x {
			x[i] = next(r)
		}
		write(t, "all.npy", npyFile("<f8", len(x), func(i int) float64 { return x[i] }))
		want := sumJSON(t, "sum", "all.npy", "--op", op, "--digest", "--partial", "all.acc")
		r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		var parts, files []string
		for i := 0; len(x) > 0 || i == 0; i++ {
			n := min(1+r.IntN(500), len(x))
			name := writePart(t, r, i, x[:n])
			x = x[n:]
			part := fmt.Sprintf("%d.acc", i)
			runSum(t, "sum", name, "--op", op, "--partial", part)
			parts, files = append(parts, part), append(files, name)
		}
		if got := sumJSON(t, append([]string{"sum", "--op", op, "--digest"},
			files...)...); got != want {
			t.Errorf("round %d, %s of %d files: %v, want %v", round, op, len(files), got, want)
		}
		for len(parts) > 1 {
			i := r.IntN(len(parts) - 1)
			n := min(2+r.IntN(3), len(parts)-i)
			runSum(t, append([]string{"merge", "--partial", parts[i]}, parts[i:i+n]...)...)
			parts = slices.Delete(parts, i+1, i+n)
		}
		if got := sumJSON(t, "merge", parts[0], "--digest"); got != want {
			t.Errorf("round %d, %s merged: %v, want %v", round, op, got, want)
		}
		a, _ := os.ReadFile(parts[0])
		b, _ := os.ReadFile("all.acc")
		if !bytes.Equal(a, b) || len(a) == 0 {
			t.Errorf("round %d: the bytes of the merged sums are not those of the sum", round)
		}
	}
}

// writePart writes a file of some format, and returns its name.
func writePart(t *testing.T, r *rand.Rand, i int, x []float64) string {
	name := fmt.Sprintf("%d.%s", i, []string{"npy", "csv", "parquet", "raw"}[r.IntN(4)])
	var b bytes.Buffer
	switch filepath.Ext(name) {
	case ".npy":
		b.Write(npyFile("<f8", len(x), func(i int) float64 { return x[i] }))
	case ".csv":
		fmt.Fprintln(&b, "x")
		for _, v := range x {
			fmt.Fprintln(&b, v)
		}
	case ".parquet":
		type row struct {
			X float64 `parquet:"x"`
		}
		w := parquet.NewGenericWriter[row](&b)
		for _, v := range x {
			if _, err := w.Write([]row{{v}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	case ".raw":
		for _, v := range x {
			b.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	write(t, name, b.Bytes())
	return name
}

// TestConstantMemory sums a file of 256 MiB, a hole except for two numbers, and
// checks the total allocated memory.
func TestConstantMemory(t *testing.T) {
	const n = 1 << 25
	name := filepath.Join(t.TempDir(), "x.npy")
	head := npyFile("<f8", 0, nil)
	head = bytes.Replace(head, []byte("(0,), }"+strings.Repeat(" ", 7)),
		fmt.Appendf(nil, "(%d,), }", n), 1)
	one := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1))
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(head)) + 8*n
	for at, b := range map[int64][]byte{0: head, size - 8: one, size / 2 &^ 7: one} {
		if _, err := f.WriteAt(b, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := sumJSON(t, "sum", name)
	runtime.ReadMemStats(&after)
	if got.Count != n || got.Bits != "0x4000000000000000" {
		t.Errorf("the sum is %v", got)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 8 {
		t.Errorf("%d MiB were allocated", mib)
	}
}

// TestRoundsOnce computes sums whose float64 lies halfway between two float32.
// A second rounding would go the wrong way.
func TestRoundsOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		op, rows, want string
	}{
		{"sum", "1\n0x1p-24\n0x1p-60\n", "0x3f800001"},
		{"asum", "-1\n0x1p-24\n-0x1p-60\n", "0x3f800001"},
		{"mean", "2\n0x1p-23\n0x1p-60\n0\n", "0x3f000001"},
		{"norm", "0x1.000001p0\n0x1p-60\n", "0x3f800001"},
		{"sum", "-0\n-0\n", "0x80000000"},
		{"mean", "-0\n-0\n", "0x80000000"},
		{"sum", "0x1p-149\n-0x1p-150\n", "0x00000000"},
		{"sum", "0x1p-150\n0x1p-200\n", "0x00000001"},
		{"sum", "0x1.fffffep127\n0x1p103\n", "0x7f800000"},
		{"sum", "0x1.fffffep127\n0x1p103\n-1e-300\n", "0x7f7fffff"},
		{"sum", "inf\n-inf\n", "0x7fc00000"},
	} {
		write(t, "x.csv", []byte(decimals(t, c.rows)))
		if got := sumJSON(t, "sum", "x.csv", "--op", c.op, "--result", "f32"); got.Bits != c.want {
			t.Errorf("%s of %q: %s, want %s", c.op, c.rows, got.Bits, c.want)
		}
	}
}

// decimals writes each number as the shortest decimal that is read as the same.
func decimals(t *testing.T, rows string) string {
	s := ""
	for _, row := range strings.Fields(rows) {
		x, err := strconv.ParseFloat(row, 64)
		if err != nil {
			t.Fatal(err)
		}
		s += strconv.FormatFloat(x, 'g', -1, 64) + "\n"
	}
	return s
}
