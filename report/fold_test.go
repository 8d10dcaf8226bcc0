package report

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/sumtree"
)

// TestEveryLeafOnce holds for the items of every drawing: those without kids
// hold each leaf of the tree exactly once, and an item counts the leaves of its
// kids.
func TestEveryLeafOnce(t *testing.T) {
	options := map[string]viewOptions{
		"text":   {maxRows: maxTextRows, maxDepth: maxTextDepth, explicit: 2},
		"svg":    {maxRows: maxSVGRows, explicit: maxSVGExplicit},
		"narrow": {maxRows: 3, explicit: 4}, "full": {full: true},
	}
	each(t, func(t *testing.T, d Drawing) {
		f := newFolds(&d)
		for name, o := range options {
			checkItems(t, name, f, f.view(o))
		}
	})
}

func checkItems(t *testing.T, name string, f *folds, root *item) {
	t.Helper()
	total := 0
	stack := []*item{root}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], it.kids...)
		if len(it.kids) == 0 {
			total += it.leaves
			continue
		}
		sum := 0
		for _, k := range it.kids {
			sum += k.leaves
		}
		if sum != it.leaves || it.leaves != int(f.size[it.node]) {
			t.Errorf("%s: item %q of node %d has %d leaves, its kids %d, the node %d", name,
				it.line(), it.node, it.leaves, sum, f.size[it.node])
		}
	}
	if total != f.t.Leaves() {
		t.Errorf("%s: the items hold %d of %d leaves", name, total, f.t.Leaves())
	}
}

func TestEveryLeafOnceRandom(t *testing.T) {
	for seed := range uint64(300) {
		n := 1 + int(seed*7)%190
		d := Drawing{Tree: randomTree(n, seed, 2+int(seed%4))}
		f := newFolds(&d)
		for _, o := range []viewOptions{
			{maxRows: maxTextRows, explicit: 2}, {maxRows: 8, explicit: maxSVGExplicit},
			{full: true},
		} {
			checkItems(t, "seed "+strconv.Itoa(int(seed)), f, f.view(o))
		}
	}
}

// TestFoldsAreTrue compares the claims of folds with the tree: nodes of one
// shape are shifts of one another, chains have operands of one shape, and
// balanced combinations too.
func TestFoldsAreTrue(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		if d.Tree.Leaves() > 2000 {
			return // the comparison is quadratic in the tree; the smaller ones have every shape
		}
		f := newFolds(&d)
		seen := map[int32]string{}
		texts := map[string]int32{}
		for v := range d.Tree.Nodes() {
			s := shiftedText(&d, v, int(f.low[v]))
			if was, ok := seen[f.shape[v]]; ok && was != s {
				t.Fatalf("shape %d is %s and %s", f.shape[v], was, s)
			}
			if was, ok := texts[s]; ok && was != f.shape[v] {
				t.Fatalf("%s has shapes %d and %d", s, was, f.shape[v])
			}
			seen[f.shape[v]], texts[s] = s, f.shape[v]
			if d.Tree.IsLeaf(v) {
				continue
			}
			if f.levels[v] > 0 {
				for _, op := range f.balanced(v) {
					if f.shape[op] != f.shape[f.balanced(v)[0]] {
						t.Fatalf("node %d: the operands of the combination differ", v)
					}
				}
			}
			checkChain(t, f, v)
		}
	})
}

func checkChain(t *testing.T, f *folds, v int) {
	t.Helper()
	if f.run[v] == 0 {
		return
	}
	start, ops := f.chain(v)
	each := len(f.t.Children(v)) - 1
	if len(ops) != each*int(f.run[v]) {
		t.Fatalf("node %d: %d operands in a chain of %d sums of %d", v, len(ops), f.run[v], each+1)
	}
	total := int(f.size[start])
	for i, op := range ops {
		total += int(f.size[op])
		if each == 1 && f.shape[op] != f.shape[ops[0]] {
			t.Fatalf("node %d: operand %d of the chain differs", v, i)
		}
	}
	if total != int(f.size[v]) {
		t.Fatalf("node %d: the chain has %d of %d leaves", v, total, f.size[v])
	}
}

// shiftedText is the text of a subtree with all leaves less by shift, and the
// classes of its nodes.
func shiftedText(d *Drawing, id, shift int) string {
	var b strings.Builder
	type frame struct{ id, next int }
	stack := []frame{{id: id}}
	for len(stack) > 0 {
		fr := &stack[len(stack)-1]
		kids := d.Tree.Children(fr.id)
		switch {
		case len(kids) == 0:
			b.WriteString(strconv.Itoa(fr.id-shift) + " ")
			stack = stack[:len(stack)-1]
			continue
		case fr.next == 0:
			b.WriteString("(")
		case fr.next == len(kids):
			b.WriteString(")" + strconv.Itoa(d.class(fr.id)))
			stack = stack[:len(stack)-1]
			continue
		}
		fr.next++
		stack = append(stack, frame{id: int(kids[fr.next-1])})
	}
	return b.String()
}

// TestLoopsStayShallow holds that the outline of a long loop, whose tree is
// deep, shows a few of its rounds.
func TestLoopsStayShallow(t *testing.T) {
	f, err := sumtree.ParseFamily("loop 8 as ((((s 6) 4) (5 7)) ((0 2) (1 3))), rest onto")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Tree(&b, Drawing{Tree: f.Tree(1000)}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := strings.Count(line, "│"); n > maxTextDepth || len(line) > 100 {
			t.Errorf("too deep or wide: %q", line)
		}
	}
	if n := strings.Count(b.String(), "\n"); n < 10 || n > 25 {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
}
