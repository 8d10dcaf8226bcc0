package describe

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// WriteFinding writes a finding for people: the verdict first, the tree last.
func WriteFinding(w io.Writer, f *reveal.Finding) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, Verdict(f))
	row := func(name, value string) {
		if value != "" {
			text.WriteWrapped(b, fmt.Sprintf("  %-10s ", name), value)
		}
	}
	known, untold := Arithmetic(f)
	row("family", f.Family)
	if f.Family != "" {
		row("", FamilyMeaning(f))
	}
	row("arithmetic", known)
	if known != "" && len(untold) > 0 {
		row("", "not told: "+strings.Join(untold, ", "))
	}
	row("evidence", Evidence(f))
	row("calls", fmt.Sprintf("%d (algorithm %s)", f.Calls, f.Algorithm))
	row("key", f.Key.String())
	row("runtime", f.Key.Runtime)
	for _, s := range f.Warnings {
		row("warning", s)
	}
	if f.Witness != nil {
		writeWitness(b, f)
	}
	if err := b.Flush(); err != nil || f.Tree == nil || f.Tree.Leaves() < 2 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return report.Tree(w, Drawing(f))
}

// writeWitness writes the input that shows a verdict, shortened.
func writeWitness(w io.Writer, f *reveal.Finding) {
	v := f.Witness
	if len(v.Seen) == 0 { // a reason that needs no call to show it
		text.WriteWrapped(w, fmt.Sprintf("  %-10s ", "because"), v.What)
		return
	}
	text.WriteWrapped(w, fmt.Sprintf("  %-10s ", "witness"), v.What)
	for _, row := range Witness(f).Values {
		fmt.Fprintf(w, "    %-8s %s\n", row.Name, row.Value)
	}
}

// Witness returns the input that shows a verdict, shortened, with the results
// seen and expected. It returns nil for a finding without one.
func Witness(f *reveal.Finding) *report.Witness {
	k, v := f.Key, f.Witness
	if v == nil {
		return nil
	}
	w := &report.Witness{What: v.What}
	if len(v.Seen) == 0 { // a reason that needs no call to show it
		return w
	}
	row := func(name, value string) { w.Values = append(w.Values, report.Trait{Name: name, Value: value}) }
	row("x", text.Sparse(v.X, k.DType))
	if len(v.Y) > 0 {
		row("y", text.Sparse(v.Y, k.DType))
	}
	row("seen", text.WithBits(v.Seen, k.Out))
	if v.Want != nil {
		row("expected", text.WithBits(*v.Want, k.Out))
	}
	return w
}

// Library names the library of a key and its version.
func Library(k probe.Key) string {
	if strings.HasPrefix(strings.ToLower(k.Version), strings.ToLower(k.Library)) {
		return k.Version // go1.26
	}
	return strings.TrimSpace(k.Library + " " + k.Version)
}
