package engines

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/version"
)

// compile compiles Java files into a folder, against libraries if there are
// any.
func compile(t *testing.T, to, classpath string, files ...string) {
	t.Helper()
	args := []string{"-d", to, "--release", "17", "-Xlint:all,-path,-processing", "-Werror"}
	if classpath != "" {
		args = append(args, "-cp", classpath)
	}
	args = append(args, files...)
	cmd := exec.CommandContext(t.Context(), require.Program(t, "javac"), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// mainFolder holds the Java files of the jar.
var mainFolder = filepath.Join("spark", "src", "main", "java", "lastbit")

// sources returns the Java files of the class State, with its test.
func sources() []string {
	files := []string{filepath.Join("spark", "src", "test", "java", "lastbit", "Exchange.java")}
	for _, name := range []string{"State", "Digits", "Format", "Bytes"} {
		files = append(files, filepath.Join(mainFolder, name+".java"))
	}
	return files
}

// A request is one state: words for Java's class Exchange, and the same in Go.
type request struct {
	words []string
	state exact.Accumulator
}

func (r *request) add(x float64) {
	r.words = append(r.words, fmt.Sprintf("+%x", math.Float64bits(x)))
	r.state.Add(x)
}

func (r *request) addInt64(x int64) {
	r.words = append(r.words, fmt.Sprintf("i%x", uint64(x)))
	r.state.AddInt64(x)
}

func (r *request) addProduct(x, y float64) {
	r.words = append(r.words, fmt.Sprintf("*%x,%x", math.Float64bits(x), math.Float64bits(y)))
	r.state.AddProduct(x, y)
}

func (r *request) merge(a *exact.Accumulator) {
	b, _ := a.MarshalBinary()
	r.words = append(r.words, "m"+hex.EncodeToString(b))
	r.state.Merge(a)
}

func (r *request) sub(a *exact.Accumulator) {
	b, _ := a.MarshalBinary()
	r.words = append(r.words, "s"+hex.EncodeToString(b))
	r.state.Sub(a)
}

// want returns the line that Java answers.
func (r *request) want() string {
	b, _ := r.state.MarshalBinary()
	single := "NaN"
	if x := r.state.Float32(); x == x {
		single = fmt.Sprintf("%x", math.Float32bits(x))
	}
	digest := r.state.Digest()
	return fmt.Sprintf("%x %s %s %s %x %d", b, bits(r.state.Float64()), single,
		bits(r.state.Mean()), digest, r.state.Count())
}

func bits(x float64) string {
	if x != x {
		return "NaN"
	}
	return fmt.Sprintf("%x", math.Float64bits(x))
}

// exchange returns Java's answers to lines.
func exchange(t *testing.T, classes string, lines []string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), require.Program(t, "java"), "-ea", "-cp", classes,
		"lastbit.Exchange")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers
}

// draws returns random numbers of many kinds.
var draws = []func(*rand.Rand) float64{
	func(r *rand.Rand) float64 { return math.Round(r.NormFloat64()*1e6) / 100 },
	func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) },
	func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, r.IntN(2000)-1000) },
	func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()&(1<<63|1<<52-1) + 1) },
	func(r *rand.Rand) float64 { return math.Copysign(math.MaxFloat64, r.NormFloat64()) },
	func(r *rand.Rand) float64 { return math.Copysign(0, r.Float64()-0.9) },
	func(r *rand.Rand) float64 { return []float64{0x1p53, 1, -0x1p53, 0x1p-53, 3}[r.IntN(5)] },
	func(r *rand.Rand) float64 {
		return []float64{math.Inf(1), 1, 2, 3, math.Copysign(0, -1)}[r.IntN(5)]
	},
}

// randomRequest returns a state of a few steps of every kind.
func randomRequest(r *rand.Rand) *request {
	q, gone := new(request), new(exact.Accumulator)
	draw := draws[r.IntN(len(draws))]
	for range r.IntN(40) {
		switch x := draw(r); r.IntN(12) {
		case 0:
			q.addInt64(int64(r.Uint64() >> r.IntN(64)))
		case 1, 2:
			q.addProduct(x, draws[r.IntN(len(draws))](r))
		case 3:
			var part exact.Accumulator
			for range r.IntN(5) {
				part.Add(draw(r))
				part.AddProduct(draw(r), x)
			}
			q.merge(&part)
			gone.Merge(&part)
		case 4:
			q.sub(gone)
		case 5:
			q.words = append(q.words, "c")
		case 6:
			q.add(x)
			q.add(-x)
		default:
			q.add(x)
		}
	}
	return q
}

