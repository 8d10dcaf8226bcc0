package report

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/sumtree"
)

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
	dotEdge = regexp.MustCompile(`^\t(s?\d+) -> s(\d+);$`)
	dotNode = regexp.MustCompile(
		`^\t(?:s\d+|graph|node|edge) \[(?:[a-z]+=(?:"(?:[^"\\]|\\.)*"|[\w.]+)(?:, )?)+\];$|^\t0;$`)
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
