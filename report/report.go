package report

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Drawing is a finding as people read it: its verdict, facts and arithmetic in
// words, and its tree.
type Drawing struct {
	Title    string
	Key      probe.Key // shown unless Key.Target is empty
	Verdict  string
	Verified bool // certificate and replay have passed
	Family   string
	Calls    int // shown unless 0
	Traits   []Trait
	Warnings []string

	// Section is the heading that an HTML page puts above a run of drawings
	// with the same one; "" for none.
	Section string
	// Meaning and FamilyMeaning explain Verdict and Family, on one line each.
	Meaning, FamilyMeaning string
	// Witness is an input that shows the verdict, nil where there is none.
	Witness *Witness

	// Tree is the summation tree, nil where the verdict is not a tree.
	Tree *sumtree.Tree
	// Class colours the inner nodes: Class[k], an index into Classes, is the
	// class of node Tree.Leaves()+k. It is nil where all nodes are of one kind.
	Class []int
	// Classes names the classes for the legend: "float32", "float64 (tail)".
	Classes []string
}

// Trait is a name and a value, shown unchanged: a property of the arithmetic.
type Trait struct{ Name, Value string }

// Witness is an input that anyone can check a verdict with.
type Witness struct {
	What   string  // the fact it shows
	Values []Trait // the input, the results seen and those expected, in words
}

// check returns a fault of ID bad-drawing unless classes and tree fit together.
func (d *Drawing) check() error {
	bad := func(cause string, args ...any) error {
		return &probe.Fault{
			ID:    "bad-drawing",
			Thing: fmt.Sprintf("the drawing of %q", d.Title),
			Cause: fmt.Sprintf(cause, args...),
			Cure: "give every inner node of the tree a class that has a name, " +
				"or no classes at all",
		}
	}
	if d.Class == nil {
		return nil
	}
	if d.Tree == nil {
		return bad("it has classes of nodes but no tree")
	}
	if len(d.Class) != d.Tree.Inner() {
		return bad("it has %d classes for %d inner nodes", len(d.Class), d.Tree.Inner())
	}
	for k, c := range d.Class {
		if c < 0 || c >= len(d.Classes) {
			return bad("node %d is of class %d, and there are %d names", d.Tree.Leaves()+k, c,
				len(d.Classes))
		}
	}
	return nil
}

// class returns the class of an inner node, 0 where there are none.
func (d *Drawing) class(id int) int {
	if d.Class == nil || d.Tree.IsLeaf(id) {
		return 0
	}
	return d.Class[id-d.Tree.Leaves()]
}

// verdict returns the verdict, and whether it is verified.
func (d *Drawing) verdict() string {
	s := d.Verdict
	switch {
	case s == "":
		return ""
	case d.Verified:
		return s + ", verified"
	case d.Tree != nil:
		return s + ", unverified"
	}
	return s
}

// facts returns verdict, family, size and calls, in the order of reading.
func (d *Drawing) facts() []string {
	var f []string
	add := func(s string) {
		if s != "" {
			f = append(f, s)
		}
	}
	add(d.verdict())
	add(d.Family)
	if d.Tree != nil {
		add(count(d.Tree.Leaves(), "leaf", "leaves"))
		add("height " + strconv.Itoa(int(d.Tree.Heights()[d.Tree.Root()])))
	}
	if d.Calls > 0 {
		add(count(d.Calls, "call", "calls"))
	}
	return f
}

// meanings returns the explanations of verdict and family that there are.
func (d *Drawing) meanings() []Trait {
	var all []Trait
	if d.Meaning != "" {
		all = append(all, Trait{d.Verdict, d.Meaning})
	}
	if d.FamilyMeaning != "" {
		all = append(all, Trait{cmp.Or(d.Family, "order"), d.FamilyMeaning})
	}
	return all
}

// title returns the title, or the key where there is none.
func (d *Drawing) title() string {
	switch {
	case d.Title != "":
		return d.Title
	case d.Key.Target != "":
		return d.Key.String()
	}
	return "Summation tree"
}

// keyLine returns the key unless it is absent or already the title.
func (d *Drawing) keyLine() string {
	if d.Key.Target == "" || d.Title == "" {
		return ""
	}
	return d.Key.String()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return group(n) + " " + many
}

// group writes a number with a thin space between groups of three digits, from
// 10 000 on. Shorter numbers, and leaf numbers, read better without.
func group(n int) string {
	s := strconv.Itoa(n)
	if len(s) < 5 {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			out = append(out, "\u202f"...)
		}
		out = append(out, s[i])
	}
	return string(out)
}
