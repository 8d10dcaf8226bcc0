package sumtree

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// anyArithmetic returns a random arithmetic of sums or products.
func anyArithmetic(rng *rand.Rand, t *Tree) Arithmetic {
	formats := []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16}
	pick := func() fp.Format { return formats[rng.IntN(len(formats))] }
	often := func() bool { return rng.IntN(4) == 0 }
	node := func() NodeArith {
		a := NodeArith{Acc: pick()}
		if often() {
			a.Mode = fp.Mode(rng.IntN(5))
		}
		if often() {
			a.Store = pick()
		}
		a.KeepsSubnormals, a.FlushOperands, a.PlusZero = often(), often(), often()
		if often() {
			a.Align, a.Trunc = 4+rng.IntN(20), fp.TowardZero
		}
		return a
	}
	a := Arithmetic{In: pick(), Out: pick(), Nodes: node(), DAZ: often(), FTZ: often(),
		PlusZero: often(), Mean: often(), FlushOut: often(), PlusZeroOut: often()}
	if often() {
		a.Products, a.FMA = true, FMA(rng.IntN(int(FMAMixed)))
		a.Squares, a.FromZero = often(), often()
	}
	if a.FTZ {
		a.Tiny, a.KeepsOut = Tininess(rng.IntN(3)), often()
	}
	if often() {
		i := rng.IntN(t.Leaves())
		a.Starts = Ranges{{i, i + 1 + rng.IntN(t.Leaves()-i)}}
	}
	if often() {
		k := rng.IntN(t.Inner())
		a.Except = []Exception{{Inner: Ranges{{k, k + 1 + rng.IntN(t.Inner()-k)}}, Arith: node()}}
	}
	return a
}

// sparseInput returns an input with few summands that are not zero.
func sparseInput(rng *rand.Rand, a Arithmetic, n int) (x, y []float64) {
	x = make([]float64, n)
	few := specials(rng, a.In, 1+rng.IntN(4))
	for i := range x {
		if rng.IntN(8) == 0 {
			x[i] = math.Copysign(0, -1)
		}
	}
	at := rng.IntN(n)
	for k, v := range few {
		if x[(at+k*rng.IntN(9))%n] = v; rng.IntN(4) == 0 {
			x[(at+1)%n] = -v
		}
	}
	if a.Products {
		y = specials(rng, a.In, n)
		if rng.IntN(8) > 0 {
			for i, v := range y {
				if v-v != 0 {
					y[i] = 1
				}
			}
		}
	}
	return x, y
}

// normals returns n values of a format of moderate size.
func normals(rng *rand.Rand, f fp.Format, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
	}
	return x
}

// sameSum reports whether two sums are the same bits, or both NaN.
func sameSum(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestQuickSums holds quick sums against sums that are rounded once: sums next
// to ties of binary32, to its least normal number and to its largest one.
func TestQuickSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	quick := map[fp.Format]quick{fp.Binary32: quickSingle, fp.Binary64: quickDouble}
	computed := 0
	for range 200_000 {
		top := []int{0, -126, -149, 127, -1022}[rng.IntN(5)]
		a := math.Ldexp(1+float64(rng.IntN(1<<10))/(1<<24), top) // often a tie
		b := math.Ldexp(float64(rng.IntN(5)-2), max(top-rng.IntN(80), -1074))
		for f, q := range quick {
			s, ok := q.sum(a, b)
			if !ok {
				continue
			}
			computed++
			if want := f.Add(a, b, fp.NearestEven); !sameSum(s, want) {
				t.Fatalf("%x + %x in %v is %x, want %x", a, b, f, s, want)
			}
			if s != 0 && math.Abs(s) < f.MinNormal() {
				t.Fatalf("%x + %x in %v is subnormal", a, b, f)
			}
			if exact := new(big.Float).SetMode(big.ToNearestAway); s != 0 &&
				exact.Add(big.NewFloat(a), big.NewFloat(b)).Abs(exact).Cmp(
					big.NewFloat(f.MinNormal())) < 0 {
				t.Fatalf("%x + %x in %v is tiny before rounding", a, b, f)
			}
		}
	}
	if computed < 100_000 {
		t.Errorf("%d sums were quick", computed)
	}
}

