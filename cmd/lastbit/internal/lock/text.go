package lock

import (
	"bufio"
	"fmt"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
)

// Verdict answers on one line whether something changed.
func (r *Report) Verdict() string {
	all := text.Count(r.Operations, "operation")
	if n := r.functions(); n > 0 {
		all += " and " + text.Count(n, "elementary function")
	}
	var changed string
	ops := len(r.Changes)
	switch {
	case ops > 0 && len(r.Functions) > 0:
		changed = fmt.Sprintf("%d of %s and %d of %s changed", ops,
			text.Count(r.asked(), "operation"), len(r.Functions),
			text.Count(r.functions(), "elementary function"))
	case ops > 0:
		changed = fmt.Sprintf("%d of %s changed", ops, text.Count(r.asked(), "operation"))
	case len(r.Functions) > 0:
		changed = fmt.Sprintf("%d of %s changed", len(r.Functions),
			text.Count(r.functions(), "elementary function"))
	}
	same := "nothing changed: " + all + " as locked"
	if n := len(r.Allowed); n > 0 {
		same = fmt.Sprintf("nothing changed except as allowed: %d of %s", n, all)
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

// asked returns the number of operations that were locked or are asked for.
func (r *Report) asked() int {
	n := r.Operations
	for _, c := range r.Changes {
		if c.Kind != lockfile.Changed {
			n++
		}
	}
	return n
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
	if !r.Same {
		verdict = p.Bad(r.Verdict())
	}
	p.Line("", verdict)
	for _, c := range r.Changes {
		fmt.Fprintln(p)
		p.Line("", Summary(c))
		if v := r.Witnesses[c.Name]; v != nil {
			writeWitness(p, v)
		}
	}
	if len(r.Functions) > 0 {
		fmt.Fprintln(p)
	}
	for _, line := range r.functionsChanged() {
		p.Line("", line)
	}
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
	old, now := v.Keys[0], v.Keys[1]
	row := func(name, value string) {
		text.WriteWrapped(p, "  "+p.Faint(text.Pad(name, 9))+" ", value)
	}
	w := v.Difference.Witness
	row("x", text.Sparse(w.X, now.DType))
	if len(w.Y) > 0 {
		row("y", text.At(w.Y, w.X, now.DType))
	}
	row("as locked", w.Bits[0]+"  "+text.Decimal(w.Outs[0], old.Out))
	row("now", w.Bits[1]+"  "+text.Decimal(w.Outs[1], now.Out))
	if old.Out == now.Out {
		row("apart", describe.Apart(w))
	}
	if v.FirstNode != "" {
		row("trees", v.FirstNode)
	}
}
