package describe

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// WriteComparison writes a comparison for people.
func WriteComparison(w io.Writer, c *reveal.Comparison) error {
	b := bufio.NewWriter(w)
	p := text.For(w).To(b)
	p.Line("", conclusionOf(p, c))
	WriteGroups(p, comparedGroups(c))
	writeAsked(p, c)
	for _, key := range comparedKeys(c) {
		p.Line("     ", key)
	}
	for _, d := range c.Differences {
		writeDifference(p, c, d)
	}
	for _, u := range c.Unshown {
		fmt.Fprintln(p)
		const s = "The findings of %s and %s differ in %s, and no input shows it. %s"
		p.Line("", fmt.Sprintf(s, c.Findings[u.A].Key.Target, c.Findings[u.B].Key.Target,
			strings.Join(u.DifferIn, " and "), u.Why))
	}
	return b.Flush()
}

// conclusionOf returns the line that answers whether the targets compute alike.
func conclusionOf(p *text.Printer, c *reveal.Comparison) string {
	switch c.Conclusion {
	case reveal.Same:
		return fmt.Sprintf("%s: all %d agree bit for bit, on %s", p.Good("the same"),
			len(c.Findings), text.Count(c.Tried, "input"))
	case reveal.Different:
		return fmt.Sprintf("%s: %d groups of %d implementations", p.Bad("different"),
			len(c.Groups), len(c.Findings))
	}
	var whys []string
	for _, d := range c.Doubts {
		whys = append(whys, d.Why)
	}
	return fmt.Sprintf("%s: no difference was found on %s, but %s", p.Doubtful("not told apart"),
		text.Count(c.Tried, "input"), strings.Join(once(whys), "; "))
}

// writeAsked counts the questions that targets were asked for each other's
// sake, and the inputs that ended in errors.
func writeAsked(p *text.Printer, c *reveal.Comparison) {
	if e := c.Exchanged; e.Of > 0 {
		p.Line("     ", fmt.Sprintf("targets of one group were also asked %d of the %s that "+
			"revealed one of them", e.Asked, text.Count(e.Of, "question")))
	}
	if c.Refused > 0 {
		p.Line("     ", text.Count(c.Refused, "more input")+
			" ended in an error for some, and count for nothing")
	}
}

// comparedGroups returns the groups of a comparison. Members of a group have
// the same results, but may differ in traits that no input showed: each kind
// has its words.
func comparedGroups(c *reveal.Comparison) []Group {
	group := make([]int, len(c.Findings))
	for i := range group {
		group[i] = GroupOf(c, i)
	}
	briefs := BriefApart(c.Findings, group)
	var groups []Group
	for g, members := range c.Groups {
		letter := GroupName(g)
		for _, i := range members {
			f, words := c.Findings[i], briefs[i]
			if letter != "" || groups[len(groups)-1].Words != words {
				groups = append(groups, Group{Letter: letter, Words: words})
				letter = ""
			}
			last := &groups[len(groups)-1]
			m := Member{f.Key.Target, fmt.Sprint(f.Calls), BriefEvidence(f)}
			last.Members = append(last.Members, m)
		}
	}
	return groups
}

