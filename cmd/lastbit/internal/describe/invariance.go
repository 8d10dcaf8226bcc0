package describe

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// WriteInvariance writes the classes of a sweep for people.
func WriteInvariance(w io.Writer, v *reveal.Invariance) error {
	b := bufio.NewWriter(w)
	p := text.For(w).To(b)
	p.Line("", invarianceVerdict(p, v))
	briefs := classBriefs(v)
	for k, c := range v.Classes {
		fmt.Fprintln(p)
		if k == maxBoundaries {
			p.Line("", more(len(v.Classes)-maxBoundaries, "class", "classes"))
			break
		}
		p.Line("  "+p.Letter(k, GroupName(k))+"  ", membersOf(v, c))
		p.Line("     ", briefs[k])
		p.Line("     ", classEvidence(v, c))
		if len(v.Classes) == 1 && c.Verdict == reveal.TreeVerdict && c.Family != "" {
			p.Line("     ", FamilyMeaning(c.Representative))
		}
		if !c.Verified {
			p.Line("     ", Verdict(c.Representative))
		}
	}
	fmt.Fprintln(p)
	p.Line("     ", v.Classes[0].Representative.Key.String())
	for k, edge := range v.Boundaries {
		if k == maxBoundaries {
			fmt.Fprintln(p)
			p.Line("", more(len(v.Boundaries)-maxBoundaries, "change", "changes"))
			break
		}
		writeBoundary(p, v, edge)
	}
	if advice := rankAdvice(v); advice != "" {
		fmt.Fprintln(p)
		p.Line("", advice)
	}
	return b.Flush()
}

// rankAdvice names a sum that the number of ranks does not change, where a
// sweep over ranks found differences. It is empty elsewhere.
func rankAdvice(v *reveal.Invariance) string {
	if v.Axis != ranksAxis || v.Conclusion != reveal.Different {
		return ""
	}
	const what = "No number of ranks changes a sum of fixed blocks: cut the summands into as " +
		"many blocks as the most ranks, whatever the number of ranks is, and add the blocks' " +
		"sums by one binary tree"
	const command = "%s: lastbit invariant sim:fixed-tree -n %d --ranks 1,2,4,8"
	return fmt.Sprintf(command, what, v.Key.N)
}

// more counts the things that only the JSON holds.
func more(n int, one, many string) string {
	if n == 1 {
		return "1 more " + one + ": --json has it"
	}
	return fmt.Sprintf("%d more %s: --json lists them", n, many)
}

// classBriefs describes the order of each class, and how it differs from the
// orders of the same family.
func classBriefs(v *reveal.Invariance) []string {
	var findings []*reveal.Finding
	var class []int
	for k, c := range v.Classes {
		findings, class = append(findings, c.Representative), append(class, k)
	}
	return BriefApart(findings, class)
}

// maxBoundaries bounds the changes and the classes that are printed, maxSets
// the classes on the first line.
const (
	maxBoundaries = 16
	maxSets       = 8
)

// invarianceVerdict returns the line that answers the question.
func invarianceVerdict(p *text.Printer, v *reveal.Invariance) string {
	over := axisFlag(v.Axis) + " " + valuesOf(v)
	if axisFlag(v.Axis) == "" {
		over = valuesOf(v)
	}
	switch {
	case v.Conclusion == reveal.Open && len(v.Classes) > 1:
		return fmt.Sprintf("%s: %d classes over %s, and no input shows that they differ: %s",
			p.Doubtful("not told apart"), len(v.Classes), over, unsettled(v))
	case len(v.Classes) > 1:
		var sets []string
		for k, c := range v.Classes {
			if k == maxSets {
				sets = append(sets, "…")
				break
			}
			sets = append(sets, "{"+memberSet(v, c)+"}")
		}
		return fmt.Sprintf("%s: %d classes over %s: %s", p.Bad("not invariant"),
			len(v.Classes), over, strings.Join(sets, ", "))
	case v.Invariant && v.Axis == reveal.AxisN:
		return fmt.Sprintf("%s: one rule and arithmetic for all of %s", p.Good("invariant"), over)
	case v.Invariant:
		return fmt.Sprintf("%s: one tree and arithmetic for all of %s", p.Good("invariant"), over)
	case v.Conclusion == reveal.Different:
		return fmt.Sprintf("%s: results change from call to call, over %s", p.Bad("not invariant"),
			over)
	}
	return fmt.Sprintf("%s: no difference was found over %s, but %s",
		p.Doubtful("not told apart"), over, unsettled(v))
}

// unsettled names the members of the classes that are not verified, and why.
func unsettled(v *reveal.Invariance) string {
	var whys []string
	for _, c := range v.Classes {
		if c.Verified {
			continue
		}
		why := c.Representative.Unsettled()
		if why == "" {
			why = "verified by itself, and its tree does not give the common results"
		}
		is := " is "
		if len(c.Members) > 1 {
			is = " are "
		}
		whys = append(whys, valueOn(v, memberSet(v, c))+is+why)
	}
	if len(whys) == 0 {
		return "all are verified"
	}
	return strings.Join(whys, "; ")
}

