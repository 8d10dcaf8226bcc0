package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// DOT writes every node of the tree for Graphviz, without folding. Leaf 7 is
// named 7 and inner node 7 is named s7; an edge leads from each operand to its
// sum. A drawing without a tree is an empty graph. It returns the errors that
// SVG does. Cost: linear.
func DOT(w io.Writer, d Drawing) error {
	if err := d.check(); err != nil {
		return err
	}
	bw := bufio.NewWriter(w)
	fmt.Fprintln(bw, "digraph summation {")
	fmt.Fprintf(bw, "\tgraph [label=%s, labelloc=t, rankdir=BT, ordering=in];\n",
		quote(d.title()+"\n"+strings.Join(d.facts(), " · ")))
	fmt.Fprintln(bw, "\tnode [shape=plaintext, height=0.2, width=0.2, fontsize=11];")
	fmt.Fprintln(bw, "\tedge [arrowhead=none];")
	if d.Tree != nil {
		d.dotNodes(bw)
	}
	fmt.Fprintln(bw, "}")
	return bw.Flush()
}

func (d *Drawing) dotNodes(w io.Writer) {
	t := d.Tree
	name := func(id int) string {
		if t.IsLeaf(id) {
			return fmt.Sprint(id)
		}
		return fmt.Sprintf("s%d", id)
	}
	if t.Inner() == 0 {
		fmt.Fprintln(w, "\t0;")
	}
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		label := "+"
		if len(kids) > 2 {
			label = fmt.Sprint(len(kids))
		}
		fmt.Fprintf(w, "\ts%d [shape=circle, label=%s", id, quote(label))
		if len(d.Classes) > 1 {
			c := d.class(id)
			fmt.Fprintf(w, `, color="%s", tooltip=%s`, dotColors[c%palette], quote(d.Classes[c]))
		}
		fmt.Fprintln(w, "];")
		for _, c := range kids {
			fmt.Fprintf(w, "\t%s -> s%d;\n", name(int(c)), id)
		}
	}
}

// dotColors are the light page's colours of the classes.
var dotColors = [palette]string{"#2f6f9f", "#b4540a", "#2c7a5b", "#8f4a86", "#8a6d00", "#6b6f76"}

// quote returns the Graphviz string that shows s.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
