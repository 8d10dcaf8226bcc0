package proof

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// linkFamilies are orders whose additions are links, most of them.
var linkFamilies = []string{
	"chain", "reverse chain", "strided(4)+halving", "strided(2×2)+chain+chain, tail apart",
	"take 4×2, fold 2, take 2, rest onto, fold 1", "first + strided(2)+chain",
}

func familyTree(t *testing.T, name string, n int) *sumtree.Tree {
	t.Helper()
	f, err := sumtree.ParseFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Tree(n)
}

// changed returns a tree with a random small change: two leaves exchanged,
// neighbours of a run or any, or a leaf that is added to another one first.
func changed(t *testing.T, rng *rand.Rand, tree *sumtree.Tree) *sumtree.Tree {
	t.Helper()
	order, _, _ := tree.LeafOrder()
	n := tree.Leaves()
	a := rng.IntN(n - 1)
	b := a + 1
	if rng.IntN(3) == 0 {
		b = rng.IntN(n)
	}
	if rng.IntN(3) > 0 {
		other, err := exchanged(tree, int(order[a]), int(order[b]))
		if err != nil {
			t.Fatal(err)
		}
		return other
	}
	return moved(t, tree, int(order[a]), int(order[b]))
}

// moved returns the tree with one leaf added to another.
func moved(t *testing.T, tree *sumtree.Tree, leaf, to int) *sumtree.Tree {
	t.Helper()
	if leaf == to {
		return tree
	}
	b := sumtree.NewBuilder(tree.Leaves())
	made := make([]int, tree.Nodes())
	for id := range made {
		made[id] = -1
		switch {
		case id == leaf:
		case id == to:
			made[id] = b.Node(leaf, to)
		case tree.IsLeaf(id):
			made[id] = id
		default:
			var kids []int
			for _, c := range tree.Children(id) {
				if made[c] >= 0 {
					kids = append(kids, made[c])
				}
			}
			made[id] = b.Node(kids...)
		}
	}
	other, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// TestLinksShowChanges counts the inputs that show a small change of a tree:
// the comment on linkTests states how many. Those that exchange two leaves of
// one node are none.
func TestLinksShowChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	const inputs = 120
	for k, name := range linkFamilies {
		n := 60 + rng.IntN(100)
		tree := familyTree(t, name, n)
		acc := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		c := opened(t, probetest.FromTree(tree, probetest.Options{Acc: acc}))
		isLink, runs := links(tree)
		l, fits := newLinker(c, tree, isLink, runs, acc)
		if !fits {
			t.Fatalf("no inputs for sums in %v", acc)
		}
		least := inputs
		for range 60 {
			other := changed(t, rng, tree)
			if other.Equal(tree) {
				continue
			}
			r, err := sumtree.NewReplayer(other, sumtree.Plain(acc))
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for range inputs {
				want := l.draw()
				if got, err := r.Sum(l.x, nil); err != nil || got != want {
					seen++
				}
			}
			least = min(least, seen)
		}
		t.Logf("%s of %d in %v: at least %d of %d inputs", name, n, acc, least, inputs)
		if 5*least < inputs {
			t.Errorf("%s: %d of %d inputs show a change", name, least, inputs)
		}
	}
}

// TestCertifyLinks certifies deep trees in few calls, and none of their
// changes.
func TestCertifyLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for _, name := range linkFamilies {
		tree := familyTree(t, name, maxSeparated+4+rng.IntN(900))
		for _, o := range []probetest.Options{{}, {DType: fp.Binary64}, {Acc: fp.Binary64}} {
			c := opened(t, probetest.FromTree(tree, o))
			got, err := Certify(c, tree)
			if err != nil || got.Calls > linkTests+40 || got.Tests < linkTests {
				t.Errorf("%s of %d, %+v: %+v, %v", name, c.N, o, got, err)
			}
		}
		for range 3 {
			other := changed(t, rng, tree)
			if other.Equal(tree) {
				continue
			}
			_, err := Certify(opened(t, probetest.FromTree(other, probetest.Options{})), tree)
			var fact *verdict.Fact
			if !errors.As(err, &fact) || fact.Reason != verdict.NoTree || fact.Witness == nil {
				t.Errorf("%s of %d: another tree is certified: %v", name, tree.Leaves(), err)
			}
		}
	}
}
