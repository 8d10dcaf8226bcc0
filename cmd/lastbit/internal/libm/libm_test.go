package libm

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
)

// c returns the C library, or ends the test.
func c[T Float](t *testing.T) Library[T] {
	t.Helper()
	l, err := C[T]()
	if err != nil {
		require.Missing(t, err.Error())
	}
	return l
}

// few returns arguments of every kind, few enough for a quick test.
func few[T Float](f *Function[T]) (x, y []T) {
	x, y, err := f.Fixed()
	if err != nil {
		panic(err)
	}
	if y != nil {
		y = y[:4096]
	}
	return x[:4096], y
}

// TestRightIsRight fingerprints the correctly rounded functions themselves: no
// result is wrong, and the hash is the same on every machine.
func TestRightIsRight(t *testing.T) {
	rightIsRight[float64](t)
	rightIsRight[float32](t)
}

// TestGoldenFingerprint checks that arguments and right results are the same on
// every machine.
func TestGoldenFingerprint(t *testing.T) {
	golden[float64](t)
	golden[float32](t)
}

func golden[T Float](t *testing.T) {
	t.Helper()
	prints, err := Prints(Crmath[T](), Functions[T]())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := HashOfAll(prints), Golden(FormatOf[T]()); got != want {
		t.Errorf("the hash of all right results is %s, want %s", got, want)
	}
}

// TestSlicesAreRight checks that slices give the same bits.
func TestSlicesAreRight(t *testing.T) {
	slicesAreRight[float64](t)
	slicesAreRight[float32](t)
}

func slicesAreRight[T Float](t *testing.T) {
	t.Helper()
	n := 0
	for _, f := range Functions[T]() {
		x, y := few(f)
		p, err := Examine(Slices[T](), f, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			continue
		}
		n++
		if p.Wrong != 0 {
			t.Errorf("%+v", p)
		}
	}
	if n < 10 {
		t.Errorf("there are slices of %d functions", n)
	}
}

