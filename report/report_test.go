package report

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it anew); got\n%s", path, got)
	}
}

func each(t *testing.T, f func(t *testing.T, d Drawing)) {
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		t.Run(name, func(t *testing.T) { f(t, g[name]) })
	}
}

func TestGoldenText(t *testing.T) {
	var all bytes.Buffer
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if err := Text(&all, g[name]); err != nil {
			t.Fatal(err)
		}
		all.WriteString("\n")
	}
	golden(t, "trees.txt", all.Bytes())
}

func TestGoldenPictures(t *testing.T) {
	for _, name := range []string{"numpy32", "numpy1024", "dot1000", "fused9"} {
		var svg, dot bytes.Buffer
		d := gallery()[name]
		if err := errors.Join(SVG(&svg, d), DOT(&dot, d)); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".svg", svg.Bytes())
		if d.Tree.Leaves() <= 32 {
			golden(t, name+".dot", dot.Bytes())
		}
	}
}

// TestEveryLeafOnce holds for the items of every drawing: those without kids
// stand for each leaf of the tree exactly once, and an item's number is that of
// its kids.
func TestEveryLeafOnce(t *testing.T) {
	options := map[string]viewOptions{
		"text": {rows: textRows, explicit: 2}, "svg": {rows: svgRows, explicit: svgExplicit},
		"narrow": {rows: 3, explicit: 4}, "full": {full: true},
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
			t.Errorf("%s: item %q of node %d has %d leaves, its kids %d, the node %d", name, it.line(), it.node, it.leaves, sum, f.size[it.node])
		}
	}
	if total != f.t.Leaves() {
		t.Errorf("%s: the items stand for %d of %d leaves", name, total, f.t.Leaves())
	}
}

func TestEveryLeafOnceRandom(t *testing.T) {
	for seed := range uint64(300) {
		n := 1 + int(seed*7)%190
		d := Drawing{Tree: randomTree(n, seed, 2+int(seed%4))}
		f := newFolds(&d)
		for _, o := range []viewOptions{{rows: textRows, explicit: 2}, {rows: 8, explicit: svgExplicit}, {full: true}} {
			checkItems(t, "seed "+strconv.Itoa(int(seed)), f, f.view(o))
		}
	}
}

// TestFoldsAreTrue compares what folds claims with the tree: nodes of one shape
// are shifts of one another, chains have operands of one shape, and balanced
// combinations too.
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

func TestTextIsShort(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		var b bytes.Buffer
		if err := Tree(&b, d); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n < 1 || n > 40 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestSVGIsWellFormed(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		d.Title += ` <&"'>`
		var b bytes.Buffer
		if err := SVG(&b, d); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 100_000 {
			t.Errorf("%d bytes", b.Len())
		}
		wellFormed(t, b.Bytes())
		if regexp.MustCompile(`NaN|Inf|="-`).Match(b.Bytes()) {
			t.Error("a coordinate is not a number or off the page")
		}
	})
}

func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(doc))
	dec.Entity = xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullPictureHasEveryLeaf counts the leaf numbers and additions of small
// pictures.
func TestFullPictureHasEveryLeaf(t *testing.T) {
	for _, tree := range []*sumtree.Tree{chainTree(1), chainTree(64), pairwiseTree(64), fusedTree(64, 16), randomTree(63, 5, 4)} {
		var b bytes.Buffer
		if err := SVG(&b, Drawing{Tree: tree}); err != nil {
			t.Fatal(err)
		}
		for leaf := range tree.Leaves() {
			if n := strings.Count(b.String(), `">`+strconv.Itoa(leaf)+`</text>`); n < 1 {
				t.Errorf("leaf %d of %d is missing", leaf, tree.Leaves())
			}
		}
		if n := strings.Count(b.String(), "<circle"); n != tree.Inner() {
			t.Errorf("%d discs for %d inner nodes", n, tree.Inner())
		}
	}
}

// TestDOT reads the graph back into a tree.
func TestDOT(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		d.Title += ` "quoted" \back`
		var b bytes.Buffer
		if err := DOT(&b, d); err != nil {
			t.Fatal(err)
		}
		if got := parseDOT(t, b.String(), d.Tree.Leaves()); !got.Equal(d.Tree) {
			t.Errorf("the graph is another tree")
		}
	})
}

