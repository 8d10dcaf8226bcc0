package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// TestChain holds the kernels of matrix products, at every level, against their
// definitions. Matrices lie at the beginning and at the end of pages between
// protected ones: a kernel that touches memory outside of them crashes.
func TestChain(t *testing.T) {
	memory := [3][]byte{pages(t), pages(t), pages(t)}
	for _, level := range Levels() {
		t.Run(fmt.Sprintf("%v/float64", level), func(t *testing.T) {
			newChainTest[float64](t, level, memory).run()
		})
		t.Run(fmt.Sprintf("%v/float32", level), func(t *testing.T) {
			newChainTest[float32](t, level, memory).run()
		})
	}
}

// chainTest tests the kernels of one format at one level.
type chainTest[T float32 | float64] struct {
	*testing.T
	chain Chain[T]
	rng   *rand.Rand
	pages [3][]T
}

func newChainTest[T float32 | float64](t *testing.T, l Level, memory [3][]byte) *chainTest[T] {
	c := &chainTest[T]{t, NewChain[T](l), rand.New(rand.NewPCG(5, uint64(l))), [3][]T{}}
	for i, m := range memory {
		c.pages[i] = unsafe.Slice((*T)(unsafe.Pointer(&m[0])), syscall.Getpagesize()/int(
			unsafe.Sizeof(T(0))))
	}
	return c
}

// matrix puts a matrix into page p: at its end, or at its beginning. spare is
// the distance of its rows, or columns, less their length. Numbers fill the
// page.
func (c *chainTest[T]) matrix(p, rows, cols, spare int, byColumns, isLast bool) Operand[T] {
	page := c.pages[p]
	for i := range page {
		page[i] = T(c.rng.NormFloat64())
	}
	if rows*cols == 0 {
		return Operand[T]{&page[0], cols, 1}
	}
	row, col, size := cols+spare, 1, (cols+spare)*(rows-1)+cols
	if byColumns {
		row, col, size = 1, rows+spare, (rows+spare)*(cols-1)+rows
	}
	if size > len(page) {
		c.Fatalf("no room for %d numbers", size)
	}
	at := 0
	if isLast {
		at = len(page) - size
	}
	return Operand[T]{&page[at], row, col}
}

// hold compares page 2 with its contents before, after a change that sets the
// elements of a matrix to want.
func (c *chainTest[T]) hold(what string, to Operand[T], rows, cols int, want, before []T) {
	c.Helper()
	for i := range rows {
		for j := range cols {
			if got := to.Element(i, j); !same(*got, want[i*cols+j]) {
				c.Fatalf("%s: element (%d, %d) is %v, want %v", what, i, j, *got, want[i*cols+j])
			} else {
				*got = 0
			}
		}
	}
	after := append([]T(nil), c.pages[2]...)
	copy(c.pages[2], before)
	for i := range rows {
		for j := range cols {
			*to.Element(i, j) = 0
		}
	}
	for i, v := range c.pages[2] {
		if !same(v, after[i]) {
			c.Fatalf("%s: wrote outside of the matrix", what)
		}
	}
}

