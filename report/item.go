package report

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"
)

// kind is the kind of an item of a folded drawing.
type kind uint8

const (
	kindLeaf     kind = iota // one summand
	kindSum                  // one addition; without kids, one of summands only
	kindChain                // additions in order, whose other operands are alike
	kindPairwise             // a balanced combination of operands that are alike
	kindAlike                // subtrees of the same shape as the item before it
	kindLeaves               // summands that are operands of the item above
	kindFolded               // a subtree that found no room
	kindRest                 // operands that found no room
)

// item is a node of a folded drawing. Every leaf of the tree belongs to exactly
// one item without kids.
type item struct {
	kind   kind
	node   int // of the tree; the first of several
	leaves int // under this item
	count  int // subtrees in an item of kindAlike
	kids   []*item
	head   string // its name: "chain of 125", "+", "17"
	detail string // which leaves
	class  int
	depth  int // below the root
}

// viewOptions bounds the part of a tree that is shown.
type viewOptions struct {
	maxRows  int  // items without kids
	maxDepth int  // items that deep stay folded; 0 for no limit
	explicit int  // largest group of alike subtrees that is listed, not counted
	full     bool // no folding at all
}

// view returns the items that show the tree within the options.
func (f *folds) view(o viewOptions) *item {
	v := &viewer{folds: f, o: o, shown: map[int32]int{}}
	root := v.item(f.t.Root())
	v.rows = 1
	v.wait(root)
	for v.open.Len() > 0 {
		it := heap.Pop(&v.open).(*item)
		if v.repeated(it) || o.maxDepth > 0 && it.depth >= o.maxDepth {
			continue
		}
		kids := v.expansion(it)
		if it == root && !o.full {
			kids = v.cut(kids)
		}
		more := countRows(kids) - 1
		if !o.full && it != root && v.rows+more > o.maxRows {
			continue
		}
		v.rows += more
		v.apply(it, kids)
	}
	if !o.full {
		v.describe(root)
	}
	return root
}

// cut shortens the operands of a very wide node to the rows there are.
func (v *viewer) cut(kids []*item) []*item {
	if len(kids) <= v.o.maxRows {
		return kids
	}
	keep := max(v.o.maxRows-1, 1)
	rest := &item{kind: kindRest, node: kids[keep].node, head: group(len(kids)-keep) + " more"}
	for _, k := range kids[keep:] {
		rest.leaves += k.leaves
	}
	rest.detail = count(rest.leaves, "leaf", "leaves")
	return append(kids[:keep:keep], rest)
}

// describe names the leaves under the subtrees that are shown.
func (v *viewer) describe(root *item) {
	stack := []*item{root}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], it.kids...)
		switch {
		case len(it.kids) > 0:
			it.detail = describeSet(v.leavesOf(it.node))
		case it.kind == kindFolded:
			set, _ := decimals.shortSet(v.leavesOf(it.node))
			it.detail = fmt.Sprintf("%s; height %d", set, v.high[it.node])
		}
	}
}

// viewer expands folded items, those with the most leaves first.
type viewer struct {
	*folds
	o    viewOptions
	rows int
	open itemHeap
	// shown maps each shape to its node that is shown with kids.
	shown map[int32]int
}

// repeated turns an item into a reference where its shape is shown elsewhere.
func (v *viewer) repeated(it *item) bool {
	first, ok := v.shown[v.shape[it.node]]
	if !ok || v.o.full {
		return false
	}
	it.kind, it.head = kindAlike, "like "+describeSet(v.leavesOf(first))
	it.detail = describeSet(v.leavesOf(it.node))
	return true
}

// wait queues a folded item for expansion.
func (v *viewer) wait(it *item) {
	if it.kind == kindFolded {
		heap.Push(&v.open, it)
	}
}

// apply gives an item its kids and queues those that can be expanded further.
func (v *viewer) apply(it *item, kids []*item) {
	it.kids = kids
	v.shown[v.shape[it.node]] = it.node
	v.name(it)
	stack := []*item{it}
	for len(stack) > 0 {
		above := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], above.kids...)
		for _, k := range above.kids {
			k.depth = above.depth + 1
			v.wait(k)
		}
	}
}

// item returns the item of a node: a leaf, a group of leaves that needs one
// row, or a folded subtree.
func (v *viewer) item(id int) *item {
	if v.t.IsLeaf(id) {
		return &item{kind: kindLeaf, node: id, leaves: 1, head: fmt.Sprint(id)}
	}
	it := v.folded(id)
	if !v.o.full {
		v.nameTerminal(it)
	}
	return it
}

