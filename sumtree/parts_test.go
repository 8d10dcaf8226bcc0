package sumtree

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// checkFamily demands that the name of f is read back, that f and its tree give
// the same sums, and that the tree is recognised.
func checkFamily(t *testing.T, rng *rand.Rand, f Family, n int) {
	t.Helper()
	tree := f.Tree(n)
	back, err := ParseFamily(f.String())
	if err != nil || back.String() != f.String() || !back.Tree(n).Equal(tree) {
		t.Fatalf("%s is read back as %s, %v", f, back, err)
	}
	x := recognitionInput(rng, n)
	sum, _ := tree.Replay(plain64, x, nil)
	if got := f.Masked(x); got != sum {
		t.Fatalf("%s of %d: the sum is %v by its tree and %v without", f, n, sum, got)
	}
	if r, ok := Recognise(tree); !ok || !r.Tree(n).Equal(tree) {
		t.Errorf("%s of %d is recognised as %s: %v", f, n, r, ok)
	}
}

// TestRandomPrologues derives steps that begin with a Head or a Lead.
func TestRandomPrologues(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		f := randomSteps(rng)
		f.Steps[0].Each = nil
		width := f.Steps[0].Width
		first := Step{Op: Head, Width: 1 + rng.IntN(8), Count: 1}
		n := first.Width + 3*width*f.Steps[0].Count + rng.IntN(300)
		if rng.IntN(2) == 0 && f.Steps[0].Count == 1 {
			first = Step{Op: Lead, Width: max(2, width/2), Count: 2}
		}
		f.Steps = slices.Concat([]Step{first}, f.Steps)
		checkFamily(t, rng, f, n)
	}
}

// TestReopened derives loops that come after a sum is complete: with new
// accumulators beside it, or apart.
func TestReopened(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, name := range []string{
		"take 16, fold 8, fold 4, fold 2, fold 1, take 8, rest spread, fold 4, fold 2, fold 1",
		"take 8, fold 1×8, take 4, fold 2, fold 1, rest onto",
		"head 2, take 16, fold 4×4, fold 1×4, take 16, rest spread, fold 8, fold 4, fold 2, fold 1",
		"take 32, fold 16, fold 8, fold 1×8, aside, take 8, fold 1×8, join, rest onto",
		"take 16, fold 8, fold 4, fold 2, fold 1, aside, take 4×2, fold 2, fold 1, join, rest onto",
	} {
		f, err := ParseFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			checkFamily(t, rng, f, 33+rng.IntN(200))
		}
	}
}

