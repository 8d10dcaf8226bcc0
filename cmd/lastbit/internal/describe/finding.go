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
	writeHead(text.For(w).To(b), f)
	if err := b.Flush(); err != nil || f.Tree == nil || f.Tree.Leaves() < 2 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return report.Tree(w, Drawing(f))
}

// writeHead writes a finding's facts about the whole tree.
func writeHead(p *text.Printer, f *reveal.Finding) {
	p.Line("", colourVerdict(p, f))
	row := func(name, value string) {
		if value != "" {
			text.WriteWrapped(p, "  "+p.Faint(text.Pad(name, 10))+" ", value)
		}
	}
	known, untold := Arithmetic(f)
	switch {
	case f.Family != "":
		row("family", f.Family)
		row("", FamilyMeaning(f))
	case f.Verdict == reveal.TreeVerdict:
		row("family", UnknownFamily)
	}
	row("arithmetic", known)
	if known != "" && len(untold) > 0 {
		row("", "not determined: "+strings.Join(untold, ", "))
	}
	row("unit", Accelerator(f))
	row("addresses", Addresses(f))
	row("NaN", describeNaN(f))
	row("evidence", Evidence(f))
	row("calls", fmt.Sprintf("%d (algorithm %s)", f.Calls, f.Algorithm))
	row("key", f.Key.String())
	row("runtime", f.Key.Runtime)
	for _, s := range f.Warnings {
		row("warning", s)
	}
	if f.Witness != nil {
		writeWitness(p, f, row)
	}
}

// colourVerdict explains the verdict of a finding, its name in colour.
func colourVerdict(p *text.Printer, f *reveal.Finding) string {
	name, rest, _ := strings.Cut(Verdict(f), ":")
	colour := p.Doubtful
	switch f.Verdict {
	case reveal.TreeVerdict, reveal.Exact:
		if f.Verified {
			colour = p.Good
		}
	case reveal.Nondeterministic, reveal.NotASum:
		colour = p.Bad
	}
	return colour(name) + ":" + rest
}

// writeWitness writes the input that shows a verdict, shortened.
func writeWitness(p *text.Printer, f *reveal.Finding, row func(name, value string)) {
	w := Witness(f)
	if len(w.Values) == 0 {
		row("because", w.What)
		return
	}
	row("witness", w.What)
	for _, v := range w.Values {
		p.Line("  "+p.Faint(text.Pad("  "+v.Name, 10))+" ", v.Value)
	}
}

// Witness returns the input that shows a verdict, shortened, with the results
// seen and expected. It returns nil for a finding without one, and no values if
// the reason needs no call.
func Witness(f *reveal.Finding) *report.Witness {
	k, v := f.Key, f.Witness
	if v == nil {
		return nil
	}
	w := &report.Witness{What: v.What}
	if len(v.Seen) == 0 {
		return w
	}
	add := func(name, value string) {
		w.Values = append(w.Values, report.Trait{Name: name, Value: value})
	}
	add("x", text.Sparse(v.X, k.DType))
	if len(v.Y) > 0 {
		add("y", text.Sparse(v.Y, k.DType))
	}
	results := func(x []float64) string { return text.WithBits(x, k.Out) }
	if f.Integers != nil {
		results = text.Whole
	}
	add("seen", results(v.Seen))
	if v.Want != nil {
		add("expected", results(*v.Want))
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