// TestSparseSums holds replays of inputs that are nearly all zero against ones
// that add the zeros, too, and quick sums against those that are not.
func TestSparseSums(t *testing.T) {
	const seed = 13
	rng := rand.New(rand.NewPCG(seed, 14))
	sparse, quick := 0, 0
	for round := range 4000 {
		tree := randomTree(rng, 64+rng.IntN(200), 2+rng.IntN(2)*rng.IntN(4))
		a := anyArithmetic(rng, tree)
		r, err := NewReplayer(tree, a)
		if err != nil {
			continue
		}
		slow, err := NewReplayer(tree, a)
		if err != nil {
			t.Fatal(err)
		}
		slow.plain = false
		for k, q := range slow.quick {
			if q != quickNone {
				quick++
			}
			slow.quick[k] = quickNone
		}
		for range 3 {
			x, y := sparseInput(rng, a, tree.Leaves())
			if rng.IntN(3) == 0 {
				x = specials(rng, a.In, tree.Leaves())
			}
			again := normals(rng, a.In, tree.Leaves())
			both, err := r.Sums([][]float64{again, x, x, again, again},
				[][]float64{y, y, y, y, y})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, _ := r.sumSparse(x, y); ok {
				sparse++
			}
			got, err := r.Sum(x, y)
			if err != nil {
				t.Fatal(err)
			}
			want, err := slow.sumAll(x, y)
			if err != nil || !sameSum(got, want) {
				t.Fatalf("seed %d, round %d: %x, want %x (%v)\n%+v\n%v\n%v", seed, round, got,
					want, err, a, x, y)
			}
			other, err := slow.sumAll(again, y)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range []float64{other, want, want, other, other} {
				if !sameSum(both[k], want) {
					t.Fatalf("seed %d, round %d: sum %d of five is %x, want %x\n%+v", seed,
						round, k, both[k], want, a)
				}
			}
		}
	}
	if sparse < 1000 || quick < 100 {
		t.Errorf("%d inputs were sparse, and %d arithmetics quick", sparse, quick)
	}
}

// TestSparseDeviants holds the deviations that sparse inputs show against those
// found where all nodes are looked at.
func TestSparseDeviants(t *testing.T) {
	const seed = 15
	rng := rand.New(rand.NewPCG(seed, 16))
	shown := 0
	for round := range 1500 {
		tree := randomTree(rng, 64+rng.IntN(100), 2+rng.IntN(2)*rng.IntN(4))
		a := anyArithmetic(rng, tree)
		r, err := NewReplayer(tree, a)
		if err != nil {
			continue
		}
		x, y := sparseInput(rng, a, tree.Leaves())
		left := make([]Deviation, tree.Nodes())
		for id := range left {
			left[id] = Deviation(rng.Uint32())
			if tree.IsLeaf(id) && !a.Products {
				left[id] &= FlushesInput
			}
		}
		all := slices.Clone(left)
		got, err := NewDeviants(r).Remove(left, x, y)
		if err != nil {
			t.Fatal(err)
		}
		want, err := NewDeviants(r).removeAll(all, x, y)
		if err != nil || !sameSum(got, want) {
			t.Fatalf("seed %d, round %d: %x, want %x (%v)", seed, round, got, want, err)
		}
		if _, ok, _ := r.sumSparse(x, y); ok {
			shown++
		}
		for id := range left {
			if left[id] != all[id] {
				t.Fatalf("seed %d, round %d, node %d: %b left, want %b\n%+v\n%v\n%v", seed, round,
					id, left[id], all[id], a, x, y)
			}
		}
	}
	if shown < 200 {
		t.Errorf("%d inputs were sparse", shown)
	}
}
