package dl_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
)

const source = `
#include <stdint.h>
#include <string.h>
int add(int a, int b) { return a + b; }
double half(double x) { return x / 2; }
float bits(uint32_t b) { float f; memcpy(&f, &b, 4); return f; }
const char *name(void) { return "libtest"; }
`

// compile makes a shared library of C source and returns its path.
func compile(t *testing.T, code string) string {
	t.Helper()
	if !dl.Supported {
		require.Missing(t, dl.ErrUnsupported.Error())
	}
	return require.Library(t, code)
}

func TestCall(t *testing.T) {
	so := compile(t, source)
	l, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	var add func(a, b int32) int32
	var half func(float64) float64
	var name func() string
	for symbol, f := range map[string]any{"add": &add, "half": &half, "name": &name} {
		if err := l.Func(symbol, f); err != nil {
			t.Fatal(err)
		}
	}
	if got := add(40, 2); got != 42 {
		t.Errorf("add(40, 2) = %d", got)
	}
	if got := half(-3); math.Float64bits(got) != math.Float64bits(-1.5) {
		t.Errorf("half(-3) = %v", got)
	}
	if got := name(); got != "libtest" {
		t.Errorf("name() = %q", got)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestFloat32KeepsBits(t *testing.T) {
	l, err := dl.Open(compile(t, source))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var bits func(uint32) dl.Float32
	if err := l.Func("bits", &bits); err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint32{0, 1, 0x80000000, 0x80000001, 0x3f800000, 0x7f7fffff, 0x7f800000,
		0xff800000, 0x7fc00000} {
		if got := bits(want).Bits(); got != want {
			t.Errorf("got %#x, want %#x", got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	so := compile(t, source)
	l, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var f func(int32) int32
	var missing *dl.MissingError
	if err := l.Func("nowhere", &f); !errors.As(err, &missing) || missing.Symbol != "nowhere" ||
		missing.Library != so {
		t.Errorf("a missing symbol gave %v", err)
	}
	if f != nil || l.Has("nowhere") || !l.Has("add") {
		t.Error("Has or Func found a symbol that is not there, or not one that is")
	}
	for _, bad := range []any{f, 3, nil, new(int), new(func(complex64)), new(func() (int, int))} {
		if err := l.Func("add", bad); err == nil {
			t.Errorf("add was made a %T", bad)
		}
	}
	text := filepath.Join(t.TempDir(), "text.so")
	const prose = "no library at all, but long enough to hold a header of sixty-four bytes"
	if err := os.WriteFile(text, []byte(prose), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, "/nowhere/lib.so"} {
		if _, err := dl.Open(path); err == nil ||
			!strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("opening %s gave %v", path, err)
		}
	}
}

func TestFile(t *testing.T) {
	so := compile(t, source)
	l, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got, err := l.File("add"); err != nil || got != so {
		t.Errorf("File = %q, %v, want %q", got, err, so)
	}
	if _, err := l.File("nowhere"); err == nil {
		t.Error("a missing symbol has a file")
	}
}

func TestProgram(t *testing.T) {
	if !dl.Supported {
		require.Missing(t, dl.ErrUnsupported.Error())
	}
	l, err := dl.Open("")
	if err != nil {
		t.Fatal(err)
	}
	var abs func(int32) int32
	if err := l.Func("abs", &abs); err != nil {
		t.Fatal(err)
	}
	if got := abs(-7); got != 7 {
		t.Errorf("abs(-7) = %d", got)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestCallback(t *testing.T) {
	const code = `int twice(int (*f)(const int *, long), int x) { return f(&x, 1) + f(&x, -1); }`
	so := compile(t, code)
	l, err := dl.OpenGlobal(so)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var twice func(f uintptr, x int32) int32
	if err := l.Func("twice", &twice); err != nil {
		t.Fatal(err)
	}
	f, err := dl.Callback(func(x *int32, by int) int32 { return *x * int32(10+by) })
	if err != nil {
		t.Fatal(err)
	}
	if got := twice(f, 7); got != 7*11+7*9 {
		t.Errorf("got %d", got)
	}
	program, err := dl.Open("")
	if err != nil {
		t.Fatal(err)
	}
	if !program.Has("twice") {
		t.Error("the symbols of a library opened for all cannot be seen")
	}
	for _, bad := range []any{nil, 3, func(string) {}, func() (int, int) { return 0, 0 }} {
		if _, err := dl.Callback(bad); err == nil {
			t.Errorf("a %T became a callback", bad)
		}
	}
}
