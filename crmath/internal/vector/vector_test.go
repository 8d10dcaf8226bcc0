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

// square stores squares in dst, by the kernel where that has results.
func (k *fakeKernel) square(dst, x []float64) {
	mix(dst, x, Each(square), k.unary, always)
}

// sum stores sums in dst, by the kernel where that has results.
func (k *fakeKernel) sum(dst, x, y []float64) {
	mix2(dst, x, y, Each2(sum), k.binary, always2)
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
		k.square(got, x)
		if !slices.Equal(got, want) {
			t.Fatalf("Map differs from a loop: %d elements in runs of %d, %v rare", n, run, share)
		}
		for i, v := range x {
			want[i] = sum(v, y[i])
		}
		k.sum(got, x, y)
		if !slices.Equal(got, want) {
			t.Fatalf("Map2 differs from a loop: %d elements in runs of %d, %v rare", n, run,
				share)
		}
	}
}

// TestGlance has a kernel that is never called, since all elements show that
// they are rare, and one that is called although the first elements are.
func TestGlance(t *testing.T) {
	const n = 1 << 12
	positive := func(x float64) bool { return x > 0 }
	for name, apply := range map[string]func(dst, x []float64, k *fakeKernel){
		"MapLoop": func(dst, x []float64, k *fakeKernel) {
			mix(dst, x, Each(square), k.unary, positive)
		},
		"MapLoop2": func(dst, x []float64, k *fakeKernel) {
			mix2(dst, x, x, Each2(func(x, _ float64) float64 { return square(x) }),
				func(dst, x, _ *float64, n int) uint64 { return k.unary(dst, x, n) },
				func(x, _ float64) bool { return positive(x) })
		},
	} {
		for _, ordinary := range []int{0, n / 2} {
			x, dst := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = -3
			}
			for i := n - ordinary; i < n; i++ {
				x[i] = 3
			}
			k := fakeKernel{rare: negative}
			apply(dst, x, &k)
			if slices.ContainsFunc(dst, func(v float64) bool { return v != 9 }) {
				t.Errorf("%s: %d ordinary elements: wrong results", name, ordinary)
			}
			if k.elements > ordinary || k.elements < ordinary-maxPause {
				t.Errorf("%s: a kernel tries %d elements, where %d are ordinary", name, k.elements,
					ordinary)
			}
		}
	}
}

// TestRareCases bounds the share of a slice that kernels try, where all of its
// elements are rare cases, and where the rare ones come first.
func TestRareCases(t *testing.T) {
	const n = 1 << 16
	always := func(float64) bool { return true }
	for name, apply := range map[string]func(dst, x []float64, k *fakeKernel){
		"Map":  func(dst, x []float64, k *fakeKernel) { k.square(dst, x) },
		"Map2": func(dst, x []float64, k *fakeKernel) { k.sum(dst, x, x) },
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
