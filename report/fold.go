package report

import (
	"encoding/binary"

	"github.com/lastbit/lastbit/sumtree"
)

// folds holds the regular parts of a tree.
type folds struct {
	d     *Drawing
	t     *sumtree.Tree
	size  []int32
	high  []int32
	low   []int32 // smallest leaf under a node
	order []int32 // leaves in the order of a walk
	lo    []int32 // node id covers order[lo[id]:hi[id]]
	hi    []int32

	// shape numbers the shapes: two nodes have the same one exactly when a
	// shift of all leaf numbers turns one into the other, classes included.
	shape []int32
	// levels[v] counts the levels of the balanced combination that begins at v:
	// all its operands are alike, and theirs, and so on.
	levels []int32
	// run[v] counts the additions of the chain that begins at v, and link[v] is
	// the index of the operand that continues it. Both are 0 outside of chains.
	run  []int32
	link []int32
}

func newFolds(d *Drawing) *folds {
	t := d.Tree
	f := &folds{d: d, t: t, size: t.Sizes(), high: t.Heights(), low: t.MinLeaves()}
	f.order, f.lo, f.hi = t.LeafOrder()
	f.findShapes()
	f.findLevels()
	f.findRuns()
	return f
}

// leavesOf returns the leaves under a node, in the order of a walk.
func (f *folds) leavesOf(id int) []int32 { return f.order[f.lo[id]:f.hi[id]] }

func (f *folds) findShapes() {
	type pair struct{ a, b, shift, class int32 }
	pairs, wide := map[pair]int32{}, map[string]int32{}
	f.shape = make([]int32, f.t.Nodes()) // 0 is the shape of a leaf
	next := int32(1)
	var buf []byte
	for v := f.t.Leaves(); v < f.t.Nodes(); v++ {
		kids, class := f.t.Children(v), int32(f.d.class(v))
		var id int32
		if len(kids) == 2 {
			k := pair{f.shape[kids[0]], f.shape[kids[1]], f.low[kids[1]] - f.low[kids[0]], class}
			if id = pairs[k]; id == 0 {
				id, pairs[k] = next, next
			}
		} else {
			buf = binary.AppendVarint(buf[:0], int64(class))
			for _, c := range kids {
				buf = binary.AppendVarint(buf, int64(f.shape[c]))
				buf = binary.AppendVarint(buf, int64(f.low[c]-f.low[kids[0]]))
			}
			if id = wide[string(buf)]; id == 0 {
				id = next
				wide[string(buf)] = id
			}
		}
		if id == next {
			next++
		}
		f.shape[v] = id
	}
}

// findLevels fills levels. A level joins the one below it only where both split
// their leaves in the same way, into ranges or interleaved: np.sum of 1024 is 8
// blocks of 8 ways, and not 64 of either.
func (f *folds) findLevels() {
	f.levels = make([]int32, f.t.Nodes())
	top := make([]int32, f.t.Nodes()) // largest leaf under a node
	ranges := make([]bool, f.t.Nodes())
	for v := range f.t.Nodes() {
		if f.t.IsLeaf(v) {
			top[v] = int32(v)
			continue
		}
		kids := f.t.Children(v)
		alike := true
		ranges[v] = true
		for i, c := range kids {
			alike = alike && f.shape[c] == f.shape[kids[0]]
			if i > 0 && f.low[c] < top[v] {
				ranges[v] = false
			}
			top[v] = max(top[v], top[c])
		}
		if !alike {
			continue
		}
		f.levels[v] = 1
		c := int(kids[0])
		if f.levels[c] > 0 && ranges[c] == ranges[v] && len(f.t.Children(c)) == len(kids) &&
			f.d.class(c) == f.d.class(v) {
			f.levels[v] += f.levels[c]
		}
	}
}

// runOption is a possible continuation of a chain: along one operand, while
// rest is the hash of the shapes of the others.
type runOption struct {
	rest  uint64
	child int32 // index of the operand
	steps int32 // additions of this chain from here on
}