// hardRequests returns states at the ends of what there is.
func hardRequests() []*request {
	hard := [][]float64{
		nil,
		{math.Copysign(0, -1)},
		{math.Copysign(0, -1), 0},
		{math.NaN()},
		{math.Inf(1), math.Inf(-1)},
		{math.Inf(-1), math.MaxFloat64},
		{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
		{math.MaxFloat64, 0x1p970},   // halfway to an infinity
		{math.MaxFloat64, 0x1.8p969}, // below halfway
		{math.SmallestNonzeroFloat64, -0x1p-1022},
		{0x1p53, 1, 0x1p-1074},
		{0x1p53, 1},
		{0x1p24, 1},
		{math.MaxFloat32, 0x1p103},
		{0x1p-149, 0x1p-150},
		{0x1p-150},
		{-0x1p-150, -0x1p-1074},
		{0x1p1023, -0x1p-1074},
	}
	var all []*request
	for _, x := range hard {
		q := new(request)
		for _, v := range x {
			q.add(v)
		}
		all = append(all, q)
	}
	products := new(request)
	for range 40 {
		products.addProduct(math.MaxFloat64, math.MaxFloat64)
		products.addProduct(math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64)
	}
	ends := new(request)
	ends.addInt64(math.MinInt64)
	ends.addInt64(math.MinInt64)
	doubled := new(request)
	doubled.add(-1)
	for range 62 { // 2^62 summands
		doubled.merge(&doubled.state)
	}
	return append(all, products, ends, doubled, refused())
}

// full returns a state of 2^63 − 1 times one number.
func full(x float64) *exact.Accumulator {
	var one, half, sum exact.Accumulator
	one.Add(x)
	half.Add(x)
	for range 62 {
		half.Merge(&half)
	}
	sum.Merge(&half)
	half.Sub(&one)
	sum.Merge(&half)
	return &sum
}

// refused returns a state of no summands and 2^63 − 1 NaN, which refuses a NaN
// and stays, also where the other counts could change.
func refused() *request {
	q := new(request)
	q.merge(full(math.NaN()))
	q.sub(full(2))
	for _, word := range []string{"+7ff8000000000000", "*7ff0000000000000,0"} {
		q.words = append(q.words, "r"+word)
	}
	var nan, minus exact.Accumulator
	nan.Add(math.NaN())
	nan.Add(3)
	minus.Sub(&nan)
	for word, a := range map[string]*exact.Accumulator{"m": &nan, "s": &minus} {
		b, _ := a.MarshalBinary()
		q.words = append(q.words, "r"+word+hex.EncodeToString(b))
	}
	q.add(1)
	return q
}

// TestVersion compares the versions that Maven and the documentation name.
func TestVersion(t *testing.T) {
	for name, text := range map[string]string{
		filepath.Join("spark", "pom.xml"):                "<version>%s</version>",
		filepath.Join("..", "docs", "use", "engines.md"): "lastbit-spark_2.13-%s.jar",
	} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(text, version.Number); !strings.Contains(string(b), want) {
			t.Errorf("%s has no %s", name, want)
		}
	}
}

// TestJavaStates makes the same states in Go and in Java: bytes, sums, means
// and digests are equal.
func TestJavaStates(t *testing.T) {
	classes := t.TempDir()
	compile(t, classes, "", sources()...)
	requests := hardRequests()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		requests = append(requests, randomRequest(random))
	}
	var lines []string
	for _, q := range requests {
		lines = append(lines, strings.Join(q.words, " "))
	}
	wrong := 0
	for i, got := range exchange(t, classes, lines) {
		if want := requests[i].want(); got != want && wrong < 5 {
			wrong++
			t.Errorf("seed %d, state %d: %s\nJava %s\nGo   %s", seed, i, lines[i], got, want)
		}
	}
}

// TestJavaRefusals changes bytes of states: Java takes what Go takes.
func TestJavaRefusals(t *testing.T) {
	classes := t.TempDir()
	compile(t, classes, "", sources()...)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	var lines []string
	var want []bool
	taken := 0
	for range 20_000 {
		b, _ := randomRequest(random).state.MarshalBinary()
		b = changed(random, b)
		lines = append(lines, "m"+hex.EncodeToString(b))
		ok := new(exact.Accumulator).UnmarshalBinary(b) == nil
		if want = append(want, ok); ok {
			taken++
		}
	}
	if taken < 1000 || taken > 19_000 {
		t.Fatalf("%d of the changed states are taken: the changes prove nothing", taken)
	}
	for i, got := range exchange(t, classes, lines) {
		ok := !strings.HasPrefix(got, "refused: ")
		if ok != want[i] || ok && !strings.HasPrefix(got, lines[i][1:]+" ") {
			t.Fatalf("seed %d: %s: Java answers %s, and Go takes it: %t", seed, lines[i], got,
				want[i])
		}
	}
}

// changed returns bytes with one random change.
func changed(r *rand.Rand, b []byte) []byte {
	i := r.IntN(len(b))
	switch r.IntN(6) {
	case 0:
		return b[:i]
	case 1:
		return append(b, byte(r.IntN(2)))
	case 2:
		b[i] ^= 1 << r.IntN(8)
	case 3:
		b[i] = byte(r.IntN(256))
	case 4:
		return append(b[:i:i], append([]byte{0x80}, b[i:]...)...)
	default:
		return append(b[:i:i], b[i+1:]...)
	}
	return b
}