func (v *viewer) folded(id int) *item {
	it := &item{kind: kindFolded, node: id, leaves: int(v.size[id]), class: v.d.class(id)}
	it.head = count(it.leaves, "leaf", "leaves")
	return it
}

// nameTerminal turns a subtree that one line describes completely into an item
// without kids: an addition, a chain or a balanced combination of leaves only.
func (v *viewer) nameTerminal(it *item) {
	id := it.node
	kids := v.t.Children(id)
	switch {
	case v.levels[id] > 1:
		if ops := v.balanced(id); v.allLeaves(ops) {
			it.kind, it.head = kindPairwise, v.pairwiseHead(id, len(ops))
			it.detail = describeSet(ops)
		}
	case v.run[id] > 1:
		if start, ops := v.chain(id); v.t.IsLeaf(start) && v.allLeaves(ops) {
			it.kind, it.head = kindChain, v.chainHead(id, len(ops)+1)
			it.detail = Pattern(append([]int32{int32(start)}, ops...))
		}
	case v.allLeaves(kids) && len(kids) == 2:
		it.kind, it.head, it.detail = kindSum, fmt.Sprintf("%d + %d", kids[0], kids[1]), ""
	case v.allLeaves(kids):
		it.kind, it.head, it.detail = kindSum, fmt.Sprintf("sum of %d", len(kids)), Pattern(kids)
	}
}

func (v *viewer) chainHead(id, operands int) string {
	return nameChain(len(v.t.Children(id)), fmt.Sprint(v.run[id]), group(operands))
}

func (v *viewer) pairwiseHead(id, operands int) string {
	return namePairwise(len(v.t.Children(id)), operands)
}

// nameChain names a chain of sums of some arity.
func nameChain(arity int, sums, operands string) string {
	if arity > 2 {
		return fmt.Sprintf("chain of %s sums of %d", sums, arity)
	}
	return "chain of " + operands
}

// namePairwise names a balanced combination of operands.
func namePairwise(arity, operands int) string {
	if arity > 2 {
		return fmt.Sprintf("%d-ary tree of %s", arity, group(operands))
	}
	return "pairwise of " + group(operands)
}

// name names an item that is shown with its kids.
func (v *viewer) name(it *item) {
	id := it.node
	it.kind, it.head = kindSum, "+"
	if arity := len(v.t.Children(id)); arity > 2 {
		it.head = fmt.Sprint(arity)
	}
	if v.o.full {
		return
	}
	switch {
	case v.levels[id] > 1 && !v.isListed(id):
		it.kind, it.head = kindPairwise, v.pairwiseHead(id, len(v.balanced(id)))
	case v.run[id] > 1:
		_, ops := v.chain(id)
		it.kind, it.head = kindChain, v.chainHead(id, len(ops)+1)
	}
}

// isListed reports whether a balanced combination is small enough for every
// addition to be drawn.
func (v *viewer) isListed(id int) bool { return len(v.balanced(id)) <= v.o.explicit }

// expansion returns the kids of an item that is opened.
func (v *viewer) expansion(it *item) []*item {
	id := it.node
	switch {
	case v.o.full:
		return v.plain(id)
	case v.levels[id] > 1 && v.isListed(id):
		return v.combination(id, int(v.levels[id]), new(bool))
	case v.levels[id] > 1:
		ids := v.balanced(id)
		slices.SortFunc(ids, func(a, b int32) int { return int(v.low[a] - v.low[b]) })
		return v.group(ids)
	case v.run[id] > 1:
		start, ops := v.chain(id)
		if v.shape[start] == v.shape[ops[0]] {
			return v.group(append([]int32{int32(start)}, ops...))
		}
		return append([]*item{v.item(start)}, v.operands(id, ops)...)
	}
	return v.siblings(v.t.Children(id))
}

// operands shows the operands that a chain adds to its start.
func (v *viewer) operands(id int, ops []int32) []*item {
	if v.allLeaves(ops) {
		each := len(v.t.Children(id)) - 1
		detail := nameThen(decimals.pattern(ops), each)
		it := &item{
			kind:   kindLeaves,
			node:   int(ops[0]),
			leaves: len(ops),
			head:   headThen,
			detail: detail,
		}
		return []*item{it}
	}
	return v.siblings(ops)
}

// plain returns the operands of a node, nothing folded.
func (v *viewer) plain(id int) []*item {
	var items []*item
	for _, c := range v.t.Children(id) {
		items = append(items, v.item(int(c)))
	}
	return items
}

