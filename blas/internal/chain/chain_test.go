package chain

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/require"
)

// trial is a product, and settings that must not change it.
type trial struct {
	part     Part
	m, n, k  int
	alpha    float64
	a, b, c  layout
	settings []Setting
}

// holdDefinition compares all memory around c after a product with that after
// its definition: one that updates c, and one that sets it.
func holdDefinition[T float32 | float64](t *testing.T, x trial, value func() T) {
	t.Helper()
	a, aMemory := newMatrix(x.a, x.m, x.k, value)
	b, bMemory := newMatrix(x.b, x.k, x.n, value)
	c, memory := newMatrix(x.c, x.m, x.n, value)
	begin, aBegin, bBegin := clone(memory), clone(aMemory), clone(bMemory)
	for name, product := range map[string]func(s Setting, part Part, m, n, k int, alpha T,
		a, b, c View[T]){"Product": Product[T], "Multiply": Multiply[T]} {
		copy(memory, begin)
		define(x.part, name == "Multiply", x.m, x.n, x.k, T(x.alpha), a, b, c)
		want := clone(memory)
		for _, s := range x.settings {
			copy(memory, begin)
			product(s, x.part, x.m, x.n, x.k, T(x.alpha), a, b, c)
			if i := firstDifference(memory, want); i >= 0 {
				t.Fatalf("%s %d×%d×%d, part %d, alpha %v, %s times %s into %s, level %v, %+v:\n"+
					"element %d is %v, want %v, was %v", name, x.m, x.n, x.k, x.part, x.alpha,
					x.a.name, x.b.name, x.c.name, s.Best(), s, i-guard, memory[i], want[i],
					begin[i])
			}
		}
	}
	if firstDifference(aMemory, aBegin) >= 0 || firstDifference(bMemory, bBegin) >= 0 {
		t.Fatal("a factor was written to")
	}
}

func clone[T any](x []T) []T { return append([]T(nil), x...) }

// firstDifference returns the first index of different elements, or −1.
func firstDifference[T float32 | float64](a, b []T) int {
	for i := range a {
		if !same(a[i], b[i]) {
			return i
		}
	}
	return -1
}

// settings returns a setting for each level, with random threads and blocks.
func settings(rng *rand.Rand) (all []Setting) {
	for _, l := range kernel.Levels() {
		s := Setting{Level: &l, Threads: 1 + rng.IntN(4), Work: 1 + rng.IntN(2000)}
		if rng.IntN(2) == 0 {
			s.Rows, s.Columns, s.Depth = 1+rng.IntN(40), 1+rng.IntN(80), 1+rng.IntN(20)
		}
		s.OuterLeft = rng.IntN(2)
		all = append(all, s)
	}
	return append(all, Setting{})
}

// TestProduct holds products at every level against their definition: of
// lengths on both sides of the multiples of tiles and blocks, in every layout,
// with every number of threads, on usual numbers and special ones.
func TestProduct(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, seed))
	rows := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 24, 25, 40, 65}
	cols := []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 64,
		97}
	depths := []int{1, 2, 3, 7, 8, 9, 20, 33}
	pick := func(of []int) int { return of[rng.IntN(len(of))] }
	place := func() layout { return layouts[rng.IntN(len(layouts))] }
	for range 400 {
		x := trial{Part(rng.IntN(3)), pick(rows), pick(cols), pick(depths),
			[]float64{1, -1, 0.3, 0}[rng.IntN(4)], place(), place(), place(), settings(rng)}
		if rng.IntN(2) == 0 {
			holdDefinition(t, x, func() float64 { return usual[float64](rng) })
			holdDefinition(t, x, func() float32 { return usual[float32](rng) })
		} else {
			holdDefinition(t, x, func() float64 { return special[float64](rng) })
			holdDefinition(t, x, func() float32 { return special[float32](rng) })
		}
	}
}

// TestLarge holds products with several blocks in each dimension, as the sizes
// of caches divide them, against their definition.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	dense := layouts[0]
	far := layout{"far rows", func(m, n int) (int, int, int, int) { return m * 1100, 0, 1100, 1 }}
	for _, x := range []trial{
		{All, 5, 7, 1000, 1, dense, dense, dense, nil},
		{All, 3, 1030, 10, 1, dense, layouts[1], dense, nil},
		{Lower, 400, 300, 5, -1, layouts[1], dense, layouts[1], nil},
		{Upper, 300, 290, 390, 0.7, dense, dense, dense, nil},
		{All, 257, 259, 300, 1, dense, dense, dense, nil},
		{All, 25, 50, 33, 1, far, far, far, nil},
		{All, 50, 25, 33, 1, far, far, far, nil},
	} {
		x.settings = []Setting{{}, {Threads: 1}, {Threads: 2, Work: 1}, {Threads: 7, Work: 1}}
		holdDefinition(t, x, func() float64 { return usual[float64](rng) })
		holdDefinition(t, x, func() float32 { return usual[float32](rng) })
	}
}