// comparedKeys lists the keys of a comparison by group, each once.
func comparedKeys(c *reveal.Comparison) []string {
	var keys []string
	for _, members := range c.Groups {
		for _, i := range members {
			if key := c.Findings[i].Key.String(); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// GroupOf returns the group that finding i of a comparison belongs to.
func GroupOf(c *reveal.Comparison, i int) int {
	return slices.IndexFunc(c.Groups, func(g []int) bool { return slices.Contains(g, i) })
}

// writeDifference writes the number of inputs that distinguish two groups, and
// their smallest witness.
func writeDifference(p *text.Printer, c *reveal.Comparison, d reveal.Difference) {
	a, b := c.Findings[d.A], c.Findings[d.B]
	letter := func(i int) string {
		g := GroupOf(c, i)
		return p.Letter(g, GroupName(g))
	}
	fmt.Fprintln(p)
	v := d.Witness
	head := letter(d.A) + " and " + letter(d.B) + " "
	switch {
	case v == nil && d.Differ == 0:
		p.Line("", head+"agree on every input tried. "+explainNoWitness(a, b))
		return
	case v == nil:
		p.Line("", head+"differ on "+Share(d)+" of random inputs. "+explainNoWitness(a, b))
		return
	case d.Differ == 0:
		p.Line("", fmt.Sprintf("%sagree on %s, but not on this one: %s", head,
			text.Count(d.Tried, "random input"), describeSize(v, a.Key.Op)))
	default:
		p.Line("", head+"differ on "+Share(d)+" of random inputs. The smallest input found: "+
			describeSize(v, a.Key.Op))
	}
	row := func(name, value string) {
		text.WriteWrapped(p, "  "+p.Faint(text.Pad(name, 8))+" ", value)
	}
	row("x", text.Sparse(v.X, a.Key.DType))
	if len(v.Y) > 0 {
		row("y", text.At(v.Y, v.X, a.Key.DType))
	}
	for k, f := range []*reveal.Finding{a, b} {
		row("result", v.Bits[k]+"  "+text.Decimal(v.Outs[k], f.Key.Out)+"  "+f.Key.Target)
	}
	if a.Key.Out == b.Key.Out {
		row("apart", Apart(v))
	} else {
		row("apart", fmt.Sprintf("the results are of different formats, %s and %s",
			a.Key.Out, b.Key.Out))
	}
	if d.FirstNode != "" {
		row("trees", d.FirstNode)
	}
	if apart := traitsApartOf(a, b); apart != "" {
		row("differ", apart)
	}
	if units := unitsApart(a, b); units != "" {
		row("units", units)
	}
}

// unitsApart describes the matrix units of two findings, first of a, then of b.
// It is empty where both compute as the same unit, or none was found.
func unitsApart(a, b *reveal.Finding) string {
	one, other := Accelerator(a), Accelerator(b)
	switch {
	case one == other:
		return ""
	case other == "":
		return "the first: " + one
	case one == "":
		return "the second: " + other
	}
	return "the first: " + one + ". The second: " + other
}

// traitsApartOf describes the traits that two verified trees differ in, first
// of a, then of b. For other findings it only compares whether they divide by
// n.
func traitsApartOf(a, b *reveal.Finding) string {
	if a.Tree == nil || b.Tree == nil || !a.Verified || !b.Verified {
		switch {
		case a.IsMean() && !b.IsMean():
			return "the first " + dividesByN + "; the second " + doesNotDivide
		case b.IsMean() && !a.IsMean():
			return "the first " + doesNotDivide + "; the second " + dividesByN
		}
		return ""
	}
	one := strings.TrimPrefix(strings.Join(traitsApart(a, b), ""), ", ")
	other := strings.TrimPrefix(strings.Join(traitsApart(b, a), ""), ", ")
	switch {
	case one == "" && other == "":
		return ""
	case other == "":
		return "the first: " + one
	case one == "":
		return "the second: " + other
	}
	return "the first: " + one + "; the second: " + other
}

// explainNoWitness explains why two groups are separate without an input that
// shows it.
func explainNoWitness(a, b *reveal.Finding) string {
	if a.Verdict == reveal.Nondeterministic || b.Verdict == reveal.Nondeterministic {
		return "One of them gives different results for the same input"
	}
	return "The trees are different, but no input was found that gives different results"
}

// Apart describes the distance of the results of a witness.
func Apart(v *reveal.PairWitness) string {
	if v.ULPs == 0 {
		return "sign of 0"
	}
	return text.ULPs(v.ULPs)
}

// Extremes describes the results of a witness, each in a few words, where one
// is not finite or is a zero of the other sign: "+Inf where sums overflow". It
// returns "" for results that are ordinary numbers.
func Extremes(v *reveal.PairWitness) (one, other string) {
	a, b := v.Outs[0], v.Outs[1]
	isFinite := func(x float64) bool { return x-x == 0 }
	where := " where sums overflow"
	switch {
	case a == 0 && b == 0:
		where = " for some sums of zero"
	case isFinite(a) && isFinite(b):
		return "", ""
	case slices.ContainsFunc(v.X, func(x float64) bool { return !isFinite(x) }):
		where = " where summands are not finite"
	}
	name := func(x float64) string {
		switch {
		case math.IsInf(x, 0):
			return "an infinity" + where
		case x == 0 && math.Signbit(x):
			return "−0" + where
		case x == 0:
			return "+0" + where
		case isFinite(x):
			return "a number" + where
		}
		return "NaN" + where
	}
	return name(a), name(b)
}

// Input names an element of an input: the exponentials of a softmax's logits
// are its summands.
func Input(op probe.Op) string {
	if op == probe.Softmax {
		return "logit"
	}
	return "summand"
}

// describeSize counts the summands of a witness. The inputs of a softmax are
// logits.
func describeSize(v *reveal.PairWitness, op probe.Op) string {
	thing := Input(op)
	isNotZero := func(x float64) bool { return x != 0 }
	what := "not zero"
	if !slices.ContainsFunc(v.X, isNotZero) {
		what = "−0"
	}
	switch v.Summands {
	case 0:
		return "all " + thing + "s are 0"
	case 1:
		return "1 " + thing + " that is " + what
	}
	return text.Count(v.Summands, thing) + " that are " + what
}

// Share returns the share of random inputs that distinguish two groups.
func Share(d reveal.Difference) string {
	if d.Differ > 0 && 100*d.Differ < d.Tried {
		return "less than 1 %"
	}
	return fmt.Sprintf("%d %%", 100*d.Differ/max(d.Tried, 1))
}
