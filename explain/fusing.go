package explain

import "github.com/lastbit/lastbit/sumtree"

// fusing names the products that enter their addition unrounded, by the order
// of the additions: in a loop from the last product to the first, the last one
// comes first.
func fusing(t *sumtree.Tree, a *sumtree.Arithmetic) string {
	fused := a.FusedLeaves(t)
	var first, second, onto tally // products of two that meet, and those added to a sum
	up := t.Parents()
	backwards := isBackwards(t, up)
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		x, y := int(kids[0]), int(kids[1])
		switch {
		case len(kids) > 2 || !t.IsLeaf(x) && !t.IsLeaf(y):
		case t.IsLeaf(x) && t.IsLeaf(y):
			if backwards {
				x, y = y, x
			}
			first.add(fused[x])
			second.add(fused[y])
		case t.IsLeaf(x):
			onto.add(fused[x])
		default:
			onto.add(fused[y])
		}
	}
	switch {
	case first.none() && second.none() && onto.none():
		return noFMA
	case first.all() && second.all() && onto.all():
		return fmaNames[sumtree.FMAAll]
	case first.none() && second.all() && onto.all():
		return fmaNames[sumtree.FMALater]
	case first.all() && second.none() && onto.all():
		return fmaNames[sumtree.FMAEarlier]
	case first.none() && second.none() && onto.all():
		return fmaNames[sumtree.FMAChain]
	}
	return "some products"
}

// isBackwards reports whether the next product that is added to each two that
// meet has a smaller index than both, wherever one is.
func isBackwards(t *sumtree.Tree, up []int32) bool {
	backwards := false
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		if up[id] < 0 || len(kids) > 2 || !t.IsLeaf(int(kids[0])) || !t.IsLeaf(int(kids[1])) {
			continue
		}
		for _, z := range t.Children(int(up[id])) {
			if !t.IsLeaf(int(z)) {
				continue
			}
			if z > kids[0] {
				return false
			}
			backwards = true
		}
	}
	return backwards
}

// tally counts answers.
type tally struct{ yes, no int }

func (c *tally) add(is bool) {
	if is {
		c.yes++
	} else {
		c.no++
	}
}

// all and none hold of no answers, too.
func (c *tally) all() bool  { return c.no == 0 }
func (c *tally) none() bool { return c.yes == 0 }
