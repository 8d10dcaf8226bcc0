package order

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// setProbe is one mask pair of a call, and the seekers whose bits it answers.
type setProbe struct {
	node    int // masks stay inside this node
	pair    ask.Pair
	seekers []*seeker
	triple  *seeker // not nil: this seeker is masked, with child kid of node
	kid     int
	watch   []int // the leaves whose bits answer a triple
}

// bits returns the number of bits of the answer that the probe uses.
func (q *setProbe) bits() int { return len(q.seekers) + len(q.watch) }

// maxGroups bounds the groups of seekers that are tried for one call, maxFill
// the seekers that fillUp looks at.
const (
	maxGroups = 128
	maxFill   = 512
)

// group is the seekers that share a wish.
type group struct {
	wish
	seekers []*seeker
}

// groups returns the pending seekers by their wish, the most wanted first.
// Seekers whose place is found leave pending.
func (g *grower) groups() []*group {
	var groups []*group
	index := map[wish]*group{}
	still := g.pending[:0]
	for _, s := range g.pending {
		w, ok := g.wish(s)
		if !ok {
			continue
		}
		still = append(still, s)
		if q := index[w]; q != nil && !w.triple {
			q.seekers = append(q.seekers, s)
			continue
		}
		q := &group{wish: w, seekers: []*seeker{s}}
		groups = append(groups, q)
		index[w] = q
	}
	g.pending = still
	slices.SortStableFunc(groups, func(a, b *group) int { return len(b.seekers) - len(a.seekers) })
	return groups
}

// choose returns the set probes of one call: the most wanted first, then every
// other that is disjoint from those chosen.
func (g *grower) choose() []*setProbe {
	var chosen []*setProbe
	room := g.bits
	groups := g.groups()
	for _, q := range groups[:min(len(groups), maxGroups)] {
		if room <= 0 {
			break
		}
		if !g.isCompatible(q.node, q.seekers, chosen) {
			continue
		}
		p := g.probe(q, room)
		if p == nil {
			continue
		}
		room -= p.bits()
		chosen = append(chosen, p)
	}
	g.fillUp(chosen, room)
	return chosen
}

// fillUp gives the bits that are left to seekers that learn something from a
// chosen node, though not the most.
func (g *grower) fillUp(chosen []*setProbe, room int) {
	asked := map[*seeker]bool{}
	for _, p := range chosen {
		for _, s := range p.seekers {
			asked[s] = true
		}
		asked[p.triple] = true
	}
	for _, s := range g.pending[:min(len(g.pending), maxFill)] {
		if room == 0 {
			return
		}
		if asked[s] {
			continue
		}
		var open *setProbe
		n := 0
		for _, p := range chosen {
			if !g.isOutside(s, p.node) {
				n++
				open = p
			}
		}
		if n == 1 && open.triple == nil && g.isUndecided(s, open.node) {
			open.seekers = append(open.seekers, s)
			room--
		}
	}
}

// isCompatible reports whether a probe under node can share a call with the
// ones chosen: nodes disjoint, and every seeker outside all nodes except its
// own.
func (g *grower) isCompatible(node int, seekers []*seeker, chosen []*setProbe) bool {
	for _, p := range chosen {
		if g.isWithin(node, p.node) || g.isWithin(p.node, node) {
			return false
		}
		for _, s := range p.seekers {
			if !g.isOutside(s, node) {
				return false
			}
		}
		if p.triple != nil && !g.isOutside(p.triple, node) {
			return false
		}
		for _, s := range seekers {
			if !g.isOutside(s, p.node) {
				return false
			}
		}
	}
	return true
}

// probe returns the set probe of a group that uses at most room bits, or nil.
func (g *grower) probe(q *group, room int) *setProbe {
	if !q.triple {
		kids := g.children(q.node)
		return &setProbe{node: q.node, pair: ask.Pair{A: g.rep[kids[0]], B: g.rep[kids[1]]},
			seekers: q.seekers[:min(len(q.seekers), room)]}
	}
	s := q.seekers[0]
	p := &setProbe{node: q.node, pair: ask.Pair{A: s.leaf, B: g.rep[q.kid]}, triple: s, kid: q.kid}
	for _, k := range g.children(q.node) {
		if k != q.kid {
			p.watch = append(p.watch, g.rep[k])
		}
	}
	if len(p.watch) > room { // one of them answers for all
		p.watch = p.watch[:1]
	}
	if len(p.watch) > room {
		return nil
	}
	return p
}

// ask makes the call and takes the answers in.
func (g *grower) ask(probes []*setProbe) error {
	if len(probes) == 0 {
		return nil
	}
	var leaves []int // leaf k carries 2^k units
	var pairs []ask.Pair
	for _, p := range probes {
		pairs = append(pairs, p.pair)
		for _, s := range p.seekers {
			leaves = append(leaves, s.leaf)
		}
		leaves = append(leaves, p.watch...)
	}
	masks := g.c.Inputs.Masked(nil, pairs)
	fill := func(row []float64) {
		for k, leaf := range leaves {
			row[leaf] = math.Ldexp(g.c.Scale.Unit, k)
		}
		masks(row)
	}
	out, err := g.c.Ask(nil, fill)
	if err != nil {
		return err
	}
	count, ok := g.c.Scale.Count(out[0])
	if !ok || count >= math.Ldexp(1, len(leaves)) {
		return ask.NotACount(g.c, fill, out[0])
	}
	outside := uint64(count)
	for _, p := range probes {
		if !g.take(p, outside&(1<<p.bits()-1)) {
			what := fmt.Sprintf(
				"leaves %d and %d meet below some operands of a sum and above others",
				p.pair.A, p.pair.B)
			return &verdict.Fact{Reason: verdict.NoTree, What: what,
				Witness: g.c.Witness("an output that no tree gives", nil, fill, out, nil)}
		}
		outside >>= p.bits()
	}
	return nil
}

// take takes one answer in: a bit for each seeker, then one for each watched
// leaf, set for those outside the pair's lowest common ancestor. It reports
// whether a tree can give that answer.
func (g *grower) take(p *setProbe, outside uint64) bool {
	for k, s := range p.seekers {
		s.next = 0
		if outside>>k&1 != 0 {
			s.out[p.node] = true
		} else {
			s.top = p.node
		}
	}
	if p.triple == nil {
		return true
	}
	switch outside >> len(p.seekers) {
	case 1<<len(p.watch) - 1: // all outside: it joins kid
		g.insertAbove(p.kid, p.triple.leaf)
		g.pending = slices.DeleteFunc(g.pending, func(s *seeker) bool { return s == p.triple })
	case 0:
		p.triple.not[p.kid] = true
	default:
		return false
	}
	return true
}
