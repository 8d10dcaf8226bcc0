package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
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

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

// runSum runs a command line that must succeed, and returns what it prints.
func runSum(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), strings.NewReader(""), &stdout, &stderr, args); code != same || stderr.Len() > 0 {
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
	"uniform":    func(r *rand.Rand) float64 { return 2*r.Float64() - 1 },
	"normal":     func(r *rand.Rand) float64 { return r.NormFloat64() },
	"wide":       func(r *rand.Rand) float64 { return math.Ldexp(r.NormFloat64(), r.IntN(400)-200) },
	"all":        func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, r.IntN(2090)-1070) },
	"subnormal":  func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, -1040-r.IntN(30)) },
	"huge":       func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, 1024) },
	"cancelling": func(r *rand.Rand) float64 { return math.Copysign(1e16, r.NormFloat64()) + float64(r.IntN(9)) },
	"equal":      func(r *rand.Rand) float64 { return 0.1 },
}

// TestSumAgainstPython compares every operation with rational arithmetic, and the sum
// with math.fsum too.
func TestSumAgainstPython(t *testing.T) {
	python := require.Program(t, "python3")
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 1))
	var questions bytes.Buffer
	var got []summed
	var about []string
	ask := func(kind string, x, y []string, args ...string) {
		for _, op := range operations {
			line, err := json.Marshal(map[string]any{"op": op.name, "x": x, "y": y})
			if err != nil {
				t.Fatal(err)
			}
			questions.Write(append(line, '\n'))
			a := append([]string{"sum", "--op", op.name}, args...)
			if !op.pairs() {
				a = a[:len(a)-1] // without the second file
			}
			got = append(got, sumJSON(t, a...))
			about = append(about, kind+": "+op.name)
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
			ask(fmt.Sprint(kind, ", n = ", n), text[0], text[1], append([]string{"--order", "big"}, names...)...)
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
	ask("integers", text[0], text[1], "--format", "raw", "--dtype", "i64", filepath.Join(dir, "x.i64"), filepath.Join(dir, "y.i64"))

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

// TestSplits splits rows at random into files of random formats, sums them with and
// without merges in a random tree, and wants the bits and the bytes of the whole.
func TestSplits(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(3, 2))
	for round := range 12 {
		op := operations[r.IntN(len(operations))].name
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
		if got := sumJSON(t, append([]string{"sum", "--op", op, "--digest"}, files...)...); got != want {
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

// TestConstantMemory sums a file of 256 MiB, all of it a hole but for two numbers, and
// counts what is allocated in all.
func TestConstantMemory(t *testing.T) {
	const n = 1 << 25
	name := filepath.Join(t.TempDir(), "x.npy")
	head := npyFile("<f8", 0, nil)
	head = bytes.Replace(head, []byte("(0,), }"+strings.Repeat(" ", 7)), fmt.Appendf(nil, "(%d,), }", n), 1)
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

// TestRoundsOnce has sums whose float64 lies halfway between two float32, from where a
// second rounding would go the wrong way.
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

// TestNaive compares the naive results with loops.
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

func TestNaive(t *testing.T) {
	x, y := []float64{0.1, -2.7, 1e10, 3}, []float64{7, 0.3, 0.7, -1e-3}
	sum, product, square := float32(0), 0.0, float32(0)
	for i := range x {
		sum += float32(x[i])
		product += float64(x[i] * y[i])
		square += float32(float32(x[i]) * float32(x[i]))
	}
	for _, c := range []struct {
		op   string
		f    fp.Format
		want float64
	}{
		{"sum", fp.Binary32, float64(sum)},
		{"mean", fp.Binary32, float64(sum / 4)},
		{"norm", fp.Binary32, float64(float32(math.Sqrt(float64(square))))},
		{"variance", fp.Binary32, float64((square - float32(sum*sum)/4) / 3)},
		{"dot", fp.Binary64, product},
	} {
		algo, err := parseAlgorithm(exactAlgorithm, findOperation(c.op), c.f)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSeries("", algo, false)
		if err != nil {
			t.Fatal(err)
		}
		g := s.groups[""]
		for i := range x { // in parts, as from blocks
			if err := s.addRows(g, x[i:i+1], y[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if got := algo.op.naive(g.naive, g.count, roundingTo(c.f)); math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%s in %v: %v, want %v", c.op, c.f, got, c.want)
		}
	}
}

// FuzzAccumulatorFile decodes anything: what is taken is written back byte by byte.
func FuzzAccumulatorFile(f *testing.F) {
	for _, args := range [][]string{{"--column", "a"}, {"--column", "a,b", "--by", "k", "--op", "variance"}, {"--column", "a,b", "--op", "dot"}} {
		dir := f.TempDir()
		write(f, filepath.Join(dir, "x.csv"), []byte("k,a,b\nq,1,0.1\np,-1e300,nan\n"))
		runSum(f, append([]string{"sum", filepath.Join(dir, "x.csv"), "--partial", filepath.Join(dir, "x.acc")}, args...)...)
		b, err := os.ReadFile(filepath.Join(dir, "x.acc"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:len(b)-32])
	}
	f.Add([]byte(accMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = appendChecksum(b)
		acc, err := decodeAcc(b)
		if err != nil {
			return
		}
		if !bytes.Equal(acc.encode(), b) {
			t.Errorf("%q is written as %q", b, acc.encode())
		}
		if _, err := summarize(acc, &algorithm{name: exactAlgorithm, op: acc.op, out: fp.Binary64}, true, false); err != nil {
			t.Error(err)
		}
		again, err := decodeAcc(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := acc.merge(again); err != nil && !errors.Is(err, errTooMany) {
			t.Error(err)
		}
	})
}

func TestDecodeRefusesAcc(t *testing.T) {
	good := &accFile{op: findOperation("sum"), columns: []string{"a"}, by: "k", grouped: true, results: []*series{{groups: map[string]*keyGroup{
		"p": {key: "p", total: newExactTotal(findOperation("sum"))}, "q": {key: "q", total: newExactTotal(findOperation("sum"))}}}}}
	b := good.encode()
	body := b[:len(b)-32]
	if _, err := decodeAcc(b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		b    []byte
	}{
		{"no checksum", body},
		{"a bit of the checksum", append(slices.Clone(b[:len(b)-1]), b[len(b)-1]^1)},
		{"an unknown operation", appendChecksum(bytes.Replace(body, []byte("\x03sum"), []byte("\x03mum"), 1))},
		{"another version", appendChecksum(bytes.Replace(body, []byte("accumulator 1"), []byte("accumulator 2"), 1))},
		{"keys out of order", appendChecksum(bytes.Replace(bytes.Replace(body, []byte("\x01q"), []byte("\x01o"), 1), []byte("\x01p"), []byte("\x01p"), 1))},
		{"a key twice", appendChecksum(bytes.Replace(body, []byte("\x01q"), []byte("\x01p"), 1))},
		{"a long way to write a number", appendChecksum(bytes.Replace(body, []byte("\x03sum"), []byte("\x83\x00sum"), 1))},
		{"too large a number", appendChecksum(bytes.Replace(body, []byte("\x01a"), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a"), 1))},
		{"something behind", appendChecksum(append(slices.Clone(body), 0))},
		{"cut off", appendChecksum(body[:len(body)-1])},
	} {
		if _, err := decodeAcc(c.b); err == nil {
			t.Errorf("%s is not refused", c.what)
		}
	}
}

// accOf is a file with one state: a count, and some numbers from a place of the vector
// that it is merged from.
func accOf(t *testing.T, op string, count int64, at int, numbers ...int64) []byte {
	t.Helper()
	v := make([]int64, exact.Limbs)
	v[0] = count
	copy(v[at:], numbers)
	total := newExactTotal(findOperation(op))
	for i := range total.sums {
		if err := total.sums[i].AddLimbs(v); err != nil {
			t.Fatal(err)
		}
	}
	f := &accFile{op: total.op, results: []*series{{groups: map[string]*keyGroup{"": {total: total}}}}}
	return f.encode()
}

// TestImpossibleSums has states that no rows have.
func TestImpossibleSums(t *testing.T) {
	const digit, last = specials + 66, exact.Limbs - 1 // only the last has a sign
	for _, c := range []struct {
		what     string
		b        []byte
		possible bool
	}{
		{"a sum", accOf(t, "sum", 1, digit, 3), true},
		{"a negative sum", accOf(t, "sum", 1, last, -1), true},
		{"two -0", accOf(t, "sum", 2, 1, 2), true},
		{"a sum of no rows", accOf(t, "sum", 0, digit, 3), false},
		{"two -0 of one row", accOf(t, "sum", 1, 1, 2), false},
		{"-0 and NaN of one row", accOf(t, "sum", 1, 1, 1, 1), false},
		{"NaN", accOf(t, "sum", 1, 2, 1), true},
		{"a negative count", accOf(t, "sum", -1, 1), false},
		{"a negative count of NaN", accOf(t, "sum", 1, 2, -1), false},
		{"a negative sum of magnitudes", accOf(t, "asum", 1, last, -1), false},
		{"a sum of squares", accOf(t, "norm", 1, digit, 3), true},
		{"a negative sum of squares", accOf(t, "norm", 1, last, -1), false},
		{"a square of -Inf", accOf(t, "norm", 1, 4, 1), false},
		{"a square of -0", accOf(t, "norm", 1, 1, 1), false},
	} {
		if _, err := decodeAcc(c.b); (err == nil) != c.possible {
			t.Errorf("%s: the error is %v", c.what, err)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "most.acc")
	write(t, name, accOf(t, "sum", math.MaxInt64, 1))
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), nil, &stdout, &stderr, []string{"merge", name, name}); code != failed || stdout.Len() > 0 || !strings.Contains(stderr.String(), errTooMany.Error()) {
		t.Errorf("exit code %d, %s%s", code, &stdout, &stderr)
	}
}

func TestCompareKeys(t *testing.T) {
	want := []string{"-Inf", "-3", "0", "-0", "2", "2.0", "10", "1e3", "", "A", "B", "a", "ä"}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(3, 3)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, compareKeys)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestOrderedNeedsMemory lets two ordered sums have room for three values.
func TestOrderedNeedsMemory(t *testing.T) {
	left := int64(3)
	o, other := &orderedTotal[float64]{op: findOperation("sum"), left: &left}, newOrderedTotal(findOperation("sum"), fp.Binary32, &left)
	if err := errors.Join(o.add([]float64{4, 2}, nil), other.add([]float64{1}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := o.add([]float64{4}, nil); err == nil || !strings.Contains(err.Error(), "#algorithm-limit") {
		t.Errorf("the error is %v", err)
	}
	if v, err := o.value(fp.Binary64); v != 6 || err != nil {
		t.Errorf("the sum is %v, %v", v, err)
	}
	name := filepath.Join(t.TempDir(), "meminfo")
	write(t, name, []byte("MemAvailable: 24 kB\n"))
	if n := mostOrdered(name, 8); n != 1<<10 {
		t.Errorf("%d values fit", n)
	}
	if n := mostOrdered(name+".none", 8); n != math.MaxInt64 {
		t.Errorf("%d values fit where nothing tells", n)
	}
}

func TestDistanceWords(t *testing.T) {
	for d, want := range map[ulpDistance]string{0: "the same 0", 1: "1 ULP off 1", 12: "12 ULPs off 12", math.MaxUint64: "not comparable null"} {
		b, err := json.Marshal(d)
		if got := d.String() + " " + string(b); got != want || err != nil {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
	for key, want := range map[string]string{"a": "a", "ä b": "ä b", "": `""`, " a": `" a"`, "a\n": `"a\n"`, `"`: `"\""`} {
		if got := printable(key); got != want {
			t.Errorf("%q is printed as %s, want %s", key, got, want)
		}
	}
}
