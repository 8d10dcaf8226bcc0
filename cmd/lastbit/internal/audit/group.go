package audit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/reveal"
)

// take gives every row its findings and its groups.
func (t *Table) take(c *reveal.Comparison, live []*watched) {
	t.Tried = c.Tried
	for i, w := range live {
		g := describe.GroupOf(c, i)
		if w.shifted {
			w.row.group[1] = g
			if g != w.row.group[0] {
				w.row.Shifted = c.Findings[i]
			}
			continue
		}
		w.row.Finding, w.row.group = c.Findings[i], [2]int{g, g}
	}
	for _, r := range t.rows {
		r.takeAddresses()
	}
	t.Pairs = []Pair{}
	for i := range c.Differences {
		d := &c.Differences[i]
		a, b := describe.GroupOf(c, d.A), describe.GroupOf(c, d.B)
		t.Pairs = append(t.Pairs, Pair{A: fmt.Sprint(a), B: fmt.Sprint(b), Difference: d})
	}
}

// otherAddress is the group of a row at an address that no other row was
// compared at.
const otherAddress = -1

// takeAddresses takes the finding at another address, where the order depends
// on it and no target was opened there.
func (r *Row) takeAddresses() {
	if r.Finding == nil || r.Shifted != nil {
		return
	}
	if a := r.Finding.Addresses; a != nil && a.Depends && a.Other != nil {
		r.Shifted, r.group[1] = a.Other, otherAddress
	}
}

// group gives one letter to targets that agree, and compares the letters.
func (t *Table) group() {
	byClass := map[string]int{}
	for _, r := range t.rows {
		if r.Finding == nil {
			t.Failed = append(t.Failed, Failure{r.address, faultOf(r.fault)})
			continue
		}
		class := r.class()
		g, ok := byClass[class]
		if !ok {
			g = len(t.Groups)
			byClass[class] = g
			t.Groups = append(t.Groups, Group{Letter: describe.GroupName(g), Words: r.words()})
		}
		t.Groups[g].Members = append(t.Groups[g].Members, r)
	}
	compared := t.Pairs
	t.tellApart(compared)
	t.Pairs = []Pair{}
	for i, a := range t.Groups {
		for _, b := range t.Groups[i+1:] {
			p := pairOf(a, b, compared)
			c := cellOf(p)
			c.Formats = a.Members[0].Finding.Key.Out != b.Members[0].Finding.Key.Out
			t.Matrix = append(t.Matrix, c)
			if i == 0 {
				t.Pairs = append(t.Pairs, p)
			}
		}
	}
}

// tellApart adds to the words of groups that have the same ones the traits that
// they differ in, or else the results that do.
func (t *Table) tellApart(compared []Pair) {
	findings := make([]*reveal.Finding, len(t.Groups))
	number := make([]int, len(t.Groups))
	for g := range t.Groups {
		findings[g], number[g] = t.Groups[g].Members[0].Finding, g
	}
	for g, words := range describe.BriefApart(findings, number) {
		if t.Groups[g].Members[0].Shifted == nil {
			t.Groups[g].Words = words
		}
	}
	same := map[string][]int{}
	for g := range t.Groups {
		same[t.Groups[g].Words] = append(same[t.Groups[g].Words], g)
	}
	for _, members := range same {
		for i, b := range members {
			for _, a := range members[:i] {
				t.tellResults(a, b, compared)
			}
		}
	}
}

// tellResults explains how the results of two groups with the same words
// differ: in the words of both where only results that are not ordinary numbers
// do, and below the table elsewhere.
func (t *Table) tellResults(a, b int, compared []Pair) {
	g, h := &t.Groups[a], &t.Groups[b]
	p := pairOf(*g, *h, compared)
	if d := p.Difference; d != nil && d.Witness != nil && d.Differ == 0 {
		one, other := describe.Extremes(d.Witness)
		if one != other {
			g.Words, h.Words = withWords(g.Words, one), withWords(h.Words, other)
			return
		}
	}
	t.Alike = append(t.Alike, p)
}

