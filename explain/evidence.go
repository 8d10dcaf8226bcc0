package explain

import (
	"math"
	"slices"
)

// evidence estimates how much the results of a side reveal about the
// computation: how likely an implementation that is not in the catalogue would
// have given the same results by chance.
type evidence struct {
	predictions [][]float64 // of plain hypotheses, for each probe
	names       []*candidate
	right       []float64 // the correctly rounded results of the probes
}

// plainHypotheses bounds the hypotheses that chance is estimated from.
const plainHypotheses = 64

// gather computes plain hypotheses on the probes.
func (s *search) gather(usual []arithmetic) *evidence {
	var plain []arithmetic
	accumulators := map[string]int{}
	for _, a := range usual {
		const each = 2 // two rules of FMA, or one accumulator
		if acc := a.model[Accumulator]; a.width == 0 && accumulators[acc] < each {
			accumulators[acc]++
			plain = append(plain, a)
		}
	}
	const share = 8 // of the time
	most := affordable(share, s.p.N, len(plain), len(s.probes))
	list := families(s.p.N, max(min(plainHypotheses/len(plain), most), 4))
	ev := &evidence{}
	t := truth{p: s.p, out: s.out}
	for _, e := range s.probes {
		ev.right = append(ev.right, t.correct(e))
	}
	for _, f := range list {
		tree := f.Tree(s.p.N)
		for k := range plain {
			c := &candidate{tree: tree, arith: &plain[k], order: s.hash(tree),
				model: plain[k].modelIn(f.String(), tree)}
			c.name = c.model.name(s.usual)
			r := s.newEvaluator(c, nil)
			if r == nil {
				continue
			}
			v := make([]float64, len(s.probes))
			for i, e := range s.probes {
				v[i] = r.predict(e)
			}
			ev.predictions, ev.names = append(ev.predictions, v), append(ev.names, c)
		}
	}
	return ev
}

// bits returns the evidence in the results of one side for the hypotheses that
// reproduce all of them, in bits. Every probe counts as much as it divides
// hypotheses that fail, and no more than its distance from the correct result
// allows: an implementation that is off by d ULPs hits any given one of about
// 2d results. Elements that are not probes count as much as the probes, where
// the two sides differ, and the summands are not another element's.
func (s *search) bits(ev *evidence, side int) float64 {
	var failing [][]float64
	for _, v := range ev.predictions {
		for i, e := range s.probes {
			if !same(v[i], s.want[side][e]) {
				failing = append(failing, v)
				break
			}
		}
	}
	if len(failing) == 0 {
		return 0
	}
	total, probes := 0.0, 0
	for i, e := range s.probes {
		want := s.want[side][e]
		agree := 0
		for _, v := range failing {
			if same(v[i], want) {
				agree++
			}
		}
		//lastbit:ignore libm a measure of evidence
		divides := math.Log2((float64(len(failing)) + 1) / (float64(agree) + 0.5))
		const leastLimit = 2
		limit := float64(leastLimit)
		if want == want && ev.right[i] == ev.right[i] {
			//lastbit:ignore libm a measure of evidence
			limit = max(limit, math.Log2(1+2*float64(s.out.Distance(want, ev.right[i]))))
		}
		total += max(min(divides, limit), 0)
		if !same(s.want[0][e], s.want[1][e]) {
			probes++
		}
	}
	if probes > 0 {
		total *= max(1, float64(s.kinds)/float64(probes))
	}
	return total
}

// isPlain reports whether every plain hypothesis gives the results of a side,
// and these are correctly rounded.
func (s *search) isPlain(ev *evidence, side int) bool {
	for i, e := range s.probes {
		want := s.want[side][e]
		unlike := func(v []float64) bool { return !same(v[i], want) }
		if !same(ev.right[i], want) || slices.ContainsFunc(ev.predictions, unlike) {
			return false
		}
	}
	return len(ev.predictions) > 0
}

// needed returns the evidence that a hypothesis needs. With it, one of the
// hypotheses tried so far fits by accident in one of 2^8 cases.
func needed(c *candidate) float64 {
	const margin = 8
	return margin + math.Log2(1+float64(c.rank)) //lastbit:ignore libm a measure of evidence
}

// enough reports whether evidence suffices for a hypothesis.
func enough(bits float64, c *candidate) bool { return bits >= needed(c) }

// nearest returns the plain hypothesis that reproduces the most probes of a
// side, or nil where none reproduces any.
func (s *search) nearest(ev *evidence, side int) *candidate {
	var best *candidate
	most := 0
	for k, v := range ev.predictions {
		n := 0
		for i, e := range s.probes {
			if same(v[i], s.want[side][e]) {
				n++
			}
		}
		if n > most {
			best, most = ev.names[k], n
		}
	}
	return best
}
