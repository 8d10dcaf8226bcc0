package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// square is exact for small integers.
func square(x float64) float64 { return float64(x * x) }

// sum is exact for small integers.
func sum(x, y float64) float64 { return x + y }

// A fakeKernel computes square or sum, except where the first argument is rare.
type fakeKernel struct {
	rare     func(x float64) bool
	calls    int
	elements int // of all calls
}

func (k *fakeKernel) run(dst, x *float64, n int, f func(i int) float64) (fails uint64) {
	k.calls++
	k.elements += n
	for i, v := range unsafe.Slice(x, n) {
		if k.rare(v) {
			fails |= 1 << i
		} else {
			unsafe.Slice(dst, n)[i] = f(i)
		}
	}
	return fails | ^uint64(0)<<n // the bits above mean nothing
}

func (k *fakeKernel) unary(dst, x *float64, n int) uint64 {
	return k.run(dst, x, n, func(i int) float64 { return square(unsafe.Slice(x, n)[i]) })
}

func (k *fakeKernel) binary(dst, x, y *float64, n int) uint64 {
	return k.run(dst, x, n, func(i int) float64 {
		return sum(unsafe.Slice(x, n)[i], unsafe.Slice(y, n)[i])
	})
}

// draw returns n arguments, a share of them negative, in runs of one length.
func draw(rng *rand.Rand, n, run int, share float64) []float64 {
	x := make([]float64, n)
	sign := 1.0
	for i := range x {
		if i%run == 0 {
			sign = 1
			if rng.Float64() < share {
				sign = -1
			}
		}
		x[i] = sign * float64(1+rng.IntN(1000))
	}
	return x
}

func negative(x float64) bool { return x < 0 }

// TestApply compares apply and apply2 with loops, for any share of elements
// that the kernel leaves undone.
func TestApply(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, run, share := rng.IntN(5000), 1+rng.IntN(300), rng.Float64()
		x, y := draw(rng, n, run, share), draw(rng, n, 1, 0.5)
		k := fakeKernel{rare: negative}
		got, want := make([]float64, n), make([]float64, n)
		for i, v := range x {
			want[i] = square(v)
		}
		apply(got, x, square, k.unary)
		if !slices.Equal(got, want) {
			t.Fatalf("apply differs from a loop: %d elements in runs of %d, %v rare", n, run, share)
		}
		for i, v := range x {
			want[i] = sum(v, y[i])
		}
		apply2(got, x, y, sum, k.binary)
		if !slices.Equal(got, want) {
			t.Fatalf("apply2 differs from a loop: %d elements in runs of %d, %v rare", n, run,
				share)
		}
	}
}

// TestRareCases bounds the share of a slice that kernels try, where all of its
// elements are rare cases, and where the rare ones come first.
func TestRareCases(t *testing.T) {
	const n = 1 << 16
	always := func(float64) bool { return true }
	for name, apply := range map[string]func(dst, x []float64, k *fakeKernel){
		"apply":  func(dst, x []float64, k *fakeKernel) { apply(dst, x, square, k.unary) },
		"apply2": func(dst, x []float64, k *fakeKernel) { apply2(dst, x, x, sum, k.binary) },
	} {
		k := fakeKernel{rare: always}
		x, dst := make([]float64, n), make([]float64, n)
		apply(dst, x, &k)
		if k.calls > 64 || k.elements > n/100 {
			t.Errorf("%s: %d kernel calls tried %d of %d rare cases, want at most 64 and 1 %%",
				name, k.calls, k.elements, n)
		}
		for i := range x {
			x[i] = 1
		}
		for i := range n / 2 {
			x[i] = -1
		}
		k = fakeKernel{rare: negative}
		apply(dst, x, &k)
		if k.elements < n/2-maxPause {
			t.Errorf("%s: after as many rare cases, kernels computed %d of %d ordinary elements",
				name, k.elements, n/2)
		}
		k = fakeKernel{rare: func(float64) bool { return false }}
		apply(dst, x, &k)
		if k.elements != n || k.calls > n/Most+1 {
			t.Errorf("%s: %d kernel calls computed %d of %d ordinary elements",
				name, k.calls, k.elements, n)
		}
	}
}
