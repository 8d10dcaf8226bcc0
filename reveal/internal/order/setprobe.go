package order

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// setProbe is one mask pair of a call, and the leaves whose bits it answers.
type setProbe struct {
	*question
	pair   ask.Pair
	leaves []int32 // of the question
	watch  []int32 // leaves below other children of the node, whose bits show the edge
}

// maxWatched bounds the leaves whose bits show an edge. One answers for all
// where the target is one tree, a second may show that it is not.
const maxWatched = 2

// maxTried bounds the questions that are tried for one call.
const maxTried = 256

// choose takes the set probes of one call from the queue: the questions of the
// most leaves first, then every other whose node is disjoint from the nodes
// chosen. No question's leaves are then inside another's node: they lie in a
// connected part of the tree around their own node, and no two parts overlap.
func (g *grower) choose() []setProbe {
	var chosen []setProbe
	room, tried := g.bits, 0
	for list := maxSorted; list > 0; list-- {
		for at := 0; at < len(g.queue.lists[list]) && room > 0 && tried < maxTried; tried++ {
			q := g.queue.lists[list][at]
			if !g.isDisjoint(q.node, chosen) {
				at++
				continue
			}
			g.queue.remove(list, at)
			p := g.probe(q, room)
			room -= len(p.leaves) + len(p.watch)
			chosen = append(chosen, p)
		}
	}
	for i := range chosen { // bits are left: leaves at the spot learn something, too
		p := &chosen[i]
		if p.step == nil {
			k := min(room, p.open()-1)
			p.leaves = p.question.leaves[1 : 1+k]
			room -= k
		}
	}
	return chosen
}

// isDisjoint reports whether a node is disjoint from those chosen.
func (g *grower) isDisjoint(node int32, chosen []setProbe) bool {
	for i := range chosen {
		if !g.areDisjoint(int(node), int(chosen[i].node)) {
			return false
		}
	}
	return true
}

// probe returns the set probe of a question that uses at most room bits.
func (g *grower) probe(q *question, room int) setProbe {
	kids := g.children(int(q.node))
	p := setProbe{question: q}
	if q.step != nil {
		p.pair = ask.Pair{A: int(g.rep[kids[0]]), B: int(g.rep[kids[1]])}
		p.leaves = q.leaves[q.asked:min(len(q.leaves), q.asked+room)]
		return p
	}
	p.pair = ask.Pair{A: int(q.leaves[0]), B: int(g.rep[kids[q.kid]])}
	for k := 1; k < len(kids) && len(p.watch) < min(room, maxWatched); k++ {
		p.watch = append(p.watch, g.rep[kids[(q.kid+k)%len(kids)]])
	}
	return p
}

// ask makes one call for each lane of the pool, or fewer, and takes the answers
// in.
func (g *grower) ask() error {
	var calls [][]setProbe
	var patches []ask.Patch
	for range g.c.Pool() {
		probes := g.choose()
		if len(probes) == 0 {
			break
		}
		// What is left of a question may be asked in another lane.
		for _, p := range probes {
			if p.step != nil {
				p.asked += len(p.leaves)
				if p.open() > 0 {
					g.queue.add(p.question)
				}
			}
		}
		calls = append(calls, probes)
		patches = append(patches, g.patch(probes))
	}
	out, err := g.c.AskPatched(g.c.Pool(), patches...)
	if err != nil {
		return err
	}
	for k, probes := range calls {
		if err := g.read(probes, patches[k].Fill(), out[k]); err != nil {
			return err
		}
	}
	return nil
}

// patch returns the input of one call: the leaf of bit k carries 2^k units.
func (g *grower) patch(probes []setProbe) ask.Patch {
	pairs := make([]ask.Pair, len(probes))
	var input ask.Patch
	bit := g.c.Scale.Unit
	for k, p := range probes {
		pairs[k] = p.pair
		for _, leaves := range [][]int32{p.leaves, p.watch} {
			for _, leaf := range leaves {
				input.Set(int(leaf), bit)
				bit *= 2
			}
		}
	}
	g.c.Inputs.Masks(&input, pairs)
	return input
}

// read takes the output of one call in: a bit for each leaf, set for those
// outside the lowest common ancestor of their pair.
func (g *grower) read(probes []setProbe, fill ask.Fill, out float64) error {
	bits := 0
	for _, p := range probes {
		bits += len(p.leaves) + len(p.watch)
	}
	count, ok := g.c.Scale.Count(out)
	if !ok || count >= math.Ldexp(1, bits) {
		return ask.NotACount(g.c, fill, out)
	}
	outside := uint64(count)
	for _, p := range probes {
		used := len(p.leaves) + len(p.watch)
		if !g.take(p, outside&(1<<used-1)) {
			what := fmt.Sprintf(
				"leaves %d and %d meet below some operands of a sum and above others",
				p.pair.A, p.pair.B)
			return &verdict.Fact{Reason: verdict.NoTree, What: what, Witness: g.c.Witness(
				"an output that no tree gives", nil, fill, []float64{out}, nil)}
		}
		outside >>= used
	}
	return nil
}

// take takes one answer in. It reports whether a tree can give it; what only a
// tree with fused sums can give, the certificate of a binary tree will refuse.
func (g *grower) take(p setProbe, outside uint64) bool {
	q := p.question
	for k, leaf := range p.leaves {
		if outside>>k&1 != 0 {
			q.outside = append(q.outside, leaf)
		} else {
			q.inside = append(q.inside, leaf)
		}
	}
	if q.step == nil {
		return g.takeEdge(p, outside>>len(p.leaves))
	}
	if len(q.inside)+len(q.outside) == len(q.leaves) {
		g.forward(q)
	}
	return true
}

// takeEdge takes in whether the first leaf of a question belongs to the edge
// that was asked about: then all watched leaves are outside.
func (g *grower) takeEdge(p setProbe, outside uint64) bool {
	q := p.question
	leaf, others := q.leaves[0], q.leaves[1:]
	kids := g.children(int(q.node))
	switch {
	case outside == 1<<len(p.watch)-1:
		w := int32(g.insertAbove(kids[q.kid], leaf))
		g.inserted(q.batch, w)
		g.sendPast(w, q.node, others, q)
		return true
	case outside != 0 || g.multiway && len(q.outside) > 0:
		return false
	}
	q.inside, q.outside = q.inside[:0], q.outside[:0] // they lie inside the whole node
	switch q.kid++; {
	case q.kid < len(kids)-1 || g.multiway && q.kid < len(kids):
		g.queue.add(q)
	case g.multiway:
		g.join(int(q.node), leaf)
		g.inserted(q.batch, noNode)
		g.send(atSpot(q.node), others, q.batch)
	default:
		w := int32(g.insertAbove(kids[q.kid], leaf))
		g.inserted(q.batch, w)
		g.sendPast(w, q.node, others, q)
	}
	return true
}
