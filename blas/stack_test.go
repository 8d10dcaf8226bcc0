package blas_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/lapack"
)

// TestMovedStacks runs factorizations on new goroutines, below frames of every
// size: their stacks grow, and so move, within every call. An address on a
// stack that is kept over a call makes the results others.
func TestMovedStacks(t *testing.T) {
	ordered, exact := blas.Forced(chain.Setting{Threads: 2, Work: 1})
	for _, c := range factorizations {
		for _, b := range []gonum.Float64{nil, blas.Exact{}, ordered, exact} {
			run := func() uint64 {
				h := fnv.New64a()
				f := &factorized{lapack.Implementation{BLAS: b}, rand.New(rand.NewPCG(3, 14)), h}
				for _, n := range []int{2, 3, 7} {
					c.run(f, n)
				}
				return h.Sum64()
			}
			want := run()
			for depth := range 64 {
				var got uint64
				onNewStack(func() { below(depth, func() { got = run() }) })
				if got != want {
					t.Errorf("%s by %T: the results hash to %#x at depth %d, to %#x above",
						c.name, b, got, depth, want)
				}
			}
		}
	}
}

// TestNoStackForBLAS runs factorizations on a BLAS that is not ours. It gets no
// address on a stack: it may give it to other goroutines.
func TestNoStackForBLAS(t *testing.T) {
	for _, c := range factorizations {
		for _, n := range []int{2, 3, 5} {
			t.Run(fmt.Sprint(c.name, " of order ", n), func(t *testing.T) {
				onNewStack(func() {
					b := mover{t: t}
					c.run(&factorized{
						lapack.Implementation{BLAS: b}, rand.New(rand.NewPCG(3, 14)), fnv.New64a(),
					}, n)
				})
			})
		}
	}
}

// mover is a BLAS whose routines for vectors move the stack and then look
// whether their arguments have moved with it. It has all methods of Ordered.
type mover struct {
	blas.Ordered
	t *testing.T
}

func (m mover) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	m.hold("Ddot", x, y)
	return m.Ordered.Ddot(n, x, incX, y, incY)
}

func (m mover) Dnrm2(n int, x []float64, incX int) float64 {
	m.hold("Dnrm2", x)
	return m.Ordered.Dnrm2(n, x, incX)
}

func (m mover) Dscal(n int, alpha float64, x []float64, incX int) {
	m.hold("Dscal", x)
	m.Ordered.Dscal(n, alpha, x, incX)
}

func (m mover) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	m.hold("Daxpy", x, y)
	m.Ordered.Daxpy(n, alpha, x, incX, y, incY)
}

func (m mover) Dger(
	rows, cols int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int,
) {
	m.hold("Dger", x, y, a)
	m.Ordered.Dger(rows, cols, alpha, x, incX, y, incY, a, lda)
}

func (m mover) Dgemv(
	tA gonum.Transpose, rows, cols int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	m.hold("Dgemv", a, x, y)
	m.Ordered.Dgemv(tA, rows, cols, alpha, a, lda, x, incX, beta, y, incY)
}

func (m mover) Dsymv(
	ul gonum.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int,
) {
	m.hold("Dsymv", a, x, y)
	m.Ordered.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (m mover) Dsyr2(
	ul gonum.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int,
) {
	m.hold("Dsyr2", x, y, a)
	m.Ordered.Dsyr2(ul, n, alpha, x, incX, y, incY, a, lda)
}

// hold fails the test if an argument moves with the stack.
func (m mover) hold(routine string, arguments ...[]float64) {
	m.t.Helper()
	if m.t.Failed() {
		return
	}
	var before, after [3]uintptr
	addresses(&before, arguments)
	moveStack()
	addresses(&after, arguments)
	if before != after {
		m.t.Errorf("%s got an address on the stack: its arguments moved from %#x to %#x",
			routine, before, after)
	}
}

func addresses(to *[3]uintptr, of [][]float64) {
	for i, x := range of {
		to[i] = uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	}
}

// TestEmbedded reflects by a BLAS that embeds Ordered: its own Dgemv computes.
func TestEmbedded(t *testing.T) {
	var b halving
	c := []float64{4, 4, 4, 4}
	lapack.Implementation{BLAS: &b}.Dlarf(gonum.Left, 2, 2, []float64{1, 0.5}, 1, 1, c, 2,
		make([]float64, 2))
	want := lapack.Implementation{BLAS: struct{ gonum.Float64 }{&b}}
	d := []float64{4, 4, 4, 4}
	want.Dlarf(gonum.Left, 2, 2, []float64{1, 0.5}, 1, 1, d, 2, make([]float64, 2))
	if !slices.Equal(c, d) || b.calls != 2 {
		t.Errorf("the product is %v, want %v, by %d calls of 2", c, d, b.calls)
	}
}

// halving is a BLAS whose Dgemv computes half of the product.
type halving struct {
	blas.Ordered
	calls int
}

func (b *halving) Dgemv(
	tA gonum.Transpose, rows, cols int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	b.calls++
	b.Ordered.Dgemv(tA, rows, cols, 0.5*alpha, a, lda, x, incX, beta, y, incY)
}

// moveStack returns after the stack has moved: it grows until it must, or a
// collection has made it smaller.
func moveStack() {
	var here byte
	before := uintptr(unsafe.Pointer(&here))
	for uintptr(unsafe.Pointer(&here)) == before {
		below(64, func() {})
		if uintptr(unsafe.Pointer(&here)) == before {
			runtime.GC()
		}
	}
}

// onNewStack runs f on a new goroutine.
func onNewStack(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// below runs f below frames of depth·256 bytes.
//
//go:noinline
func below(depth int, f func()) {
	var frame [28]uint64
	if depth == 0 {
		f()
		return
	}
	below(depth-1, f)
	runtime.KeepAlive(&frame)
}
