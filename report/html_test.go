package report

import (
	"bytes"
	"encoding/binary"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/sumtree"
)

func TestHTML(t *testing.T) {
	var all []Drawing
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		all = append(all, g[name])
	}
	all = append(
		all,
		Drawing{
			Title:    "<script>alert(1)</script>",
			Verdict:  "nondeterministic",
			Warnings: []string{"</section>"},
		},
	)
	for _, ds := range [][]Drawing{nil, all[:1], all} {
		var b bytes.Buffer
		if err := HTML(&b, Page{Drawings: ds}); err != nil {
			t.Fatal(err)
		}
		page := b.Bytes()
		loads := regexp.MustCompile(`(?i)@import|url\(|src=|<(iframe|object|embed|base)\b|` +
			`\bfetch\(|XMLHttpRequest|importScripts|WebSocket`)
		if m := loads.Find(page); m != nil {
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
		if n := len(script.FindAll(page, -1)); n != 1 {
			t.Errorf("%d scripts", n)
		}
		wellFormed(t, script.ReplaceAll(page, nil))
	}
}

// TestEncode reads the tree back from the page's encoding.
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