func rightIsRight[T Float](t *testing.T) {
	t.Helper()
	hashes := map[string]bool{}
	for _, f := range Functions[T]() {
		x, y := few(f)
		p, err := Examine(Crmath[T](), f, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if p.Wrong != 0 || p.Worst != 0.5 || p.At == nil || len(p.At) != 0 ||
			p.Count != f.Results*len(x) || p.DType != FormatOf[T]() {
			t.Errorf("%s: %+v", f.Name, p)
		}
		hashes[p.Hash] = true
	}
	if len(hashes) != len(Functions[T]()) {
		t.Errorf("%d functions have %d hashes", len(Functions[T]()), len(hashes))
	}
}

// TestWrong counts wrong results, and finds the worst.
func TestWrong(t *testing.T) {
	f := Functions[float64]()[0]
	off := func(change func(out, x []float64)) Library[float64] {
		return Library[float64]{Find: func(f *Function[float64]) (Loop[float64], error) {
			return func(out, x, y []float64) error {
				err := f.right(out, x, y)
				change(out, x)
				return err
			}, nil
		}}
	}
	for _, c := range []struct {
		name   string
		change func(out, x []float64)
		want   string // count, worst, at, gave, right
	}{
		{"none", func(out, x []float64) {}, `{"count":4,"wrong":0,"worst":0.5,"at":[]}`},
		{"one and two ULPs", func(out, x []float64) {
			out[0] = math.Nextafter(out[0], 0)
			out[1] = math.Nextafter(math.Nextafter(out[1], 0), 0)
		}, `{"count":4,"wrong":2,"worst":2.051613558711637,"at":[-1e-05],` +
			`"gave":0.9999900000499996,"right":0.9999900000499998}`},
		{"a number for NaN", func(out, x []float64) { out[2] = 1 },
			`{"count":4,"wrong":1,"worst":"NaN","at":["NaN"],"gave":1,"right":"NaN"}`},
		{"infinity", func(out, x []float64) { out[3] = math.Inf(-1) },
			`{"count":4,"wrong":1,"worst":"+Inf","at":["-Inf"],"gave":"-Inf","right":0}`},
		{"the sign of zero", func(out, x []float64) { out[3] = math.Copysign(0, -1) },
			`{"count":4,"wrong":1,"worst":0,"at":["-Inf"],"gave":-0,"right":0}`},
		{"NaN beside infinity",
			func(out, x []float64) { out[0], out[1], out[2] = math.Inf(1), math.NaN(), 0 },
			`{"count":4,"wrong":3,"worst":"NaN","at":[-1e-05],"gave":"NaN",` +
				`"right":0.9999900000499998}`},
		{"another NaN",
			func(out, x []float64) { out[2] = math.Float64frombits(0xfff8000000001234) },
			`{"count":4,"wrong":0,"worst":0.5,"at":[]}`},
	} {
		p, err := Examine(off(c.change), f, []float64{1, -1e-5, math.NaN(), math.Inf(-1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		hash := p.Hash
		p.Hash = ""
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"library":"","version":"","function":"exp","dtype":"f64",` +
			strings.TrimSuffix(c.want[1:], "}") + `,"hash":""}`
		if string(b) != want {
			t.Errorf("%s: %s, want %s", c.name, b, want)
		}
		var back Print
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != want {
			t.Errorf("%s: %s was read back as %s, %v", c.name, b, again, err)
		}
		right, err := Examine(Crmath[float64](), f, []float64{1, -1e-5, math.NaN(), math.Inf(-1)},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		if (hash == right.Hash) != (p.Wrong == 0) {
			t.Errorf("%s: %d wrong, and the hash is %s where %s is right", c.name, p.Wrong, hash,
				right.Hash)
		}
	}
	absent := Library[float64]{Find: func(*Function[float64]) (Loop[float64], error) {
		return nil,
			nil
	}}
	if p, err := Examine(absent, f, []float64{1}, nil); p != nil || err != nil {
		t.Errorf("an absent function has %v, %v", p, err)
	}
	broken := errors.New("broken")
	fails := Library[float64]{Find: func(*Function[float64]) (Loop[float64], error) {
		return func(_, _, _ []float64) error { return broken }, nil
	}}
	if _, err := Examine(fails, f, []float64{1}, nil); !errors.Is(err, broken) {
		t.Errorf("an error became %v", err)
	}
}

func TestNumberRefuses(t *testing.T) {
	for _, text := range []string{`"three"`, `{}`, `null`, `[1]`, `true`} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err == nil && text != "null" {
			t.Errorf("%s became the number %q", text, n)
		}
	}
}

// TestArguments checks that arguments of every kind exist, in the domain and
// beyond it, and that they are the same every time.
func TestArguments(t *testing.T) {
	arguments[float64](t)
	arguments[float32](t)
}

func arguments[T Float](t *testing.T) {
	t.Helper()
	for _, f := range Functions[T]() {
		x, y, err := f.Fixed()
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := f.Fixed()
		if len(x) != FixedCount || f.Binary != (y != nil) || hashOf(x) != hashOf(again) {
			t.Errorf("%s: %d and %d arguments", f.Name, len(x), len(y))
		}
		inside, huge := 0, 0
		for _, v := range x {
			if v >= T(f.Low) && v <= T(f.High) {
				inside++
			}
			if v > 1e20 {
				huge++
			}
		}
		if inside < FixedCount/2 || inside > FixedCount*95/100 || huge == 0 {
			t.Errorf("%s: %d of %d arguments are typical, %d huge", f.Name, inside, FixedCount,
				huge)
		}
		x, y = f.Typical()
		if len(x) != typicalCount || f.Binary != (y != nil) {
			t.Errorf("%s: %d and %d typical arguments", f.Name, len(x), len(y))
		}
		low, high := f.TypicalRange()
		for _, v := range x {
			if v < T(low) || v > T(high) {
				t.Fatalf("%s: %v is not typical", f.Name, v)
			}
		}
		checkWholes(t, f, y)
	}
}

// checkWholes checks that typical integers have all values.
func checkWholes[T Float](t *testing.T, f *Function[T], y []T) {
	t.Helper()
	seen := map[T]bool{}
	for _, v := range y {
		if f.Whole == 0 {
			return
		}
		if seen[v] = true; float64(v) != math.Trunc(float64(v)) ||
			math.Abs(float64(v)) > float64(f.Whole) {
			t.Fatalf("%s: %v is not a typical integer", f.Name, v)
		}
	}
	if f.Whole > 0 && len(seen) != 2*f.Whole+1 {
		t.Errorf("%s: %d integers, want %d", f.Name, len(seen), 2*f.Whole+1)
	}
}

// TestLibraries calls the libraries of this machine. Go's and the C library's
// functions are sometimes wrong, but not always. Go's float32 functions compute
// in float64 and are hardly ever wrong.
func TestLibraries(t *testing.T) {
	// Standards before C23, and Go, lack these.
	absent := []string{"exp2m1", "exp10m1", "log2p1", "log10p1", "sinpi", "cospi", "tanpi",
		"asinpi", "acospi", "atanpi", "rsqrt", "pown", "compound", "rootn"}
	libraries(t, Go[float64](), append(absent, "exp10"))
	libraries(t, Go[float32](), append(absent, "exp10"))
	libraries(t, c[float64](t), absent)
	libraries(t, c[float32](t), absent)
}

func libraries[T Float](t *testing.T, l Library[T], absent []string) {
	t.Helper()
	wrong := 0
	for _, f := range Functions[T]() {
		x, y := few(f)
		p, err := Examine(l, f, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			if !slices.Contains(absent, f.Name) {
				t.Errorf("%s has no %s", l.Name, f.Name)
			}
			continue
		}
		wrong += p.Wrong
		if p.Wrong > p.Count*3/4 {
			t.Errorf("%s %s: %d of %d are wrong", l.Name, f.Name, p.Wrong, p.Count)
		}
	}
	if wrong == 0 && (l.Name != "go" || FormatOf[T]() == fp.Binary64) {
		t.Errorf("%s is never wrong", l.Name)
	}
}

// TestSincosOfC checks that the first result of sincos is sin's and the second
// cos's.
func TestSincosOfC(t *testing.T) {
	l := c[float64](t)
	var f *Function[float64]
	for _, f = range Functions[float64]() {
		if f.Results == 2 {
			break
		}
	}
	x := []float64{0, 1, 2, 3}
	out := make([]float64, 8)
	loop, err := l.Find(f)
	if err != nil || loop == nil {
		t.Fatal(loop == nil, err)
	}
	if err := loop(out, x, nil); err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		// A tolerance, for these are C's results, not the right ones.
		if math.Abs(out[i]-math.Sin(v)) > 1e-15 || math.Abs(out[4+i]-math.Cos(v)) > 1e-15 {
			t.Errorf("sincos(%v) = %v, %v", v, out[i], out[4+i])
		}
	}
}

func TestNumPyFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := NumPy[float64](t.Context(),
		func(context.Context, string, string, ...string) ([]byte, error) {
			return nil,
				broken
		}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	calls := 0
	l, err := NumPy[float64](t.Context(),
		func(context.Context, string, string, ...string) ([]byte, error) {
			if calls++; calls == 1 {
				return []byte("1.2\n"), nil
			}
			return nil, broken
		})
	if err != nil || l.Version != "NumPy 1.2" {
		t.Fatal(l.Version, err)
	}
	if _, err := Prints(l, Functions[float64]()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	silent, err := NumPy[float64](t.Context(),
		func(context.Context, string, string, ...string) ([]byte, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Prints(silent, Functions[float64]()); err == nil {
		t.Error("results came from nowhere")
	}
}

// TestFingerprints checks that single and common calls give the same prints.
func TestFingerprints(t *testing.T) {
	calls := 0
	at := Go[float32]()
	at.Many = func(jobs []Job[float32]) error {
		calls++
		for _, j := range jobs {
			if err := j.Function.golang(j.Out, j.X, j.Y); err != nil {
				return err
			}
		}
		return nil
	}
	fs := Functions[float32]()[:4] // Go has no exp10
	once, err := Prints(at, fs)
	if err != nil {
		t.Fatal(err)
	}
	single, err := Prints(Go[float32](), fs)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(once, single) || len(once) != 3 || calls != 1 ||
		once[0].Count != FixedCount {
		t.Errorf("%v at once in %d calls, %v one by one", once, calls, single)
	}
}

// TestMeasure checks that measurable times are positive, and others negative.
func TestMeasure(t *testing.T) {
	measured[float64](t)
	measured[float32](t)
}

func measured[T Float](t *testing.T) {
	t.Helper()
	for _, f := range Functions[T]() {
		if f.Name != "exp10" && f.Name != "pow" && f.Name != "sincos" {
			continue
		}
		x, y := few(f)
		l, err := C[T]()
		if err != nil {
			l = Library[T]{Timed: never[T]}
		}
		times, err := Measure(t.Context(), f, x, y, time.Microsecond, Crmath[T](), Slices[T](),
			Go[T](), l)
		if err != nil {
			t.Fatal(err)
		}
		can := []bool{true, f.slice != nil, f.Name != "exp10", dl.Loops && f.Name != "sincos"}
		for i, time := range times {
			if (time > 0) != can[i] && (i < 3 || l.Find != nil) {
				t.Errorf("%s: times %v", f.Name, times)
			}
		}
	}
}

func TestMeasureStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := Functions[float64]()[0]
	x, y := few(f)
	_, err := Measure(ctx, f, x, y, time.Hour, Crmath[float64]())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCPUInfo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\n" +
			"model name\t: AMD EPYC\nflags\t\t: fpu fma sse avx2 avx512f\n\n" +
			"processor\t: 1\nmodel name\t: other\n",
			"AMD EPYC family 26 model 2 fma avx2 avx512f"},
		{"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n",
			"implementer 0x41 part 0xd0c"},
		{"", ""},
	} {
		if got := cpuInfo(c.text); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