var (
	dotEdge  = regexp.MustCompile(`^\t(s?\d+) -> s(\d+);$`)
	dotNode  = regexp.MustCompile(`^\t(?:s\d+|graph|node|edge) \[(?:[a-z]+=(?:"(?:[^"\\]|\\.)*"|[\w.]+)(?:, )?)+\];$|^\t0;$`)
	dotFrame = regexp.MustCompile(`^(digraph \w+ \{|\})$`)
)

func parseDOT(t *testing.T, text string, n int) *sumtree.Tree {
	t.Helper()
	kids := map[int][]int{}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		m := dotEdge.FindStringSubmatch(line)
		if m == nil {
			if !dotNode.MatchString(line) && !dotFrame.MatchString(line) {
				t.Fatalf("no DOT: %q", line)
			}
			continue
		}
		from, _ := strconv.Atoi(strings.TrimPrefix(m[1], "s"))
		to, _ := strconv.Atoi(m[2])
		kids[to] = append(kids[to], from)
	}
	b := sumtree.NewBuilder(n)
	for id := n; id < n+len(kids); id++ {
		b.Node(kids[id]...)
	}
	tree, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestHTML(t *testing.T) {
	var all []Drawing
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		all = append(all, g[name])
	}
	all = append(all, Drawing{Title: "<script>alert(1)</script>", Verdict: "nondeterministic", Warnings: []string{"</section>"}})
	for _, ds := range [][]Drawing{nil, all[:1], all} {
		var b bytes.Buffer
		if err := HTML(&b, Page{Drawings: ds}); err != nil {
			t.Fatal(err)
		}
		page := b.Bytes()
		if m := regexp.MustCompile(`(?i)@import|url\(|src=|<(iframe|object|embed|base)\b|\bfetch\(|XMLHttpRequest|importScripts|WebSocket`).Find(page); m != nil {
			t.Errorf("the page loads something: %q", m)
		}
		for _, u := range regexp.MustCompile(`https?://[^"'\s<]*`).FindAll(page, -1) {
			if string(u) != "http://www.w3.org/2000/svg" {
				t.Errorf("the page names %s", u)
			}
		}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllSubmatch(page, -1) {
			if h := string(m[1]); !strings.HasPrefix(h, "#") && h != "data:," {
				t.Errorf("the page links to %s", h)
			}
		}
		if n := bytes.Count(page, []byte(`<section class="finding"`)); n != len(ds) {
			t.Errorf("%d sections for %d drawings", n, len(ds))
		}
		script := regexp.MustCompile(`(?s)<script>.*?</script>`)
		if n := len(script.FindAll(page, -1)); n > 1 || n == 1 && len(ds) == 0 {
			t.Errorf("%d scripts", n)
		}
		wellFormed(t, script.ReplaceAll(page, nil))
	}
}

// TestEncode reads what travels in the page back into a tree.
func TestEncode(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		b := newFolds(&d).encode()
		if limit := 16*d.Tree.Leaves() + 16; len(b) > limit {
			t.Errorf("%d bytes, more than %d", len(b), limit)
		}
		r := bytes.NewReader(b)
		next := func() int {
			v, err := binary.ReadUvarint(r)
			if err != nil {
				t.Fatal(err)
			}
			return int(v)
		}
		builder := sumtree.NewBuilder(next())
		inner := next()
		var stack []int
		for leaf := 0; r.Len() > 0; {
			arity := next()
			if arity == 0 {
				delta, err := binary.ReadVarint(r)
				if err != nil {
					t.Fatal(err)
				}
				leaf += int(delta)
				stack = append(stack, leaf)
				continue
			}
			_, _ = next(), next()
			if next() > 0 && next() >= arity {
				t.Fatal("a chain runs along an operand that is not there")
			}
			next()
			id := builder.Node(stack[len(stack)-arity:]...)
			stack = append(stack[:len(stack)-arity], id)
		}
		if tree := builder.MustTree(); !tree.Equal(d.Tree) || tree.Inner() != inner {
			t.Error("another tree came back")
		}
	})
}

