package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxTextRows bounds the items without kids of a drawing in text. With the
// items above them they fit one screen.
const maxTextRows = 20

// maxTextDepth bounds the levels of a drawing in text: two rounds of a loop
// whose body is a tree of eight summands.
const maxTextDepth = 7

// Text writes a finding for a terminal: its facts, the meaning of verdict and
// family, traits, warnings and witness, then its tree as by Tree. It fails when
// w does, and with a *probe.Fault of ID bad-drawing when the drawing
// contradicts itself.
func Text(w io.Writer, d Drawing) error {
	if err := d.check(); err != nil {
		return err
	}
	bw := bufio.NewWriter(w)
	fmt.Fprintln(bw, d.title())
	if k := d.keyLine(); k != "" {
		fmt.Fprintln(bw, k)
	}
	fmt.Fprintln(bw, strings.Join(d.facts(), " · "))
	writeRows(bw, d.meanings())
	writeRows(bw, d.Traits)
	for _, s := range d.Warnings {
		fmt.Fprintf(bw, "! %s\n", s)
	}
	if d.Witness != nil {
		fmt.Fprintln(bw, d.Witness.What)
		writeRows(bw, d.Witness.Values)
	}
	if d.Tree != nil {
		fmt.Fprintln(bw)
		d.writeTree(bw)
	}
	return bw.Flush()
}

// writeRows writes names and values in two columns.
func writeRows(w io.Writer, rows []Trait) {
	width := 0
	for _, t := range rows {
		width = max(width, utf8.RuneCountInString(t.Name))
	}
	for _, t := range rows {
		fmt.Fprintf(w, "  %-*s  %s\n", width, t.Name, t.Value)
	}
}

// Tree writes the summation tree, of any size, as an outline of at most about
// 40 lines:
//
//	pairwise of 8: 0–1023
//	├─ pairwise of 8: 0–127
//	│  ├─ chain of 16: 0, 8, 16 … 120 (stride 8)
//	│  └─ ×7 alike: leaves +1, +2 … +7
//	└─ ×7 alike: leaves +128, +256 … +896
//
// A binary addition is "+", a fused one the number of its operands. Tree writes
// nothing for a drawing without a tree. It returns the errors that Text does.
func Tree(w io.Writer, d Drawing) error {
	if err := d.check(); err != nil || d.Tree == nil {
		return err
	}
	bw := bufio.NewWriter(w)
	d.writeTree(bw)
	return bw.Flush()
}

func (d *Drawing) writeTree(w io.Writer) {
	type frame struct {
		it     *item
		prefix string // of the lines below this item
		branch string // on the item's own line
	}
	root := newFolds(d).view(viewOptions{maxRows: maxTextRows, maxDepth: maxTextDepth, explicit: 2})
	stack := []frame{{it: root}}
	for len(stack) > 0 {
		fr := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		fmt.Fprintf(w, "%s%s%s\n", fr.branch, fr.it.line(), d.mark(fr.it))
		for i := len(fr.it.kids) - 1; i >= 0; i-- {
			branch, below := "├─ ", "│  "
			if i == len(fr.it.kids)-1 {
				branch, below = "└─ ", "   "
			}
			stack = append(stack, frame{fr.it.kids[i], fr.prefix + below, fr.prefix + branch})
		}
	}
}

// line returns head and detail of an item.
func (it *item) line() string {
	if it.detail == "" {
		return it.head
	}
	return it.head + ": " + it.detail
}

// mark names the class of an inner item if there are several classes.
func (d *Drawing) mark(it *item) string {
	if len(d.Classes) < 2 || it.kind == kindLeaf || it.kind == kindLeaves || it.kind == kindRest {
		return ""
	}
	return " [" + d.Classes[it.class] + "]"
}