// TestPairs compares the sums of pairs with trees worked out by hand.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		f    string
		n    int
		want string
	}{
		{"pair 2, take 2, fold 1, rest onto", 9, "((((0 2) (4 6)) ((1 3) (5 7))) 8)"},
		{"pair 1×2, take 2, fold 1, rest onto", 9, "((((0 1) (4 5)) ((2 3) (6 7))) 8)"},
		{"pair 1×2, take 2, rest spread, fold 1", 7, "((((0 1) 4) 6) ((2 3) 5))"},
		{"lead 2×2, take 4, fold 2, fold 1, rest onto", 7, "((((0 2) 4) ((1 3) 5)) 6)"},
		{"chunks(4, even) of chain", 9, "(((((0 1) 2) 3) ((4 5) 6)) (7 8))"},
		{"chunks(4, even 2) of chain", 9, "(((((0 1) 2) 3) (4 5)) ((6 7) 8))"},
		{"chunks(4, even) of chain", 12, "(((((0 1) 2) 3) (((4 5) 6) 7)) (((8 9) 10) 11))"},
		{"loop 2 as ((s 1) 0), rest onto", 5, "((((0 1) 3) 2) 4)"},
		{"loop 3 as (s 0 1 2), rest onto", 7, "(((0 1 2) 3 4 5) 6)"},
		{"loop 2 as (s (0 1)), leave 1, rest onto", 6, "((((0 1) (2 3)) 4) 5)"},
		{"loop 2 as (s (0 1)), leave 3, rest onto", 6, "(((((0 1) 2) 3) 4) 5)"},
		{"loop 2 as (s (0 1)), leave 8, rest onto", 4, "(((0 1) 2) 3)"},
		{"take 2×2 late 1, fold 1, rest onto", 3, "((0 1) 2)"},
		{"take 2×2 late 1, fold 1, rest onto", 9, "((((((0 2) 4) 6) ((1 3) 5)) 7) 8)"},
		{"take 4 late 2, rest spread, fold 2, fold 1", 8, "((((0 4) 6) 2) (((1 5) 7) 3))"},
		{"take 2 by 2, rest spread by 2, fold 1", 9, "(((((0 1) 5) 4) 8) (((2 3) 7) 6))"},
		{"take 2 by 2, rest spread by 2, fold 1", 7, "((((0 1) 5) 4) ((2 3) 6))"},
		{"chunks(4, rest by 2) of chain", 9, "(((((0 1) 2) 3) (((4 5) 6) 7)) 8)"},
		{"chunks(4, rest by 2) of chain", 7, "(((((0 1) 2) 3) (4 5)) 6)"},
		{"chunks(4, rest by 2) of chain", 3, "((0 1) 2)"},
		{"deal 2 as chunks(2) of chain, fold 1", 7, "(((0 2) (4 6)) ((1 3) 5))"},
		{"deal 2 by 2 as chunks(4) of chain, fold 1", 7, "((((0 1) 5) 4) ((2 3) 6))"},
		{"deal 4 as reverse chain, fold 2, fold 1", 3, "((0 2) 1)"},
		// The last two of 0 2 4 6 are not in a chunk of 4, since 7 is missing
		// beside 6.
		{"deal 2 as chunks(4, rest by 2) of chain, fold 1", 7, "(((0 2) (4 6)) ((1 3) 5))"},
		{"deal 2 as chunks(4, rest by 2) of chain, fold 1", 8, "((((0 2) 4) 6) (((1 3) 5) 7))"},
		{"deal 2 as chunks(4, rest by 2) of chain, fold 1", 9,
			"(((((0 2) 4) 6) 8) (((1 3) 5) 7))"},
		{"take 2, rest onto last, fold 1", 7, "(((0 2) 4) (((1 3) 5) 6))"},
		{"take 2 by 3, fold 1, rest onto", 7, "(((0 (1 2)) (3 (4 5))) 6)"},
	} {
		f, err := ParseFamily(c.f)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Tree(c.n).String(); got != c.want || f.String() != c.f {
			t.Errorf("%s of %d is %s, want %s", f, c.n, got, c.want)
		}
	}
}

// TestRandomChunks derives chunks of chunks, whose rests are cut into smaller
// ones or not, alone and dealt to accumulators.
func TestRandomChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	chain := Family{Kind: Chain}
	for range 12 {
		low := 2 + rng.IntN(5)
		inner := Family{Kind: Chunks, Block: low, Of: &chain}
		f := Family{Kind: Chunks, Block: low * (2 + rng.IntN(4)), Of: &inner}
		if rng.IntN(2) == 0 {
			f.Then = low
		}
		outer := Family{Kind: Chunks, Block: f.Block * (2 + rng.IntN(4)), Of: &f}
		n := 2*outer.Block + rng.IntN(outer.Block)
		checkFamily(t, rng, outer, n)
		checkFamily(t, rng, f, n)
		width := 2 << rng.IntN(3)
		steps := []Step{{Op: Deal, Width: width, Count: 1, Each: &outer}}
		dealt := Family{Kind: Stepwise, Steps: append(steps, Halving.folds(1, width)...)}
		if n%low == low-1 {
			n++ // a chunk of the longer lanes only is not derived
		}
		checkFamily(t, rng, dealt, width*n+rng.IntN(width))
	}
}

// randomRound returns a random binary tree of that many leaves.
func randomRound(rng *rand.Rand, leaves int) *Tree {
	b := NewBuilder(leaves)
	left := indices(leaves)
	for len(left) > 1 {
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		left = append(left[2:], b.Node(left[0], left[1]))
	}
	return b.MustTree()
}

