package lock

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// Verdict answers on one line whether something changed.
func (r *Report) Verdict() string {
	all := text.Count(r.Operations, "operation")
	if n := r.functions(); n > 0 {
		all += " and " + text.Count(n, "elementary function")
	}
	var parts []string
	ops, allOps, functions, allFunctions := r.counts()
	if ops > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", ops, text.Count(allOps, "operation")))
	}
	if functions > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", functions,
			text.Count(allFunctions, "elementary function")))
	}
	changed := strings.Join(parts, " and ") + " changed"
	same := "nothing changed: " + all + " as locked"
	if n := len(r.Allowed); n > 0 {
		same = fmt.Sprintf("nothing changed except as allowed: %d of %s", n, all)
	}
	if r.Conclusion == reveal.Open {
		same = fmt.Sprintf("not told apart: no change was found of %s, but these are not "+
			"verified: %s", all, strings.Join(r.Unverified, ", "))
	}
	switch {
	case r.Another && r.Same:
		return "another machine, and " + same
	case r.Another:
		return "another machine: " + changed
	case r.Same:
		return same
	}
	return changed
}

// counts returns how many operations and elementary functions changed, and how
// many there are: locked, or asked for.
func (r *Report) counts() (operations, ofOperations, functions, ofFunctions int) {
	ofOperations, functions, ofFunctions = r.Operations, len(r.Functions), r.functions()
	for _, c := range r.Changes {
		functions += c.Functions
		if c.Kind == lockfile.Gone {
			ofFunctions += c.Functions
		}
		if c.Functions > 0 {
			continue
		}
		operations++
		if c.Kind != lockfile.Changed {
			ofOperations++
		}
	}
	return operations, ofOperations, functions, ofFunctions
}

// functions returns the number of elementary functions.
func (r *Report) functions() (n int) {
	for _, l := range r.Now.Libraries {
		n += len(l.Functions)
	}
	return n
}

// WriteText writes a report for people: the answer first.
func WriteText(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	p := text.For(w).To(b)
	verdict := p.Good(r.Verdict())
	switch r.Conclusion {
	case reveal.Different:
		verdict = p.Bad(r.Verdict())
	case reveal.Open:
		verdict = p.Doubtful(r.Verdict())
	}
	p.Line("", verdict)
	for _, c := range r.Changes {
		fmt.Fprintln(p)
		p.Line("", Summary(c))
		if v := r.Witnesses[c.Name]; v != nil {
			writeWitness(p, v)
		}
	}
	r.writeFunctions(p)
	r.writeRest(p)
	return b.Flush()
}

// writeRest writes changes that are not counted.
func (r *Report) writeRest(p *text.Printer) {
	if len(r.Allowed) > 0 {
		fmt.Fprintln(p)
	}
	for _, name := range r.Allowed {
		p.Line("  ", "allowed: "+name)
	}
	if len(r.Moved) > 0 {
		fmt.Fprintln(p)
		p.Line("", "With the same order and arithmetic:")
	}
	for _, m := range r.Moved {
		p.Line("  ", describeVersion(m))
	}
	if r.Another {
		fmt.Fprintln(p)
		p.Line("", "The lock file has no profile of this machine's class:")
		p.Line("  ", "here      "+r.Class)
		p.Line("  ", "compared  "+r.Against)
		p.Line("", "lastbit lock adds one.")
	}
}

// writeWitness writes an input with two results.
func writeWitness(p *text.Printer, v *Witness) {
	for _, row := range v.Rows("as locked", "now") {
		text.WriteWrapped(p, "  "+p.Faint(text.Pad(row.Name, 9))+" ", row.Value)
	}
}

// Rows describes an input with two results, which have names.
func (v *Witness) Rows(first, second string) []report.Trait {
	old, now := v.Keys[0], v.Keys[1]
	w := v.Difference.Witness
	rows := []report.Trait{{Name: "x", Value: text.Sparse(w.X, now.DType)}}
	row := func(name, value string) {
		rows = append(rows, report.Trait{Name: name, Value: value})
	}
	if len(w.Y) > 0 {
		row("y", text.At(w.Y, w.X, now.DType))
	}
	row(first, w.Bits[0]+"  "+text.Decimal(w.Outs[0], old.Out))
	row(second, w.Bits[1]+"  "+text.Decimal(w.Outs[1], now.Out))
	if old.Out == now.Out {
		row("apart", describe.Apart(w))
	}
	if v.FirstNode != "" {
		row("trees", v.FirstNode)
	}
	return rows
}