func (c *chainTest[T]) run() {
	s := c.chain.Shape()
	for trial := range 600 {
		vectors, k, isLast := 1+c.rng.IntN(s.Vectors), 1+c.rng.IntN(9), trial%2 == 0
		c.tile(vectors, k, c.rng.IntN(3), trial/2%2 == 0, isLast)
		rows, cols := c.rng.IntN(21), c.rng.IntN(21)
		c.pack(rows, cols, c.rng.IntN(3), trial/2%2 == 0, isLast)
		c.addRows(1+c.rng.IntN(18), 1+c.rng.IntN(26), c.rng.IntN(3), isLast)
		c.addRows(1, 1+c.rng.IntN(300), 0, isLast)
		c.dots(1+c.rng.IntN(18), c.rng.IntN(27), c.rng.IntN(3), isLast)
		c.dots(8, 40+c.rng.IntN(24), 0, isLast)
		c.unevenDots(1+c.rng.IntN(UnevenRows), c.rng.IntN(50), c.rng.IntN(3), isLast)
		c.eliminate(1+c.rng.IntN(12), 1+c.rng.IntN(30), c.rng.IntN(3), isLast)
		c.eliminate(2, 1+c.rng.IntN(200), 0, isLast)
		c.addOuter(1+c.rng.IntN(9), c.rng.IntN(26), c.rng.IntN(3), isLast)
		c.addOuterScaled(1+c.rng.IntN(17), 1+c.rng.IntN(26), c.rng.IntN(3), isLast)
		c.reflect(1+c.rng.IntN(17), 1+c.rng.IntN(26), c.rng.IntN(3), isLast)
		c.reflect(2, 1+c.rng.IntN(200), 0, isLast)
		c.corner(1+c.rng.IntN(CornerRows), 1+c.rng.IntN(CornerRows), c.rng.IntN(3), isLast)
		c.addOuterScaled(2, 1+c.rng.IntN(200), 0, isLast)
		c.addOuter(1+c.rng.IntN(2), 1+c.rng.IntN(200), 1, isLast)
	}
}

// tile tries Tile.
func (c *chainTest[T]) tile(vectors, k, spare int, byColumns, isLast bool) {
	s := c.chain.Shape()
	cols := vectors * s.Width
	a := c.matrix(0, s.Rows, k, spare, byColumns, isLast)
	b := c.matrix(1, k, cols, spare, false, isLast)
	to := c.matrix(2, s.Rows, cols, spare, false, isLast)
	before := append([]T(nil), c.pages[2]...)
	var want []T
	for i := range s.Rows {
		for j := range cols {
			sum := *to.Element(i, j)
			for p := range k {
				sum = FMA(*a.Element(i, p), *b.Element(p, j), sum)
			}
			want = append(want, sum)
		}
	}
	c.chain.Tile(vectors, k, a, b, to, to.At)
	c.hold(fmt.Sprintf("tile of %d vectors, k = %d", vectors, k), to, s.Rows, cols, want, before)
}

// pack tries Pack.
func (c *chainTest[T]) pack(rows, cols, spare int, byColumns, isLast bool) {
	if rows == 0 || cols == 0 {
		return
	}
	src := c.matrix(0, rows, cols, spare, byColumns, isLast)
	dst := c.matrix(2, rows, cols, spare, false, isLast)
	before := append([]T(nil), c.pages[2]...)
	alpha := T(c.rng.NormFloat64())
	var want []T
	for i := range rows {
		for j := range cols {
			want = append(want, alpha**src.Element(i, j))
		}
	}
	c.chain.Pack(dst, src, rows, cols, alpha)
	c.hold(fmt.Sprintf("pack %d×%d", rows, cols), dst, rows, cols, want, before)
}

// vector puts a vector into page p, at its end or at its beginning.
func (c *chainTest[T]) vector(p, n int, isLast bool) []T {
	v := c.matrix(p, 1, n, 0, false, isLast)
	return unsafe.Slice(v.At, n)
}

// addRows tries AddRows.
func (c *chainTest[T]) addRows(rows, n, spare int, isLast bool) {
	x := c.vector(0, rows, isLast)
	a := c.matrix(1, rows, n, spare, false, isLast)
	to := c.matrix(2, 1, n, 0, false, isLast)
	y, before := unsafe.Slice(to.At, n), append([]T(nil), c.pages[2]...)
	want := append([]T(nil), y...)
	for i, factor := range x {
		for j := range want {
			want[j] = FMA(factor, *a.Element(i, j), want[j])
		}
	}
	c.chain.AddRows(x, a, y)
	c.hold(fmt.Sprintf("AddRows of %d×%d", rows, n), to, 1, n, want, before)
}

