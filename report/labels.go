package report

import (
	"encoding/json"
	"slices"
	"strconv"
)

// A label holds the viewer's texts for the nodes of one shape. They are
// templates, since the nodes differ in a shift of their leaves:
//
//	{7}  the smallest leaf under the node, plus 7
//	{^}  the largest leaf
//	{n}  the number of leaves, with its noun
//	{r}  the operands of the chain that begins at the node
//	{m}  the sums of that chain
//
// The script fills these in and has no words of its own.
type label struct {
	Head   string // the node, folded: "chain of {r}"
	Detail string // its leaves, in the order it adds them
	Set    string // its leaves, sorted
	Rest   string // after the first operand of a group: "×7 alike"
	More   string // the leaves of that
}

// unlabelled is the label of shapes that were too many, or too large, to be
// described.
var unlabelled = label{Head: "{n}", Detail: "from {0} to {^}", Set: "from {0} to {^}"}

// Bounds of the work for the labels of one tree, and of their room on the page:
// the leaves looked at, and the different labels. Nodes near the root come
// first.
const (
	maxLabelWork = 1 << 23
	maxLabels    = 1 << 13
)

// labels returns the different labels of a tree, unlabelled first, and for
// every shape the number of its label.
func (f *folds) labels() (all []label, of []int) {
	of = make([]int, slices.Max(f.shape)+1)
	all = []label{unlabelled}
	number := map[label]int{unlabelled: 0}
	done := make([]bool, len(of))
	work := 0
	for v := f.t.Root(); v >= f.t.Leaves(); v-- {
		if done[f.shape[v]] || work+int(f.size[v]) > maxLabelWork {
			continue
		}
		work += int(f.size[v])
		l := f.label(v)
		n, ok := number[l]
		if !ok {
			if len(all) == maxLabels {
				continue
			}
			n = len(all)
			number[l], all = n, append(all, l)
		}
		for u := v; ; u = int(f.t.Children(u)[f.link[u]]) {
			of[f.shape[u]], done[f.shape[u]] = n, true
			if !f.endless(v) || f.run[u] <= 8 {
				break
			}
		}
	}
	return all, of
}

// endless reports whether v begins a chain of leaves in arithmetic progression.
// All its longer parts have the label of the whole.
func (f *folds) endless(v int) bool {
	if f.run[v] <= 8 || f.levels[v] > 1 || len(f.t.Children(v)) != 2 {
		return false
	}
	start, ops := f.chain(v)
	if !f.t.IsLeaf(start) || !f.allLeaves(ops) {
		return false
	}
	_, ok := commonDifference(append([]int32{int32(start)}, ops...))
	return ok
}

// label describes node v.
func (f *folds) label(v int) label {
	w := f.templates(v)
	l := label{Head: "{n}", Set: w.set(f.leavesOf(v))}
	l.Detail = l.Set
	kids := f.t.Children(v)
	switch {
	case f.levels[v] > 1:
		ops := f.balanced(v)
		slices.SortFunc(ops, func(a, b int32) int { return int(f.low[a] - f.low[b]) })
		l.Head = namePairwise(len(kids), len(ops))
		l.Rest, l.More = f.nameRest(ops)
	case f.run[v] > 1:
		f.labelChain(&l, v, w)
	case f.allLeaves(kids) && len(kids) == 2:
		l.Head, l.Detail = w.leaf(kids[0])+" + "+w.leaf(kids[1]), ""
	case f.allLeaves(kids):
		l.Head, l.Detail = "sum of "+strconv.Itoa(len(kids)), w.pattern(kids)
	}
	return l
}

// labelChain describes node v, which begins a chain.
func (f *folds) labelChain(l *label, v int, w namer) {
	arity := len(f.t.Children(v))
	start, ops := f.chain(v)
	first := int32(start)
	l.Head = nameChain(arity, "{m}", "{r}")
	switch leaves := f.allLeaves(ops); {
	case leaves && f.t.IsLeaf(start):
		l.Detail = w.pattern(append([]int32{first}, ops...))
	case leaves:
		l.Rest, l.More = headThen, nameThen(w.pattern(ops), arity-1)
	case f.shape[start] == f.shape[ops[0]]:
		l.Rest, l.More = f.nameRest(append([]int32{first}, ops...))
	default:
		l.Rest, l.More = f.nameRest(ops)
	}
}

// nameRest names ids[1:], if they are several.
func (f *folds) nameRest(ids []int32) (head, detail string) {
	if len(ids) < 3 {
		return "", ""
	}
	return f.nameAlike(ids)
}

// templates writes the leaves under v as placeholders.
func (f *folds) templates(v int) namer {
	low := f.low[v]
	high := slices.Max(f.leavesOf(v))
	return namer{
		leaf: func(leaf int32) string {
			if leaf == high {
				return "{^}"
			}
			return "{" + strconv.Itoa(int(leaf-low)) + "}"
		},
		size: func(n int) string {
			if n == int(f.size[v]) {
				return "{n}"
			}
			return decimals.size(n)
		},
	}
}

// encodeLabels writes the labels as JSON: the texts, five for each label by
// their numbers, and for runs of shapes how many have which label.
func (f *folds) encodeLabels() (string, error) {
	all, of := f.labels()
	data := struct {
		Texts  []string `json:"texts"`
		Labels []int    `json:"labels"`
		Runs   []int    `json:"runs"`
	}{}
	number := map[string]int{}
	for _, l := range all {
		for _, s := range []string{l.Head, l.Detail, l.Set, l.Rest, l.More} {
			n, ok := number[s]
			if !ok {
				n = len(data.Texts)
				number[s], data.Texts = n, append(data.Texts, s)
			}
			data.Labels = append(data.Labels, n)
		}
	}
	for i, n := range of {
		if i > 0 && n == of[i-1] {
			data.Runs[len(data.Runs)-2]++
			continue
		}
		data.Runs = append(data.Runs, 1, n)
	}
	b, err := json.Marshal(data)
	return string(b), err
}
