//go:build !static

package dl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
)

// cMath opens the C library's elementary functions.
func cMath(t *testing.T) *dl.Library {
	t.Helper()
	if !dl.Supported {
		require.Missing(t, dl.ErrUnsupported.Error())
	}
	name := "libm.so.6"
	if runtime.GOOS == "darwin" {
		name = "libSystem.B.dylib"
	}
	l, err := dl.Open(name)
	if err != nil {
		require.Missing(t, name)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestMapIsTheSame compares a loop over a C function with single calls.
func TestMapIsTheSame(t *testing.T) {
	l := cMath(t)
	for _, name := range []string{"exp", "sin", "tan", "log", "cbrt", "fabs"} {
		sameBits[float64](t, l, name, 1)
		sameBits[float32](t, l, name+"f", 1)
	}
	for _, name := range []string{"pow", "atan2", "hypot", "copysign", "fmod"} {
		sameBits[float64](t, l, name, 2)
		sameBits[float32](t, l, name+"f", 2)
	}
}

func sameBits[T float32 | float64](t *testing.T, l *dl.Library, name string, arguments int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 3, 7, 20000} {
		// One guard on each side, which nothing may write to.
		x, y, out := arrayOf[T](rng, n), arrayOf[T](rng, n), slices.Repeat([]T{-77}, n+2)
		var err error
		single := func(i int) T { panic("not found") }
		if arguments == 1 {
			var f func(T) T
			var all func(out, x []T)
			if all, err = dl.Map[T](l, name); err == nil {
				err = l.Func(name, &f)
				all(out[1:n+1], x)
				single = func(i int) T { return f(x[i]) }
			}
		} else {
			var f func(x, y T) T
			var all func(out, x, y []T)
			if all, err = dl.Map2[T](l, name); err == nil {
				err = l.Func(name, &f)
				all(out[1:n+1], x, y)
				single = func(i int) T { return f(x[i], y[i]) }
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[0] != -77 || out[n+1] != -77 {
			t.Fatalf("%s, n = %d: written beside its results", name, n)
		}
		for i := range n {
			want, got := float64(single(i)), float64(out[i+1])
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Fatalf("%s(%v, %v) = %v in a loop, %v alone", name, x[i], y[i], got, want)
			}
		}
	}
}

// arrayOf returns numbers of any exponent and of ordinary size.
func arrayOf[T float32 | float64](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch i % 3 {
		case 0:
			x[i] = T(math.Float64frombits(rng.Uint64()))
		case 1:
			x[i] = T(math.Float32frombits(rng.Uint32()))
		default:
			x[i] = T(20*rng.Float64() - 10)
		}
	}
	return x
}

// hostile is C code that overwrites every register it may, checks the stack's
// alignment, and keeps its arguments.
const hostile = `
#include <stdint.h>
static double seen;
int clobber(void) {
#if defined(__x86_64__)
	__asm__ volatile("xorl %%eax, %%eax; movq %%rax, %%rcx; movq %%rax, %%rdx; "
	"movq %%rax, %%rsi; movq %%rax, %%rdi;"
		"movq %%rax, %%r8; movq %%rax, %%r9; movq %%rax, %%r10; movq %%rax, %%r11;"
		::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
			"xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory");
#elif defined(__aarch64__)
	__asm__ volatile("" ::: "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
		"x11", "x12", "x13", "x14", "x15",
		"x16", "x17", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v31", "memory");
#endif
	return (uintptr_t)__builtin_frame_address(0) % 16;
}
double twice(double x) { seen = x; return clobber() ? -1 : 2 * seen; }
double minus(double x, double y) { double d = x - y; seen = d; return clobber() ? -1 : seen; }
float twicef(float x) { seen = x; return clobber() ? -1 : 2 * seen; }
float minusf(float x, float y) { double d = x - y; seen = d; return clobber() ? -1 : seen; }
`

// TestMapKeepsTheConvention calls functions that change every register they
// may, and that check the stack.
func TestMapKeepsTheConvention(t *testing.T) {
	l, err := dl.Open(compile(t, hostile))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	convention[float64](t, l, "")
	convention[float32](t, l, "f")
}

func convention[T float32 | float64](t *testing.T, l *dl.Library, suffix string) {
	t.Helper()
	one, err := dl.Map[T](l, "twice"+suffix)
	if err != nil {
		t.Fatal(err)
	}
	two, err := dl.Map2[T](l, "minus"+suffix)
	if err != nil {
		t.Fatal(err)
	}
	x, y, out := make([]T, 1000), make([]T, 1000), make([]T, 1000)
	for i := range x {
		x[i], y[i] = T(i+1), T(3*i+7)
	}
	one(out, x)
	for i, got := range out {
		if got != 2*x[i] {
			t.Fatalf("result %d of twice%s is %v", i, suffix, got)
		}
	}
	two(out, x, y)
	for i, got := range out {
		if got != x[i]-y[i] {
			t.Fatalf("result %d of minus%s is %v", i, suffix, got)
		}
	}
	one(x, x) // in place
	if x[999] != 2000 {
		t.Errorf("in place, the last of twice%s is %v", suffix, x[999])
	}
}

func TestMapErrors(t *testing.T) {
	l := cMath(t)
	if _, err := dl.Map[float64](l, "nowhere"); err == nil {
		t.Error("a missing function was found")
	}
	if _, err := dl.Map2[float32](l, "nowhere"); err == nil {
		t.Error("a missing function was found")
	}
	exp, err := dl.Map[float64](l, "exp")
	if err != nil {
		t.Fatal(err)
	}
	pow, err := dl.Map2[float64](l, "pow")
	if err != nil {
		t.Fatal(err)
	}
	three, two := make([]float64, 3), make([]float64, 2)
	for name, short := range map[string]func(){
		"out":         func() { exp(two, three) },
		"out of pow":  func() { pow(two, three, three) },
		"y":           func() { pow(three, three, two) },
		"none at all": func() { exp(nil, three) },
	} {
		if p := panicOf(short); p == nil {
			t.Errorf("%s is too short, and nothing happened", name)
		}
	}
	exp(nil, nil)
}

func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// TestMapWhileCollecting runs loops in several goroutines, next to the garbage
// collector and on stacks that grow.
func TestMapWhileCollecting(t *testing.T) {
	l := cMath(t)
	exp, err := dl.Map[float64](l, "exp")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 5000)
	for i := range x {
		x[i] = float64(i%40) / 2
	}
	want := make([]float64, len(x))
	exp(want, x)
	done := make(chan error)
	for range 4 {
		go func() {
			for i := range 50 {
				out := make([]float64, len(x))
				exp(out, x)
				var local, arguments [64]float64
				copy(arguments[:], x)
				deep(i, func() { exp(local[:], arguments[:]) })
				if !slices.Equal(out, want) || !slices.Equal(local[:], want[:64]) {
					done <- fmt.Errorf("round %d has other results", i)
					return
				}
			}
			done <- nil
		}()
	}
	stop := time.AfterFunc(0, func() {
		for range 20 {
			runtime.GC()
		}
	})
	defer stop.Stop()
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// deep calls f below n frames.
func deep(n int, f func()) {
	var frame [256]byte
	if n == 0 {
		f()
		return
	}
	deep(n-1, f)
	runtime.KeepAlive(&frame)
}