// addOuter tries AddOuter.
func (c *chainTest[T]) addOuter(rows, n, spare int, isLast bool) {
	x, y := c.vector(0, rows, isLast), c.vector(1, n, isLast)
	to := c.matrix(2, rows, n, spare, false, isLast)
	before := append([]T(nil), c.pages[2]...)
	var want []T
	for i, factor := range x {
		for j, v := range y {
			want = append(want, FMA(factor, v, *to.Element(i, j)))
		}
	}
	c.chain.AddOuter(x, y, to)
	c.hold(fmt.Sprintf("AddOuter of %d×%d", rows, n), to, rows, n, want, before)
}

// addOuterScaled tries AddOuterScaled.
func (c *chainTest[T]) addOuterScaled(rows, n, spare int, isLast bool) {
	x, y := c.matrix(0, rows, 1, spare, false, isLast), c.vector(1, n, isLast)
	to := c.matrix(2, rows, n, spare, false, isLast)
	before, alpha := append([]T(nil), c.pages[2]...), T(c.rng.NormFloat64())
	var want []T
	for i := range rows {
		for j, v := range y {
			want = append(want, FMA(alpha**x.Element(i, 0), v, *to.Element(i, j)))
		}
	}
	factors := append([]T(nil), c.pages[0]...)
	c.chain.AddOuterScaled(rows, alpha, x, y, to)
	c.hold(fmt.Sprintf("AddOuterScaled of %d×%d", rows, n), to, rows, n, want, before)
	if !slices.Equal(factors, c.pages[0]) {
		c.Fatal("AddOuterScaled wrote to x")
	}
}

// reflect tries Reflect.
func (c *chainTest[T]) reflect(rows, n, spare int, isLast bool) {
	x := c.matrix(0, rows, 1, spare, false, isLast)
	to := c.matrix(2, rows, n, spare, false, isLast)
	before, alpha := append([]T(nil), c.pages[2]...), T(c.rng.NormFloat64())
	w := make([]T, n)
	for i := range rows {
		for j := range w {
			w[j] = FMA(*x.Element(i, 0), *to.Element(i, j), w[j])
		}
	}
	var want []T
	for i := range rows {
		for j, v := range w {
			want = append(want, FMA(alpha**x.Element(i, 0), v, *to.Element(i, j)))
		}
	}
	c.chain.Reflect(rows, alpha, x, w, to)
	c.hold(fmt.Sprintf("Reflect of %d×%d", rows, n), to, rows, n, want, before)
}

// corner tries AddCorner and AddCornerOuter.
func (c *chainTest[T]) corner(rows, n, spare int, isLast bool) {
	masks := c.rng.Uint64() & (0x0101010101010101 * (1<<n - 1))
	has := func(i, j int) bool { return masks>>(8*i+j)&1 != 0 }
	x, a := c.vector(0, rows, isLast), c.matrix(1, rows, n, spare, false, isLast)
	to := c.matrix(2, 1, n, 0, false, isLast)
	y, before := unsafe.Slice(to.At, n), append([]T(nil), c.pages[2]...)
	want := append([]T(nil), y...)
	for i, factor := range x {
		for j := range want {
			if has(i, j) {
				want[j] = FMA(factor, *a.Element(i, j), want[j])
			}
		}
	}
	c.chain.AddCorner(x, a, y, masks)
	c.hold(fmt.Sprintf("AddCorner of %#x", masks), to, 1, n, want, before)

	y, to = c.vector(1, n, isLast), c.matrix(2, rows, n, spare, false, isLast)
	before, want = append([]T(nil), c.pages[2]...), nil
	for i, factor := range x {
		for j, v := range y {
			if e := *to.Element(i, j); has(i, j) {
				want = append(want, FMA(factor, v, e))
			} else {
				want = append(want, e)
			}
		}
	}
	c.chain.AddCornerOuter(x, y, to, masks)
	c.hold(fmt.Sprintf("AddCornerOuter of %#x", masks), to, rows, n, want, before)
}

