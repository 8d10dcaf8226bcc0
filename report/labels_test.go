package report

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
)

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// fill replaces the placeholders of a template for node v, as the script does.
func fill(f *folds, v int, template string) string {
	return placeholder.ReplaceAllStringFunc(template, func(s string) string {
		switch s {
		case "{^}":
			return strconv.Itoa(int(slices.Max(f.leavesOf(v))))
		case "{n}":
			return decimals.size(int(f.size[v]))
		case "{r}":
			return group(int(f.run[v]) + 1)
		case "{m}":
			return strconv.Itoa(int(f.run[v]))
		}
		shift, err := strconv.Atoi(s[1 : len(s)-1])
		if err != nil {
			return "bad placeholder " + s
		}
		return strconv.Itoa(int(f.low[v]) + shift)
	})
}

// TestLabels checks that the label of a shape, filled in for any of its nodes,
// is the text of that node in a drawing.
func TestLabels(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		f := newFolds(&d)
		all, of := f.labels()
		view := &viewer{folds: f}
		look := 1 << 22
		for v := f.t.Root(); v >= f.t.Leaves() && look > 0; v-- {
			look -= int(f.size[v])
			l := all[of[f.shape[v]]]
			if l == unlabelled {
				continue
			}
			if got, want := fill(f, v, l.Set), describeSet(f.leavesOf(v)); got != want {
				t.Fatalf("node %d: the set is %q, not %q", v, got, want)
			}
			it := view.folded(v)
			view.nameTerminal(it)
			if it.kind == kindFolded {
				continue
			}
			if head, detail := fill(f, v, l.Head), fill(f, v, l.Detail); head != it.head ||
				detail != it.detail {
				t.Fatalf("node %d is %q, %q, not %q, %q", v, head, detail, it.head, it.detail)
			}
		}
	})
}

// TestRestLabels compares the text after the first operand of a group with the
// drawings in text.
func TestRestLabels(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		f := newFolds(&d)
		all, of := f.labels()
		stack := []*item{f.view(viewOptions{maxRows: maxTextRows, explicit: 1})}
		for len(stack) > 0 {
			it := stack[len(stack)-1]
			stack = append(stack[:len(stack)-1], it.kids...)
			l := all[of[f.shape[it.node]]]
			for _, k := range it.kids {
				several := k.kind == kindAlike && k.count > 1 ||
					k.kind == kindLeaves && k.head == headThen
				if it.kind != kindChain && it.kind != kindPairwise || !several {
					continue
				}
				rest, more := fill(f, it.node, l.Rest), fill(f, it.node, l.More)
				if rest != k.head || more != k.detail {
					t.Errorf("after node %d: %q, %q, not %q, %q",
						it.node, rest, more, k.head, k.detail)
				}
			}
		}
	})
}
