package sumtree

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// library is a line of testdata/libraries.txt.
type library struct {
	name   string // with the format
	n      int
	family string
	tree   *Tree
}

func readLibraries(t *testing.T) []library {
	t.Helper()
	text, err := os.ReadFile("testdata/libraries.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []library
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		n, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Parse(f[4])
		if err != nil {
			t.Fatalf("%s: %v", f[0], err)
		}
		all = append(all, library{name: f[0] + " " + f[1], n: n, family: f[3], tree: tree})
	}
	return all
}

// TestLibraries demands that each family gives the tree of its library, and
// that every such tree is recognised.
func TestLibraries(t *testing.T) {
	for _, l := range readLibraries(t) {
		f, err := ParseFamily(l.family)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Tree(l.n).Equal(l.tree) {
			t.Errorf("%s of %d is not the tree of %s", l.family, l.n, l.name)
		}
		if r, ok := Recognise(l.tree); !ok || !r.Tree(l.n).Equal(l.tree) {
			t.Errorf("%s of %d is recognised as %s: %v", l.name, l.n, r, ok)
		}
	}
}

// TestGuessLibraries derives the families of the libraries from their trees
// alone.
func TestGuessLibraries(t *testing.T) {
	for _, l := range readLibraries(t) {
		switch {
		case strings.HasPrefix(l.family, "windows"), strings.HasPrefix(l.family, "pair "),
			strings.Contains(l.family, "6 by "), strings.Contains(l.family, "spread by "),
			strings.Contains(l.family, "onto last"), l.n < 16:
			continue // not derived, or too short
		}
		found := whole(l.tree).Guess()
		if len(found) == 0 {
			t.Errorf("%s of %d: no family derived", l.name, l.n)
		}
		for _, f := range found {
			if !f.Tree(l.n).Equal(l.tree) {
				t.Errorf("%s of %d is derived as %s, which is another tree", l.name, l.n, f)
			}
		}
	}
}

// randomSteps returns a random Stepwise family: loops over fewer and fewer
// accumulators between folds.
func randomSteps(rng *rand.Rand) Family {
	pick := func(v ...int) int { return v[rng.IntN(len(v))] }
	width := pick(2, 4, 8, 16, 32, 64)
	f := Family{Kind: Stepwise, Steps: []Step{{Op: Take, Width: width, Count: 1}}}
	switch rng.IntN(6) {
	case 0:
		f.Steps[0].Each = &Family{Kind: Cascade, Block: 4, Base: 4, Levels: 4}
	case 1:
		f.Steps[0].Count, f.Steps[0].Each = 4, &Family{Kind: Backward, Block: 4}
	case 2:
		pairs := Family{Kind: Pairwise, Block: 1, Unroll: 1}
		f.Steps[0].Count, f.Steps[0].Each = 4, &Family{Kind: Chunks, Block: 4, Of: &pairs}
	case 3:
		f.Steps[0].Count = 2
	}
	rest := Step{Op: []StepOp{Spread, Onto, Apart}[rng.IntN(3)]}
	restBefore := rng.IntN(8) // folds
	var bits []int
	for b := 1; b < width; b *= 2 {
		bits = append(bits, b)
	}
	switch rng.IntN(3) { // else the lowest first
	case 0:
		slices.Reverse(bits)
	case 1:
		rng.Shuffle(len(bits), func(i, j int) { bits[i], bits[j] = bits[j], bits[i] })
	}
	live := width
	for k := 0; k < len(bits); k++ {
		if k == restBefore {
			f.Steps = append(f.Steps, rest)
		}
		if k < restBefore && rng.IntN(2) == 0 {
			f.Steps = append(f.Steps, Step{Op: Take, Width: live, Count: 1})
		}
		fold := Step{Op: Fold, Width: bits[k], Count: 2}
		if k+1 < len(bits) && bits[k+1] == 2*bits[k] && rng.IntN(3) == 0 {
			fold.Count = 4
			k++
		}
		live /= fold.Count
		f.Steps = append(f.Steps, fold)
	}
	if !canRun(f.Steps) {
		f.Steps = append(f.Steps, rest)
	}
	return f
}

// TestRandomSteps demands that random families are read back, and derived from
// their trees.
func TestRandomSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		f := randomSteps(rng)
		checkFamily(t, rng, f, 3*f.Steps[0].Width*f.Steps[0].Count+rng.IntN(700))
	}
}