func TestPattern(t *testing.T) {
	blocks := func(width, period, n int) (v []int32) {
		for i := range n {
			for j := range width {
				v = append(v, int32(i*period+j))
			}
		}
		return v
	}
	for _, c := range []struct {
		leaves []int32
		want   string
	}{
		{nil, "none"},
		{[]int32{5}, "5"},
		{[]int32{0, 1}, "0, 1"},
		{[]int32{0, 1, 2}, "0–2"},
		{blocks(128, 0, 1), "0–127"},
		{[]int32{3, 2, 1, 0}, "3–0 (backwards)"},
		{[]int32{0, 8, 16, 24}, "0, 8, 16, 24 (stride 8)"},
		{[]int32{0, 8, 16, 24, 32}, "0, 8, 16 … 32 (stride 8)"},
		{[]int32{40, 30, 20, 10, 0}, "40, 30, 20 … 0 (stride −10)"},
		{blocks(8, 32, 4), "0–7, 32–39 … 96–103 (8 of every 32)"},
		{[]int32{0, 1, 2, 3, 9, 10, 11}, "0–3, 9–11"},
		{[]int32{1, 4, 7, 9}, "1, 4, 7, 9"},
		{[]int32{3, 17, 21, 29, 290}, "3, 17, 21 … 290 (5 leaves)"},
	} {
		if got := Pattern(c.leaves); got != c.want {
			t.Errorf("Pattern(%v) = %q, want %q", c.leaves, got, c.want)
		}
	}
}

func TestLeafSet(t *testing.T) {
	tree := reverseTree(20)
	if got := LeafSet(tree, tree.Root()); got != "0–19" {
		t.Errorf("all leaves: %q", got)
	}
	if got := LeafSet(tree, 7); got != "7" {
		t.Errorf("one leaf: %q", got)
	}
	tree = pairwiseTree(1024)
	way := int(tree.Parents()[120])
	if got := LeafSet(tree, way); got != "0, 8, 16 … 120 (stride 8)" {
		t.Errorf("a way of np.sum: %q", got)
	}
}

func TestBadDrawings(t *testing.T) {
	tree := chainTree(3)
	for name, d := range map[string]Drawing{
		"too few classes":     {Tree: tree, Class: []int{0}, Classes: []string{"a"}},
		"nameless class":      {Tree: tree, Class: []int{0, 1}, Classes: []string{"a"}},
		"negative class":      {Tree: tree, Class: []int{0, -1}, Classes: []string{"a"}},
		"classes and no tree": {Class: []int{0}, Classes: []string{"a"}},
	} {
		for _, f := range []func(io.Writer, Drawing) error{Text, Tree, SVG, DOT, func(w io.Writer, d Drawing) error { return HTML(w, Page{Drawings: []Drawing{d}}) }} {
			var fault *probe.Fault
			if err := f(io.Discard, d); !errors.As(err, &fault) || fault.ID != "bad-drawing" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestWriteErrors holds that an error of the writer comes back.
func TestWriteErrors(t *testing.T) {
	d := gallery()["numpy1024"]
	for name, f := range map[string]func(io.Writer) error{
		"Text": func(w io.Writer) error { return Text(w, d) }, "Tree": func(w io.Writer) error { return Tree(w, d) },
		"SVG": func(w io.Writer) error { return SVG(w, d) }, "DOT": func(w io.Writer) error { return DOT(w, d) },
		"HTML":     func(w io.Writer) error { return HTML(w, Page{Drawings: []Drawing{d}}) },
		"CellText": func(w io.Writer) error { return CellText(w, tiles(1, 1, 1, 1)) },
		"CellSVG":  func(w io.Writer) error { return CellSVG(w, tiles(1, 1, 1, 1)) },
	} {
		if err := f(failing{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errFull = errors.New("disk full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// TestMillion draws a tree of a million leaves of three shapes.
func TestMillion(t *testing.T) {
	for _, tree := range []*sumtree.Tree{pairwiseTree(1 << 20), chainTree(1 << 20), randomTree(1<<20, 9, 2)} {
		var b bytes.Buffer
		if err := SVG(&b, Drawing{Tree: tree}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 100_000 {
			t.Errorf("%d bytes", b.Len())
		}
	}
}
