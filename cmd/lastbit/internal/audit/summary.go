package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Summary sums up a table or a whole report. Text has an answer, its reasons
// and a cure, made from the other fields.
type Summary struct {
	Text string `json:"text"`
	// Conclusion is reveal.Different where some input gave different bits,
	// reveal.Open where none did and Unverified or several trees are left.
	Conclusion reveal.Conclusion `json:"conclusion"`
	// Unverified names the targets that are neither a verified tree nor
	// verified to be exact.
	Unverified  []string `json:"unverified"`
	Ways        int      `json:"ways"`         // targets that were revealed
	Results     int      `json:"results"`      // different ones; of a report, at most
	Reasons     []string `json:"reasons"`      // why they differ
	TypicalULPs uint64   `json:"typical_ulps"` // median of the cells' over all pairs of groups
	Doubts      []Doubt  `json:"look_at"`      // targets that could hide a bug
	Failed      int      `json:"failed"`       // targets that could not be run
	Cure        string   `json:"cure"`         // how to make them agree

	answer  string // the first sentence of Text
	details string // Text without the first sentence and the cure
}

// Doubt is a target that could hide a bug, with its verdict and the verdict's
// meaning.
type Doubt struct {
	Target  string         `json:"target"`
	Verdict reveal.Verdict `json:"verdict"`
	Why     string         `json:"why"`
}

// summarise fills the summaries of all tables, then the summary of the report.
func (r *Report) summarise() {
	var targets, failed []string
	var distances []uint64
	all := Summary{Reasons: []string{}, Doubts: []Doubt{}, Unverified: []string{},
		Conclusion: reveal.Same}
	several := len(r.Tables) > 1
	for _, t := range r.Tables {
		t.Summary = t.summarise()
		for _, g := range t.Groups {
			for _, m := range g.Members {
				targets = addOnce(targets, m.address)
			}
		}
		for _, f := range t.Failed {
			failed = addOnce(failed, f.Target)
		}
		all.Results = max(all.Results, t.Summary.Results)
		all.Conclusion = weaker(all.Conclusion, t.Summary.Conclusion)
		for _, name := range t.Summary.Unverified {
			all.Unverified = addOnce(all.Unverified, name)
		}
		for _, reason := range reasonOrder {
			if slices.Contains(t.Summary.Reasons, reason) {
				all.Reasons = addOnce(all.Reasons, reason)
			}
		}
		distances = append(distances, t.distances()...)
		for _, d := range t.Summary.Doubts {
			if !slices.Contains(all.Doubts, d) {
				all.Doubts = append(all.Doubts, d)
			}
		}
	}
	slices.SortFunc(all.Reasons, func(a, b string) int {
		return slices.Index(reasonOrder, a) - slices.Index(reasonOrder, b)
	})
	all.Ways, all.Failed, all.TypicalULPs = len(targets), len(failed), median(distances)
	if all.Results > 1 {
		all.Cure = cure(r.Tables)
	}
	all.write(several)
	r.Summary = all
}

// summarise returns the summary of one table.
func (t *Table) summarise() Summary {
	s := Summary{
		Results:     t.results(),
		Reasons:     t.reasons(),
		TypicalULPs: median(t.distances()),
		Failed:      len(t.Failed),
		Doubts:      []Doubt{},
		Unverified:  []string{},
	}
	for _, g := range t.Groups {
		s.Ways += len(g.Members)
		for _, m := range g.Members {
			if m.unproven() != nil {
				s.Unverified = addOnce(s.Unverified, m.address)
			}
			if f := m.doubtful(); f != nil {
				s.Doubts = append(s.Doubts, Doubt{m.address, f.Verdict, f.Meaning()})
			}
		}
	}
	if s.Results > 1 {
		s.Cure = cure([]*Table{t})
	}
	switch {
	case s.Results > 1:
		s.Conclusion = reveal.Different
	case len(s.Unverified) > 0 || len(t.Groups) > 1:
		s.Conclusion = reveal.Open
	default:
		s.Conclusion = reveal.Same
	}
	s.write(false)
	return s
}

// weaker returns the conclusion about two tables.
func weaker(a, b reveal.Conclusion) reveal.Conclusion {
	if a == reveal.Different || b == reveal.Different {
		return reveal.Different
	}
	if a == reveal.Open || b == reveal.Open {
		return reveal.Open
	}
	return reveal.Same
}

// unproven returns a finding of the row that is neither a verified tree nor
// verified to be exact, or nil.
func (r *Row) unproven() *reveal.Finding {
	for _, f := range r.findings() {
		if !f.Verified || f.Verdict != reveal.TreeVerdict && f.Verdict != reveal.Exact {
			return f
		}
	}
	return nil
}

// doubtful returns a finding of the row that could hide a bug, or nil. A
// compensated sum is unproven, but a witness shows that it is a better
// algorithm than a plain sum, not a broken one.
func (r *Row) doubtful() *reveal.Finding {
	if f := r.unproven(); f != nil && f.Verdict != reveal.Compensated {
		return f
	}
	return nil
}

