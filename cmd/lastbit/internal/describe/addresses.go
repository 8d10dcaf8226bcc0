package describe

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Addresses tells that a finding depends on the addresses of the operands: how
// the target computes where they lie elsewhere. It is empty for a finding that
// does not depend on them, or that was not asked.
func Addresses(f *reveal.Finding) string {
	a := f.Addresses
	if a == nil || !a.Depends {
		return ""
	}
	at := a.Differ[0]
	s := fmt.Sprintf("depends on the address: other bits at %d of %s tried; with %s ",
		len(a.Differ), otherAddresses(a.Tried), moved(f.Key.Op, at))
	o := a.Other
	switch {
	case o == nil:
		return s + "it is not revealed"
	case o.Verdict != reveal.TreeVerdict || !o.Verified:
		return s + "it is " + Verdict(o)
	case o.Family == f.Family && f.Tree != nil && o.Tree.Equal(f.Tree):
		known, _ := Arithmetic(o)
		return s + "the order is the same and it " + known
	case o.Family == "":
		return s + "the order is another one"
	}
	return s + "the order is " + o.Family
}

// otherAddresses returns a number of addresses in words.
func otherAddresses(n int) string {
	if n == 1 {
		return "1 other address"
	}
	return fmt.Sprintf("%d other addresses", n)
}

// moved names a placement: "x and y 8 bytes further".
func moved(op probe.Op, at probe.Placement) string {
	x := "the data"
	if op.Products() {
		x = "x"
	}
	if op == probe.Gemv || op == probe.Gemm {
		x = "a"
	}
	y := "y"
	if op == probe.Gemm {
		y = "b"
	}
	var names []string
	by := 0
	for _, o := range []struct {
		name string
		past int
	}{{x, at.X}, {y, at.Y}, {"the result", at.Out}} {
		if o.past > 0 {
			names, by = append(names, o.name), o.past
		}
	}
	return fmt.Sprintf("%s %d bytes further on", strings.Join(names, " and "), by)
}

// sameAt returns the number of other addresses that gave the same bits, in
// words; "" where others gave other bits, or none was tried.
func sameAt(f *reveal.Finding) string {
	if a := f.Addresses; a != nil && !a.Depends && a.Tried > 0 {
		return "the same bits at " + otherAddresses(a.Tried)
	}
	return ""
}

// repeated returns the number of calls that repeated an input, in words; "" for
// none.
func repeated(f *reveal.Finding) string {
	n := f.Evidence.Repeated
	switch {
	case n == 0 || f.Verdict == reveal.Nondeterministic:
		return ""
	case f.Key.Threads > 1:
		return fmt.Sprintf("the same in %s with %d threads", text.Count(n, "call"), f.Key.Threads)
	}
	return "the same in " + text.Count(n, "call")
}
