package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestCholesky holds the kernels of Cholesky factors, at every level that has
// them, against their definitions, before a protected page and with pivots that
// stop them.
func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 65))
	memory := numbersBeforeEnd(t, maxCholesky*(maxCholesky+2))
	room := (*[CholeskyRoom]float64)(numbersBeforeEnd(t, CholeskyRoom))
	for _, level := range Levels() {
		c := choleskyTest{T: t, chain: NewChain[float64](level), rng: rng, memory: memory,
			room: room}
		for n := range maxCholesky + 2 {
			if !c.chain.HasCholesky(n) {
				continue
			}
			for trial := range 12 {
				c.try(n, n+rng.IntN(3), trial%2 == 0, trial >= 8)
			}
		}
	}
}

// numbersBeforeEnd returns n numbers that end at a protected page.
func numbersBeforeEnd(t *testing.T, n int) []float64 {
	m := pagesOf(t, 8*n)
	all := unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(m))), len(m)/8)
	return all[len(all)-n:]
}

// choleskyTest tests the kernels of one level.
type choleskyTest struct {
	*testing.T
	chain  Chain[float64]
	rng    *rand.Rand
	memory []float64
	room   *[CholeskyRoom]float64
}

// try factors a triangle of n rows, stride apart. The pivot of some row is
// special if isBad.
func (c choleskyTest) try(n, stride int, isUpper, isBad bool) {
	a := c.memory[len(c.memory)-(n-1)*stride-n:]
	for i := range a {
		a[i] = c.rng.NormFloat64()
	}
	for i := range n {
		a[i*stride+i] = float64(n) + c.rng.Float64()
	}
	bad := n
	if isBad {
		bad = c.rng.IntN(n)
		specials := []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN()}
		a[bad*(stride+1)] = specials[c.rng.IntN(len(specials))]
	}
	want, done := append([]float64(nil), a...), 0
	if isUpper {
		factorByRows(want, stride, bad, n, 1, stride, upperElement)
		done = c.chain.CholeskyUpper(n, Operand[float64]{&a[0], stride, 1})
	} else {
		factorByRows(want, stride, bad, n, stride, 1, lowerElement)
		room := c.room
		if n <= 8 {
			room = nil
		}
		done = c.chain.CholeskyLower(n, Operand[float64]{&a[0], stride, 1}, room)
	}
	if done != bad {
		c.Fatalf("%d rows, stride %d, upper %v: %d are done, want %d",
			n, stride, isUpper, done, bad)
	}
	for i, v := range a {
		if !same(v, want[i]) {
			c.Fatalf("%d rows, stride %d, upper %v: element %d is %v, want %v",
				n, stride, isUpper, i, v, want[i])
		}
	}
}

// factorByRows computes some rows of U: element (j, k) of n columns is a[j·down
// + k·right]. subtract returns e less the products x[i]·y[i] of two columns.
func factorByRows(
	a []float64, stride, rows, n, right, down int,
	subtract func(e float64, x, y []float64) float64,
) {
	column := func(k, length int) (x []float64) {
		for i := range length {
			x = append(x, a[i*down+k*right])
		}
		return x
	}
	for j := range rows {
		x := column(j, j)
		pivot := a[j*stride+j]
		if j > 0 {
			pivot -= OrderedBlock(Generic, OrderedDot, x, x, nil, 0, nil)
		}
		pivot = math.Sqrt(pivot)
		a[j*stride+j] = pivot
		for k := j + 1; k < n; k++ {
			a[j*down+k*right] = (1 / pivot) * subtract(a[j*down+k*right], x, column(k, j))
		}
	}
}

// upperElement and lowerElement are the element by one chain, and by lanes.
func upperElement(e float64, x, y []float64) float64 {
	for i, v := range x {
		e = math.FMA(-v, y[i], e)
	}
	return e
}

func lowerElement(e float64, x, y []float64) float64 { return e - dotByLanes(y, x) }