// eliminate tries Eliminate.
func (c *chainTest[T]) eliminate(rows, n, spare int, isLast bool) {
	to := c.matrix(2, rows, n, spare, false, isLast)
	before := append([]T(nil), c.pages[2]...)
	p, scale := c.rng.IntN(min(rows, n)), T(c.rng.NormFloat64())
	var want []T
	for i := range rows {
		for j := range n {
			v := *to.Element(i, j)
			factor := scale * *to.Element(i, p)
			switch {
			case i > p && j > p:
				v = FMA(-factor, *to.Element(p, j), v)
			case i > p && j == p:
				v = factor
			}
			want = append(want, v)
		}
	}
	c.chain.Eliminate(rows, n, p, scale, to)
	c.hold(fmt.Sprintf("Eliminate of %d×%d, column %d", rows, n, p), to, rows, n, want, before)
}

// dots tries Dots, on tiny products too: some round to −0.
func (c *chainTest[T]) dots(rows, n, spare int, isLast bool) {
	x := c.vector(0, n, isLast)
	a := c.matrix(1, rows, n, spare, false, isLast)
	if c.rng.IntN(3) == 0 {
		tiny := T(math.Sqrt(math.SmallestNonzeroFloat64))
		if unsafe.Sizeof(tiny) == 4 {
			tiny = T(math.Sqrt(math.SmallestNonzeroFloat32))
		}
		for i := range x {
			x[i] *= tiny
		}
		for i := range c.pages[1] {
			c.pages[1][i] *= tiny
		}
	}
	to := c.matrix(2, 1, rows, 0, false, isLast)
	before, want := append([]T(nil), c.pages[2]...), make([]T, rows)
	for i := range want {
		want[i] = c.dot(a, i, x)
	}
	c.chain.Dots(a, x, unsafe.Slice(to.At, rows))
	c.lanes(a, x, want)
	c.hold(fmt.Sprintf("Dots of %d×%d", rows, n), to, 1, rows, want, before)
}

// lanes tries Lanes on rows of known sums.
func (c *chainTest[T]) lanes(a Operand[T], x, sums []T) {
	var lanes LanesOfRows[T]
	if len(sums) < UnevenRows || len(x) == 0 || !c.chain.HasLanes() {
		return
	}
	c.chain.Lanes(a, x, &lanes)
	width := ChainLanes[T]()
	for i := range UnevenRows {
		if got := Halved(lanes[i*width:][:width]); !same(got, sums[i]) {
			c.Fatalf("Lanes of row %d of %d elements: sum %v, want %v", i, len(x), got, sums[i])
		}
	}
}

// dot returns the sum of row i of a times x by lanes.
func (c *chainTest[T]) dot(a Operand[T], i int, x []T) T {
	lanes := make([]T, ChainLanes[T]())
	for j := range x {
		l := j % len(lanes)
		lanes[l] = FMA(*a.Element(i, j), x[j], lanes[l])
	}
	return halve(lanes)
}

// unevenDots tries UnevenDots on a triangle at the end of columns: below the
// diagonal, or above it with the vector moving along.
func (c *chainTest[T]) unevenDots(rows, n, spare int, isLast bool) {
	a := c.matrix(1, rows, n+rows-1, spare, false, isLast)
	u := Uneven[T]{Rows: rows, N: n, Step: 1, A: a}
	if c.rng.IntN(2) == 0 {
		u.N, u.Step, u.A.Row, u.XRow = n+rows-1, -1, a.Row+1, 1
	}
	x := c.vector(0, n+rows-1, isLast)
	if len(x) == 0 {
		return
	}
	u.X = &x[0]
	var sums [UnevenRows]T
	c.chain.UnevenDots(u, &sums)
	for i := range rows {
		part := x[i*u.XRow:][:u.N+i*u.Step]
		if want := c.dot(u.A, i, part); !same(sums[i], want) {
			c.Fatalf("row %d of %+v: sum %v, want %v", i, u, sums[i], want)
		}
	}
}