// results returns the number of groups such that for every two of them some
// input gave different bits.
func (t *Table) results() int {
	same := make([]int, len(t.Groups)) // the first group with the same results
	letter := map[string]int{}
	for i, g := range t.Groups {
		same[i], letter[g.Letter] = i, i
	}
	for _, c := range t.Matrix {
		if a, b := letter[c.A], letter[c.B]; !c.seen(t.Groups[a], t.Groups[b]) {
			same[b] = min(same[b], same[a])
		}
	}
	n := 0
	for i, first := range same {
		if first == i {
			n++
		}
	}
	return n
}

// seen reports whether some input gave the two groups of a cell different bits.
// A sum of only −0 counts. So does the witness that a compensated sum is not
// always correctly rounded, if the other one is exact.
func (c Cell) seen(a, b Group) bool {
	f, g := a.Members[0].Finding, b.Members[0].Finding
	rounded := f.Verdict != g.Verdict && (f.Verdict == reveal.Exact || g.Verdict == reveal.Exact)
	refused := f.Verdict == reveal.Compensated || g.Verdict == reveal.Compensated
	return c.Differ > 0 || c.Summands > 0 || c.Formats || differInZero(f, g) || rounded && refused
}

// distances returns the typical distance of every two groups that differ on
// random inputs.
func (t *Table) distances() []uint64 {
	var d []uint64
	for _, c := range t.Matrix {
		if c.TypicalULPs > 0 && c.TypicalULPs != ^uint64(0) {
			d = append(d, c.TypicalULPs)
		}
	}
	return d
}

// median returns the upper median, 0 of nothing.
func median(v []uint64) uint64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// The reasons why results differ, as parts of a sentence.
const (
	byOrder       = "they add in different orders"
	byFMA         = "some fuse a product with its addition (FMA)"
	byAccumulator = "they accumulate in different formats"
	byRounding    = "they round in different directions"
	bySubnormals  = "some flush subnormal numbers to zero"
	byWidth       = "some add several operands at once"
	byExact       = "some round only once (exact)"
	byCompensated = "some carry rounding errors along (compensated)"
	byAddress     = "some change the order with the address of the data"
	byZero        = "a sum of −0 is +0 in some"
	byFormat      = "their results are of different formats"
	byValue       = "in some the order depends on the values"
	byChance      = "some give different results for the same input"
	byMistake     = "some drop, double or scale a summand"
)

// maxReasons bounds the reasons that the sentence names. JSON has all of them.
const maxReasons = 3

// reasonOrder sorts reasons, the most common first.
var reasonOrder = []string{
	byOrder, byFMA, byAccumulator, byWidth, byExact, byCompensated, byAddress,
	byRounding, bySubnormals, byFormat, byZero, byValue, byChance, byMistake,
}