// targetAxis is the axis of a list of targets. Its values are addresses.
const targetAxis = "target"

// ranksAxis is the axis of numbers of ranks.
const ranksAxis = "ranks"

// SettingAxis is the axis of combinations of settings. Its values name them.
const SettingAxis = "setting"

// axisFlag returns the flag of an axis, as users type it.
func axisFlag(axis string) string {
	switch axis {
	case targetAxis, SettingAxis:
		return ""
	case reveal.AxisN:
		return "-n"
	}
	return "--" + axis
}

// valueOn names a value with its flag.
func valueOn(v *reveal.Invariance, value string) string {
	return strings.TrimSpace(axisFlag(v.Axis) + " " + value)
}

// valuesOf names all values of a sweep: the first and the last, except for
// targets.
func valuesOf(v *reveal.Invariance) string {
	if v.Axis == targetAxis {
		return fmt.Sprintf("%d targets", len(v.Values))
	}
	if v.Axis == SettingAxis && len(v.Values) > maxListed {
		return text.Count(len(v.Values), "combination")
	}
	if v.Axis == ranksAxis && len(v.Values) <= maxRuns {
		return strings.Join(v.Values, ", ")
	}
	all := reveal.Class{Members: v.Values}
	for i := range v.Values {
		all.Indices = append(all.Indices, i)
	}
	if len(v.Values) > maxListed {
		return v.Values[0] + ".." + v.Values[len(v.Values)-1]
	}
	return memberSet(v, all)
}

// maxListed bounds the neighbours that are listed one by one, maxRuns the runs
// of neighbours that a set shows.
const (
	maxListed = 3
	maxRuns   = 6
)

// memberSet lists the members of a class: runs of more than maxListed
// neighbours by their ends.
func memberSet(v *reveal.Invariance, c reveal.Class) string {
	var runs []string
	for k := 0; k < len(c.Indices); {
		end := k
		for end+1 < len(c.Indices) && c.Indices[end+1] == c.Indices[end]+1 {
			end++
		}
		if end-k < maxListed || v.Axis == targetAxis {
			end = k
			runs = append(runs, c.Members[k])
		} else {
			runs = append(runs, c.Members[k]+" … "+c.Members[end])
		}
		k = end + 1
	}
	if len(runs) > maxRuns {
		runs = append(runs[:maxRuns-1], "…", runs[len(runs)-1])
	}
	return strings.Join(runs, ", ")
}

// membersOf names the members of a class and counts them.
func membersOf(v *reveal.Invariance, c reveal.Class) string {
	s := valueOn(v, memberSet(v, c))
	if len(c.Members) > 1 {
		s += fmt.Sprintf(" (%d)", len(c.Members))
	}
	return s
}

// classEvidence describes the evidence for a class.
func classEvidence(v *reveal.Invariance, c reveal.Class) string {
	s := BriefEvidence(c.Representative) + " at " + valueOn(v, c.Revealed)
	switch {
	case len(c.Members) == 1:
		return s
	case c.Predicted > 0:
		return s + "; it gives all results of the others, on " +
			text.Count(c.Predicted, "input") + " each"
	case v.Inputs > 0:
		return s + "; the others have the same results on " + text.Count(v.Inputs, "input")
	}
	return s + "; the others are alike"
}

// writeBoundary writes where the class changes, and the witness.
func writeBoundary(p *text.Printer, v *reveal.Invariance, edge reveal.Boundary) {
	fmt.Fprintln(p)
	a, b := edge.Classes[0], edge.Classes[1]
	letters := p.Letter(a, GroupName(a)) + " → " + p.Letter(b, GroupName(b))
	head := fmt.Sprintf("%s between %s and %s", letters, valueOn(v, edge.From), valueOn(v, edge.To))
	w := edge.Witness
	if w == nil {
		p.Line("", head)
	} else {
		p.Line("", head+". A row that shows it: "+describeSize(w, v.Key.Op))
	}
	for _, row := range boundaryRows(v, edge) {
		p.Line("  "+p.Faint(text.Pad(row.Name, 8))+" ", row.Value)
	}
}

// boundaryRows describes the witness of a boundary, and the place where the
// trees part.
func boundaryRows(v *reveal.Invariance, edge reveal.Boundary) (rows []report.Trait) {
	row := func(name, value string) {
		rows = append(rows, report.Trait{Name: name, Value: value})
	}
	if w := edge.Witness; w != nil {
		key := v.Classes[edge.Classes[1]].Representative.Key
		row("x", text.Sparse(w.X, key.DType))
		if len(w.Y) > 0 {
			row("y", text.At(w.Y, w.X, key.DType))
		}
		names := []string{valueOn(v, edge.From), valueOn(v, edge.To)}
		if v.Axis == reveal.AxisN {
			names[0] = "by the rule of " + names[0]
		}
		for k, name := range names {
			row("result", w.Bits[k]+"  "+text.Decimal(w.Outs[k], key.Out)+"  "+name)
		}
		row("apart", Apart(w))
	}
	if edge.FirstNode != "" {
		row("trees", edge.FirstNode)
	}
	return rows
}