// TestEmpty holds that a product of no terms changes nothing, and needs no
// memory.
func TestEmpty(t *testing.T) {
	c := []float64{mark, mark, mark, mark}
	v := View[float64]{c, 0, 2, 1}
	for _, s := range [][3]int{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}, {0, 0, 0}} {
		Product(Setting{}, All, s[0], s[1], s[2], 1, View[float64]{}, View[float64]{}, v)
		Multiply(Setting{}, All, s[0], s[1], s[2], 1, View[float64]{}, View[float64]{}, v)
	}
	for i := range c {
		if c[i] != mark {
			t.Fatalf("element %d became %v", i, c[i])
		}
	}
}

// TestBounds holds that a product whose matrix does not fit its data panics and
// changes nothing.
func TestBounds(t *testing.T) {
	views := []View[float64]{
		{make([]float64, 15), 0, 4, 1}, {make([]float64, 16), 1, 4, 1},
		{make([]float64, 16), -1, 4, 1}, {make([]float64, 16), 0, -4, 1},
		{make([]float64, 16), 12, -4, -1}, {nil, 0, 4, 1},
	}
	good := View[float64]{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 4, 1}
	for i, bad := range views {
		for at := range 3 {
			c := View[float64]{make([]float64, 16), 0, 4, 1}
			v := [3]View[float64]{good, good, c}
			v[at] = bad
			if at == 2 {
				c = bad
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("view %d as matrix %d does not panic", i, at)
					}
				}()
				Product(Setting{}, All, 4, 4, 4, 1, v[0], v[1], v[2])
			}()
			for _, x := range c.Data {
				if x != 0 {
					t.Fatalf("view %d as matrix %d: wrote before the panic", i, at)
				}
			}
		}
	}
}

// TestAllocations holds that a product on one goroutine needs no memory besides
// idle buffers.
func TestAllocations(t *testing.T) {
	if require.Race {
		t.Skip("the race detector drops idle buffers")
	}
	v := View[float64]{make([]float64, 90*90), 0, 90, 1}
	c := View[float64]{make([]float64, 90*90), 0, 90, 1}
	one := func() { Product(Setting{Threads: 1}, All, 90, 90, 90, 0.5, v, v, c) }
	one()
	if n := testing.AllocsPerRun(20, one); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// golden is the hash of the results below, the same on every architecture,
// level, number of threads and size of blocks.
const golden = 0x688b8d22bda4c12c

// TestGolden hashes products of matrices that integer arithmetic makes.
func TestGolden(t *testing.T) {
	best := map[string]kernel.Level{"arm64": kernel.NEON}
	if l, ok := best[runtime.GOARCH]; ok && kernel.Best() != l {
		t.Errorf("products run on level %v, want %v", kernel.Best(), l)
	}
	for _, l := range kernel.Levels() {
		for _, s := range []Setting{{Threads: 1},
			{Threads: 3, Work: 1, Rows: 9, Columns: 20, Depth: 8}} {
			s.Level = &l
			h, rng := fnv.New64a(), rand.New(rand.NewPCG(6, 28))
			write := func(v float64) {
				if v != v {
					v = math.NaN()
				}
				binary.Write(h, binary.LittleEndian, math.Float64bits(v))
			}
			for _, n := range []int{1, 2, 5, 8, 13, 31} {
				for part := All; part <= Upper; part++ {
					goldenResults[float64](s, part, n, rng, write)
					goldenResults[float32](s, part, n, rng, write)
				}
			}
			if h.Sum64() != golden {
				t.Errorf("level %v, %+v: the results hash to %#x, not to %#x", l, s, h.Sum64(),
					uint64(golden))
			}
		}
	}
}

func goldenResults[T float32 | float64](s Setting, part Part, n int, rng *rand.Rand,
	write func(float64)) {
	value := func() T {
		return T(math.Ldexp(float64(int64(rng.Uint64())>>11)*0x1p-52, rng.IntN(60)-30))
	}
	a, _ := newMatrix(layouts[rng.IntN(len(layouts))], n, n+3, value)
	b, _ := newMatrix(layouts[rng.IntN(len(layouts))], n+3, 2*n, value)
	c, _ := newMatrix(layouts[rng.IntN(len(layouts))], n, 2*n, value)
	Product(s, part, n, 2*n, n+3, value(), a, b, c)
	for _, v := range c.Data {
		write(float64(v))
	}
}

func ExampleProduct() {
	a := View[float64]{[]float64{1, 2, 3, 4}, 0, 2, 1}
	c := View[float64]{make([]float64, 4), 0, 2, 1}
	transposed := View[float64]{a.Data, 0, 1, 2}
	Product(Setting{}, All, 2, 2, 2, 1, a, transposed, c)
	fmt.Println(c.Data)
	// Output: [5 11 11 25]
}