// findRuns finds the longest chains, top down: a chain is a path of additions
// whose other operands are alike at every step.
func (f *folds) findRuns() {
	n := f.t.Leaves()
	options := make([][]runOption, f.t.Inner())
	store := make([]runOption, 0, 2*f.t.Inner())
	for v := n; v < f.t.Nodes(); v++ {
		from := len(store)
		store = f.appendOptions(store, options, v)
		options[v-n] = store[from:len(store):len(store)]
	}
	f.run, f.link = make([]int32, f.t.Nodes()), make([]int32, f.t.Nodes())
	for v := f.t.Root(); v >= n; v-- {
		if f.run[v] > 0 || f.levels[v] > 1 {
			continue
		}
		var best runOption
		for _, o := range options[v-n] {
			if o.steps > best.steps {
				best = o
			}
		}
		if best.steps < 2 {
			continue
		}
		for u, o := v, best; ; {
			f.run[u], f.link[u] = o.steps, o.child
			if o.steps == 1 {
				break
			}
			u = int(f.t.Children(u)[o.child])
			o, _ = findOption(options[u-n], o.rest)
		}
	}
}

func (f *folds) appendOptions(store []runOption, options [][]runOption, v int) []runOption {
	kids := f.t.Children(v)
	var all uint64
	for _, c := range kids {
		all += mix(f.shape[c])
	}
	from := len(store)
	for i, c := range kids {
		o := runOption{rest: all - mix(f.shape[c]), child: int32(i), steps: 1}
		if !f.t.IsLeaf(int(c)) && len(f.t.Children(int(c))) == len(kids) &&
			f.d.class(int(c)) == f.d.class(v) {
			if below, ok := findOption(options[int(c)-f.t.Leaves()], o.rest); ok {
				o.steps += below.steps
			}
		}
		if _, known := findOption(store[from:], o.rest); !known && len(store)-from < maxOptions {
			store = append(store, o)
		}
	}
	return store
}

// maxOptions bounds the work at a node of many unlike operands. Such a node is
// on no chain worth a name.
const maxOptions = 16

func findOption(options []runOption, rest uint64) (runOption, bool) {
	for _, o := range options {
		if o.rest == rest {
			return o, true
		}
	}
	return runOption{}, false
}

// mix is the finaliser of SplitMix64: sums of it distinguish multisets of
// shapes.
func mix(shape int32) uint64 {
	z := uint64(shape)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// chain returns the start of the chain at v, and its other operands in the
// order they are added.
func (f *folds) chain(v int) (start int, operands []int32) {
	steps := int(f.run[v])
	nodes := make([]int, steps)
	for i := range steps {
		nodes[i] = v
		v = int(f.t.Children(v)[f.link[v]])
	}
	start = v
	for i := steps - 1; i >= 0; i-- {
		u := nodes[i]
		for j, c := range f.t.Children(u) {
			if j != int(f.link[u]) {
				operands = append(operands, c)
			}
		}
	}
	// The first two summands commute: order them so that the sequence runs on.
	if !f.t.IsLeaf(start) || len(operands) < 2 || len(f.t.Children(nodes[0])) > 2 {
		return start, operands
	}
	first := int(operands[0])
	if f.t.IsLeaf(first) && int(operands[1]) < min(start, first) && start < first {
		start, operands[0] = first, int32(start)
	}
	return start, operands
}

// balanced returns the operands of the balanced combination at v, in order.
func (f *folds) balanced(v int) []int32 {
	items := []int32{int32(v)}
	for range f.levels[v] {
		var next []int32
		for _, u := range items {
			next = append(next, f.t.Children(int(u))...)
		}
		items = next
	}
	return items
}

// allLeaves reports whether all nodes are leaves.
func (f *folds) allLeaves(ids []int32) bool {
	for _, id := range ids {
		if !f.t.IsLeaf(int(id)) {
			return false
		}
	}
	return true
}