// withWords adds words to a list of them, once.
func withWords(list, more string) string {
	if more == "" || strings.Contains(list, more) {
		return list
	}
	return list + ", " + more
}

// class returns the same text for rows that belong under one letter.
func (r *Row) class() string {
	f := r.Finding
	shifted := ""
	if r.Shifted != nil {
		shifted = r.Shifted.Family
	}
	return fmt.Sprint(r.group, f.Verdict, f.Verified, encodeArithmetic(f), shifted,
		encodeArithmetic(r.Shifted))
}

// encodeArithmetic returns a finding's arithmetic as text.
func encodeArithmetic(f *reveal.Finding) string {
	if f == nil || f.Arithmetic == nil {
		return ""
	}
	b, err := json.Marshal(f.Arithmetic)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// cellOf returns the pair without its inputs.
func cellOf(p Pair) Cell {
	c := Cell{A: p.A, B: p.B, Note: p.Note, pair: p}
	if d := p.Difference; d != nil {
		c.Tried, c.Differ, c.TypicalULPs = d.Tried, d.Differ, d.TypicalULPs
		if v := d.Witness; v != nil {
			c.ULPs, c.Summands, c.Bits = v.ULPs, v.Summands, v.Bits
		}
	}
	return c
}

// pairOf returns the differences of group b from group a.
func pairOf(a, b Group, compared []Pair) Pair {
	p := Pair{A: a.Letter, B: b.Letter}
	x, y := a.Members[0], b.Members[0]
	if f, g := x.Finding.Key.Out, y.Finding.Key.Out; f != g {
		p.Note = fmt.Sprintf("the results are of different formats, %s and %s", f, g)
		return p
	}
	for side := range 2 {
		g, h := fmt.Sprint(x.group[side]), fmt.Sprint(y.group[side])
		for _, d := range compared {
			if d.A == g && d.B == h || d.A == h && d.B == g {
				p.Difference = d.Difference
				if d.A == h {
					p.Difference = turned(d.Difference)
				}
				if side == 1 {
					p.Note = fmt.Sprintf("only where data begins %d bytes past a multiple of 64",
						y.Finding.Key.DType.Bytes())
				}
				return p
			}
		}
	}
	p.Note = "agreed on every input tried; " + explainApart(x.Finding, y.Finding)
	return p
}

// turned returns a difference with its two sides exchanged.
func turned(d *reveal.Difference) *reveal.Difference {
	t := *d
	t.A, t.B = d.B, d.A
	if d.Witness != nil {
		v := *d.Witness
		v.Outs, v.Bits = slices.Clone(v.Outs), [2]string{v.Bits[1], v.Bits[0]}
		slices.Reverse(v.Outs)
		t.Witness = &v
	}
	return &t
}

// explainApart explains why two findings have different letters although their
// results agreed on every input.
func explainApart(f, g *reveal.Finding) string {
	if f.Verdict != g.Verdict || f.Verified != g.Verified {
		return fmt.Sprintf("one is %s and the other %s", describe.Family(f), describe.Family(g))
	}
	if differInZero(f, g) {
		return fmt.Sprintf("where all summands are −0 one gives %s and the other %s",
			f.Traits.Initial, g.Traits.Initial)
	}
	a, _ := describe.Arithmetic(f)
	b, _ := describe.Arithmetic(g)
	return fmt.Sprintf("the arithmetic is not the same: %s against %s", a, b)
}

// differInZero reports whether the arithmetic of two findings differs only in
// the sign of a sum of −0.
func differInZero(f, g *reveal.Finding) bool {
	if f.Arithmetic == nil || g.Arithmetic == nil ||
		f.Arithmetic.PlusZero == g.Arithmetic.PlusZero {
		return false
	}
	a := *f.Arithmetic
	a.PlusZero = g.Arithmetic.PlusZero
	return reflect.DeepEqual(a, *g.Arithmetic)
}