// siblings shows operands, with those alike folded.
func (v *viewer) siblings(ids []int32) []*item {
	var items []*item
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && v.shape[ids[n]] == v.shape[ids[0]] {
			n++
		}
		switch {
		case !v.t.IsLeaf(int(ids[0])):
			items = append(items, v.group(ids[:n])...)
		case n > 2:
			items = append(items, &item{
				kind: kindLeaves, node: int(ids[0]), leaves: n,
				head: "leaves", detail: Pattern(ids[:n]),
			})
		default:
			for _, id := range ids[:n] {
				items = append(items, v.item(int(id)))
			}
		}
		ids = ids[n:]
	}
	return items
}

// group shows subtrees that are alike: the first, and how many more.
func (v *viewer) group(ids []int32) []*item {
	first := v.item(int(ids[0]))
	if len(ids) == 1 {
		return []*item{first}
	}
	items := []*item{first}
	if len(ids) > v.o.explicit {
		return append(items, v.alike(ids))
	}
	for _, id := range ids[1:] {
		items = append(items, v.likeFirst(first, ids[0], id))
	}
	return items
}

// likeFirst shows a subtree that is like one already shown. It shows the
// subtree itself where that takes no more room.
func (v *viewer) likeFirst(first *item, firstID, id int32) *item {
	if first.kind != kindFolded {
		return v.item(int(id))
	}
	return v.alike([]int32{firstID, id})
}

// alike returns the item for ids[1:], which are shifts of ids[0].
func (v *viewer) alike(ids []int32) *item {
	it := &item{
		kind:   kindAlike,
		node:   int(ids[1]),
		count:  len(ids) - 1,
		class:  v.d.class(int(ids[1])),
		leaves: (len(ids) - 1) * int(v.size[ids[0]]),
	}
	if len(ids) == 2 {
		it.head, it.detail = "alike", describeSet(v.leavesOf(int(ids[1])))
		return it
	}
	it.head, it.detail = v.nameAlike(ids)
	return it
}

// nameAlike names ids[1:], three or more nodes in all, which are shifts of
// ids[0].
func (f *folds) nameAlike(ids []int32) (head, detail string) {
	shifts := make([]string, 0, 3)
	for i, id := range ids[1:] {
		if i < 2 || i == len(ids)-2 {
			shifts = append(shifts, signedShift(f.low[id]-f.low[ids[0]]))
		}
	}
	head = fmt.Sprintf("×%s alike", group(len(ids)-1))
	detail = "leaves " + strings.Join(shifts[:len(shifts)-1], ", ")
	if len(ids) > 4 {
		detail += " …"
	} else {
		detail += ","
	}
	return head, detail + " " + shifts[len(shifts)-1]
}

// headThen heads the leaves that a chain adds to its start.
const headThen = "then"

// nameThen describes these leaves, which are added each at a time.
func nameThen(leaves string, each int) string {
	if each > 1 {
		leaves += fmt.Sprintf(", %d at a time", each)
	}
	return leaves
}

func signedShift(s int32) string {
	if s > 0 {
		return "+" + signed(s)
	}
	return signed(s)
}

// combination shows a balanced combination with every addition. It recurses
// once a level, and listed combinations have few.
func (v *viewer) combination(id, levels int, seen *bool) []*item {
	kids := v.t.Children(id)
	items := make([]*item, 0, len(kids))
	for _, c := range kids {
		switch {
		case levels > 1:
			it := v.folded(int(c))
			it.kids = v.combination(int(c), levels-1, seen)
			v.name(it)
			items = append(items, it)
		case !*seen:
			*seen = true
			items = append(items, v.item(int(c)))
		default:
			like := v.item(int(c))
			if like.kind == kindFolded {
				like = v.alike([]int32{c, c})
			}
			items = append(items, like)
		}
	}
	return items
}

// countRows returns the number of items without kids.
func countRows(items []*item) int {
	rows := 0
	stack := append([]*item(nil), items...)
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], it.kids...)
		if len(it.kids) == 0 {
			rows++
		}
	}
	return rows
}

// itemHeap has the item of the most leaves on top; ties go to the lower node.
type itemHeap []*item

func (h itemHeap) Len() int { return len(h) }
func (h itemHeap) Less(i, j int) bool {
	if h[i].leaves != h[j].leaves {
		return h[i].leaves > h[j].leaves
	}
	return h[i].node < h[j].node
}
func (h itemHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *itemHeap) Push(x any)   { *h = append(*h, x.(*item)) }
func (h *itemHeap) Pop() any {
	old := *h
	it := old[len(old)-1]
	*h = old[:len(old)-1]
	return it
}