// TestRandomLoops derives a loop whose rounds are a random tree, and smaller
// ones that add blocks summed apart.
func TestRandomLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for range 100 {
		f := Family{Kind: Looped}
		sizes := rng.Perm(maxLoop - 1)[:1+rng.IntN(3)]
		slices.SortFunc(sizes, func(a, b int) int { return b - a })
		for _, size := range sizes {
			round := randomRound(rng, size+3)
			if len(f.Loops) > 0 {
				block := randomRound(rng, size+2).String()
				block = renumber(block, func(leaf int) string { return strconv.Itoa(leaf + 1) })
				var err error
				if round, err = Parse("(0 " + block + ")"); err != nil {
					t.Fatal(err)
				}
			}
			f.Loops = append(f.Loops, round)
		}
		checkFamily(t, rng, f, 2*(sizes[0]+2)+rng.IntN(100))
	}
}

// TestSampledLoops derives loops from a few of many summands.
func TestSampledLoops(t *testing.T) {
	const n = 9001
	at := indices(300)
	for k := n - 264; k < n; k++ {
		at = append(at, k)
	}
	for _, name := range []string{
		"loop 8 as ((((s 6) 4) (5 7)) ((0 2) (1 3))), rest onto",
		"loop 7 as (s (((0 2) 4) (((1 3) 5) 6))), loop 4 as ((s 3) ((0 2) 1)), rest onto",
	} {
		f, err := ParseFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		tree := f.Tree(n)
		found := Sample{N: n, At: at, Tree: induced(t, tree, at)}.Guess()
		if len(found) == 0 || !found[0].Tree(n).Equal(tree) {
			t.Errorf("%s is derived as %v", f, found)
		}
	}
}

// TestLeftLate derives loops that leave summands to the rest.
func TestLeftLate(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	for _, name := range []string{
		"take 2×2 late 1, fold 1, rest onto",
		"take 4×2 late 1, fold 2, fold 1, rest onto",
		"take 8 late 1, fold 1×8, rest onto",
		"loop 4 as ((s 3) ((0 2) 1)), leave 1, rest onto",
		"loop 8 as (s ((((0 2) 4) 6) (((1 3) 5) 7))), " +
			"loop 4 as (s ((0 2) (1 3))), leave 1, rest onto",
	} {
		f, err := ParseFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			checkFamily(t, rng, f, 33+rng.IntN(200))
		}
	}
}

func TestBadParts(t *testing.T) {
	for _, s := range []string{
		"head 3", "head 3, rest onto", "head 3×2, take 2, fold 1, rest onto",
		"take 2, head 3, fold 1, rest onto", "lead 2, take 4, fold 2, fold 1, rest onto",
		"lead 8×2, take 4, fold 2, fold 1, rest onto", "head 1, pair 2, take 2, fold 1, rest onto",
		"take 2, fold 1, aside, rest onto", "take 2, fold 1, join, rest onto",
		"take 4, fold 1, take 8, fold 2, fold 4, fold 1, rest onto",
		"take 2, aside, fold 1, join, rest onto", "pair 0, take 2, fold 1, rest onto",
		"loop 2 as ((s 0) 1)", "loop 3 as ((s 0) 1), rest onto", "loop 2 as (0 1), rest onto",
		"loop 2 as ((s 0) 1), loop 2 as (s (0 1)), rest onto", "loop 2 as ((0 s) 1), rest onto",
		"loop 1 as (s 0), rest onto", "loop 2 as ((s s) 0), rest onto", "loop , rest onto",
		"loop 2 as (s (0 1)), leave 0, rest onto", "loop 2 as (s (0 1)), leave -1, rest onto",
		"take 4 late 0, fold 1×4, rest onto", "take 4 late 4, fold 1×4, rest onto",
		"take 4 by 1, fold 1×4, rest onto", "take 4 by 2 late 1, fold 1×4, rest onto",
		"take 4 late 1 as reverse chain, fold 1×4, rest onto", "take 2, rest spread by 1, fold 1",
		"take 2, fold 1 by 2, rest onto", "take 2, fold 1, rest onto by 2",
		"chunks(4, even 1) of chain", "chunks(4, even 0) of chain", "chunks(0, even) of chain",
	} {
		if f, err := ParseFamily(s); err == nil {
			t.Errorf("%q is read as %s", s, f)
		}
	}
}