// reasons returns the differences between the findings of the groups.
func (t *Table) reasons() []string {
	if t.results() < 2 {
		return []string{}
	}
	var all []*reveal.Finding
	holds := map[string]bool{}
	for _, g := range t.Groups {
		all = append(all, g.Members[0].findings()...)
		holds[byAddress] = holds[byAddress] || g.Members[0].Shifted != nil
	}
	verdict := func(v reveal.Verdict) bool {
		n := 0
		for _, f := range all {
			if f.Verdict == v {
				n++
			}
		}
		return n > 0 && n < len(all)
	}
	holds[byExact], holds[byCompensated] = verdict(reveal.Exact), verdict(reveal.Compensated)
	holds[byValue] = verdict(reveal.ValueDependent)
	holds[byChance] = verdict(reveal.Nondeterministic)
	holds[byMistake] = verdict(reveal.NotASum)
	for i, f := range all {
		for _, g := range all[i+1:] {
			if f.Key.Out != g.Key.Out {
				holds[byFormat] = true
			}
			if isProvenTree(f) && isProvenTree(g) {
				compareTrees(holds, f, g)
			}
		}
	}
	reasons := []string{}
	for _, reason := range reasonOrder {
		if holds[reason] {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// isProvenTree reports whether the tree and the arithmetic of a finding are
// known.
func isProvenTree(f *reveal.Finding) bool {
	return f.Verified && f.Verdict == reveal.TreeVerdict && f.Tree != nil
}

// compareTrees notes the differences of two verified trees in holds.
func compareTrees(holds map[string]bool, f, g *reveal.Finding) {
	t, u := f.Traits, g.Traits
	note := func(reason string, differ bool) { holds[reason] = holds[reason] || differ }
	word := func(reason, a, b string) {
		note(reason, a != b && a != "unknown" && b != "unknown")
	}
	note(byOrder, !f.Tree.Equal(g.Tree))
	note(byFMA, t.FMA != u.FMA && (fuses(t) || fuses(u)))
	note(byWidth, t.Width != u.Width)
	note(byCompensated, (t.Carries > 0) != (u.Carries > 0))
	word(byAccumulator, t.Accumulator, u.Accumulator)
	word(byRounding, t.Rounding, u.Rounding)
	word(bySubnormals, t.Subnormals, u.Subnormals)
	word(byZero, t.Initial, u.Initial)
}

// fuses reports whether some product is fused with its addition.
func fuses(t reveal.Traits) bool { return t.FMA == reveal.Fused || t.FMA == reveal.PartlyFused }

// write fills Text.
func (s *Summary) write(several bool) {
	s.answer = s.count(several)
	var parts []string
	if s.Results > 1 {
		parts = append(parts, s.describeDifferences())
	}
	if s.Ways > 0 {
		parts = append(parts, s.judgement())
	}
	if s.Failed > 0 && s.Ways > 0 {
		parts = append(parts, text.Count(s.Failed, "more target")+" could not be run.")
	}
	s.details = strings.Join(parts, " ")
	s.Text = s.answer
	for _, part := range []string{s.details, s.advice()} {
		if part != "" {
			s.Text += " " + part
		}
	}
}

// Answer returns the first sentence of Text, which counts ways and results.
func (s *Summary) Answer() string { return s.answer }

// advice returns the cure as a sentence, "" where none is needed.
func (s *Summary) advice() string {
	if s.Cure == "" {
		return ""
	}
	return "To make them agree: " + s.Cure + "."
}

// sentence returns Text without the cure.
func (s *Summary) sentence() string {
	return strings.TrimSuffix(s.answer+" "+s.details, " ")
}

// count returns the sentence that counts ways and results.
func (s *Summary) count(several bool) string {
	switch {
	case s.Ways == 0:
		return "Nothing could be run here."
	case s.Ways == 1:
		return "One way to add was found here, so there is nothing to compare it with."
	case s.Results < 2:
		return fmt.Sprintf("These %d ways to add gave the same bits here on every input tried.",
			s.Ways)
	case several:
		return fmt.Sprintf("These %d ways to add give up to %d different results for one "+
			"operation here.", s.Ways, s.Results)
	}
	return fmt.Sprintf("These %d ways to add give %d different results here.", s.Ways, s.Results)
}

// describeDifferences returns the sentence with the reasons for several results
// and their distance.
func (s *Summary) describeDifferences() string {
	b := "They differ"
	if len(s.Reasons) > 0 {
		b += " because " + joinAnd(s.Reasons[:min(len(s.Reasons), maxReasons)])
	}
	if s.TypicalULPs > 0 {
		b += "; usually by " + text.ULPs(s.TypicalULPs) +
			" (the median over all pairs of letters)"
	}
	return b + "."
}

// judgement returns the sentence about bugs: none, or the targets that could
// have one, with the reasons.
func (s *Summary) judgement() string {
	switch clear := s.Ways - len(s.doubtful()); {
	case len(s.Doubts) == 0:
		return "None is a bug."
	case clear == 0:
		return "None is proven: " + s.describeDoubts() + "."
	case clear == 1:
		return "One is not a bug, but look at " + s.describeDoubts() + "."
	default:
		return fmt.Sprintf("%d are not bugs, but look at %s.", clear, s.describeDoubts())
	}
}

// doubtful returns the targets in doubt, each once.
func (s *Summary) doubtful() []string {
	var names []string
	for _, d := range s.Doubts {
		names = addOnce(names, d.Target)
	}
	return names
}

// describeDoubts names the targets in doubt by verdict, with its meaning.
func (s *Summary) describeDoubts() string {
	var whys, parts []string
	names, verdicts := map[string][]string{}, map[string]string{}
	for _, d := range s.Doubts {
		whys = addOnce(whys, d.Why)
		names[d.Why] = addOnce(names[d.Why], d.Target)
		verdicts[d.Why] = string(d.Verdict)
		if d.Verdict == reveal.TreeVerdict {
			verdicts[d.Why] = "unverified"
		}
	}
	for _, why := range whys {
		parts = append(parts, joinAnd(names[why])+" ("+verdicts[why]+": "+why+")")
	}
	return joinAnd(parts)
}

// joinAnd joins parts as in a sentence: "a, b and c".
func joinAnd(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// cure returns a change that makes the targets of the tables agree.
func cure(tables []*Table) string {
	ops := map[probe.Op]bool{}
	for _, t := range tables {
		ops[t.Op] = true
	}
	const promise = "gives the same bits for every order, on every machine"
	var b string
	switch {
	case ops[probe.Sum]:
		b = "lastbit sum, or exact.Sum in Go, " + promise +
			"; ordered.Sum adds in one published order"
	case ops[probe.Dot]:
		b = "lastbit sum --op dot, or exact.Dot in Go, " + promise +
			"; ordered.Dot adds in one published order"
	default:
		b = "exact.Dot in Go, called for each result, " + promise +
			"; ordered.Dot adds in one published order"
	}
	if t, g := largest(tables); len(g.Members) > 1 {
		b += fmt.Sprintf("; or keep to targets under one letter, such as %s and %s for %s",
			g.Members[0].address, g.Members[1].address, t.name())
	}
	return b
}

// largest returns the group with the most members, and its table.
func largest(tables []*Table) (*Table, Group) {
	var table *Table
	var group Group
	for _, t := range tables {
		for _, g := range t.Groups {
			if len(g.Members) > len(group.Members) {
				table, group = t, g
			}
		}
	}
	return table, group
}