// TestSample compares what Guess derives from a few summands with the whole
// tree.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		f := randomSteps(rng)
		n := 5000 + rng.IntN(5000)
		tree := f.Tree(n)
		at := indices(300)
		for k := 300; k < n-264; k++ {
			if k%64 == 0 && k < 3000 || k&(k-1) == 0 {
				at = append(at, k)
			}
		}
		for k := n - 264; k < n; k++ {
			at = append(at, k)
		}
		found := Sample{N: n, At: at, Tree: induced(t, tree, at)}.Guess()
		if !slices.ContainsFunc(found, func(g Family) bool { return g.Tree(n).Equal(tree) }) {
			t.Errorf("%s of %d: derived %v", f, n, found)
		}
	}
}

// induced returns what is left of t when only the leaves at remain.
func induced(t *testing.T, tree *Tree, at []int) *Tree {
	t.Helper()
	b := NewBuilder(len(at))
	left := make([]int, tree.Nodes()) // node of the new tree, −1 for none
	for id := range left {
		left[id] = -1
		if k, ok := slices.BinarySearch(at, id); ok && tree.IsLeaf(id) {
			left[id] = k
		}
		var kids []int
		for _, c := range tree.Children(id) {
			if left[c] >= 0 {
				kids = append(kids, left[c])
			}
		}
		if len(kids) > 0 {
			left[id] = b.Node(kids...)
		}
	}
	u, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestNotGuessed holds that trees with two leaves exchanged are not taken for
// the family that they were.
func TestNotGuessed(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, l := range readLibraries(t) {
		i, j := rng.IntN(l.n), rng.IntN(l.n)
		b := NewBuilder(l.n)
		for id := l.n; id < l.tree.Nodes(); id++ {
			var kids []int
			for _, c := range l.tree.Children(id) {
				switch int(c) {
				case i:
					c = int32(j)
				case j:
					c = int32(i)
				}
				kids = append(kids, int(c))
			}
			b.Node(kids...)
		}
		tree := b.MustTree()
		if f, ok := Recognise(tree); ok && !f.Tree(l.n).Equal(tree) {
			t.Errorf("%s of %d, leaves %d and %d exchanged: recognised as %s", l.name, l.n, i, j, f)
		}
	}
}

func TestBadFamilies(t *testing.T) {
	for _, s := range []string{
		"take 0, rest onto", "take 4", "take 4, rest onto", "take 4, fold 1, rest onto",
		"take 4, take 8, fold 1, fold 2, rest onto", "take 4 as chain, fold 1, fold 2, rest onto",
		"take 4, fold 1, fold 2, rest", "take 4×1, fold 1, fold 2, rest onto", "fold 1, rest onto",
		"take 4, fold 1×2×2, fold 2, rest onto", "take 4, fold 3, fold 1, rest onto",
		"take 99999999999, rest onto", "cascade(block=0, base=2)", "cascade(block=4, base=1)",
		"halves(0) of chain", "halves(4) of", "first + ", "backward(0)", "windows(1)",
		"windows(32) ", "chunks(4) of first", "chunks(4, rest by 5) of chain",
		"chunks(4, rest by 0) of chain", "chunks(4, rest by 2)", "deal 4, fold 1, fold 2",
		"deal 4 as chain, fold 1, fold 2", "deal 4×2 as pairwise, fold 1, fold 2",
		"deal 4 late 1 as pairwise, fold 1, fold 2", "deal 4 as pairwise, fold 1",
	} {
		if f, err := ParseFamily(s); err == nil {
			t.Errorf("%q is read as %s", s, f)
		}
	}
}

var plain64 = Plain(fp.Binary64)

// recognitionInput returns small integers and two masks.
func recognitionInput(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(1 + rng.IntN(1000))
	}
	i, j := rng.IntN(n), rng.IntN(n)
	if i != j {
		x[i], x[j] = 0x1p200, -0x1p200
	}
	return x
}

// TestDocumentedFamilies reads the names in the table of libraries of
// docs/reference/families.md.
func TestDocumentedFamilies(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/families.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| library | order |")
	names := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "`")
		if !strings.HasPrefix(line, "| ") || len(cells) < 3 {
			continue
		}
		name := cells[len(cells)-2]
		names++
		if f, err := ParseFamily(name); err != nil || f.String() != name {
			t.Errorf("%q is read as %s, %v", name, f, err)
		}
	}
	if names < 8 {
		t.Errorf("%d names found", names)
	}
}
