package proof

import (
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// nodeTest is three summands, alone among zeros, whose sum shows a property of
// one addition: first and second are its own two operands, and sibling is the
// other operand of the next addition. Their sum is base, or base + more for a
// node that has the property.
type nodeTest struct {
	step                   string // of the progress display
	first, second, sibling float64
	base, more             float64
	// nonzero takes any result of a node alone for base + more that is not
	// base.
	nonzero bool
}

// has reports which of the nodes, none of them the root, have the property that
// a test shows. Nodes whose next additions are not below each other share one
// question: their sums are whole multiples of one number, which all other
// additions add exactly, so that the result is the number of nodes with the
// property. Where some of them have it and some do not, halves of them are
// asked.
func (x *partProber) has(nodes []int, q nodeTest) ([]bool, error) {
	has := make(map[int]bool, len(nodes))
	pending := nodesApart(x, nodes)
	for len(pending) > 0 {
		patches := make([]ask.Patch, len(pending))
		for k, group := range pending {
			for _, v := range group {
				kids, l := x.t.Children(v), siblingLeaf(x, v)
				patches[k].Set(x.leafUnder(kids[0]), q.first)
				patches[k].Set(x.leafUnder(kids[1]), q.second)
				patches[k].Set(l, q.sibling)
			}
		}
		x.c.ExpectQuestions(q.step, len(patches))
		out, err := x.c.AskPatched(x.c.Pool(), patches...)
		if err != nil {
			return nil, err
		}
		var mixed [][]int
		for k, group := range pending {
			all, none := nodeCounts(x, q, len(group), out[k])
			if !all && !none && len(group) > 1 {
				half := len(group) / 2
				mixed = append(mixed, group[:half], group[half:])
				continue
			}
			for _, v := range group {
				has[v] = all || q.nonzero && !none
			}
		}
		pending = mixed
	}
	each := make([]bool, len(nodes))
	for k, v := range nodes {
		each[k] = has[v]
	}
	return each, nil
}

// nodeCounts reports whether a result shows that all of m nodes have the
// property of a test, and whether it shows that none has.
func nodeCounts(x *partProber, q nodeTest, m int, out float64) (all, none bool) {
	gives := func(sum float64) bool {
		for _, acc := range ask.Accumulators(x.c.Key) {
			if slices.Contains(results(x.c, acc, sum), out) {
				return true
			}
		}
		return false
	}
	base := float64(float64(m) * q.base)
	all, none = gives(base+float64(float64(m)*q.more)), gives(base)
	switch {
	case m == 1:
		return all && !none, none
	case all && gives(base+float64(float64(m-1)*q.more)), none && gives(base+q.more):
		return false, false // two numbers of nodes give one result
	}
	return all, none
}

// nodesApart splits nodes into groups, such that no next addition of a group is
// below another, and that the sums of a group are exact in every format.
func nodesApart(x *partProber, nodes []int) [][]int {
	precision := x.c.Key.Out.Precision()
	for _, f := range ask.Accumulators(x.c.Key) {
		precision = min(precision, f.Precision())
	}
	most := 1 << max(0, min(precision-5, 20))
	type level struct {
		height int32 // of the next addition
		child  int   // which of its operands
	}
	var groups [][]int
	last := map[level]int{} // the group that takes the next node of a level
	for _, v := range nodes {
		up := int(x.parent[v])
		at := level{height: x.height[up], child: slices.Index(x.t.Children(up), int32(v))}
		k, ok := last[at]
		if !ok || len(groups[k]) == most {
			k = len(groups)
			last[at] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], v)
	}
	return groups
}

// belowRoot returns the nodes that are not the root.
func belowRoot(x *partProber, nodes []int) []int {
	return slices.DeleteFunc(slices.Clone(nodes), func(v int) bool { return x.parent[v] < 0 })
}

// siblingLeaf returns a leaf under the other operand of the addition above a
// node.
func siblingLeaf(x *partProber, id int) int {
	other := x.t.Children(int(x.parent[id]))[0]
	if int(other) == id {
		other = x.t.Children(int(x.parent[id]))[1]
	}
	return x.leafUnder(other)
}
