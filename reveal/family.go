package reveal

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/sumtree"
)

// structure is an input whose output depends on the order alone: masks of one
// magnitude, as many positive as negative, at random leaves, and counts on the
// others. Whatever the precision and the rounding, the result is the sum of the
// counts that meet no mask that is still there.
type structure struct {
	plus, minus []int
	w           weights
	exp         int
}

// structures makes inputs with few and with many masks.
func (p *prober) structures(k int) []structure {
	s := make([]structure, k)
	for i := range s {
		s[i] = p.structure(i > 0)
	}
	return s
}

// structure makes one input, of one mask pair or of many.
func (p *prober) structure(many bool) structure {
	most := min(p.n/2, 12)
	if p.sc.hi < 20 { // float16: three masks of 2^lo do not overflow
		most = min(most, 3)
	}
	m := min(most, 1)
	if many && most > 1 {
		m = 1 + p.rng.IntN(most)
	}
	order := p.sample(2 * m)
	return structure{plus: order[:m], minus: order[m:], w: p.randomWeights(nil), exp: p.sc.lo}
}

// sample returns k different leaves. Half of the time they are close together,
// since families differ in what they do with the last few.
func (p *prober) sample(k int) []int {
	span, from := p.n, 0
	if near := 4*k + 4; near < p.n && p.rng.IntN(2) == 0 {
		span = near
		from = p.rng.IntN(p.n - near + 1)
		if p.rng.IntN(2) == 0 {
			from = p.n - near
		}
	}
	seen := map[int]bool{}
	var all []int
	for len(all) < k {
		if i := from + p.rng.IntN(span); !seen[i] {
			seen[i] = true
			all = append(all, i)
		}
	}
	return all
}

// fill writes the structure with masks of 2^exp and counts in units.
func (s structure) fill(exp int, unit float64) func([]float64) {
	return func(row []float64) {
		for i, c := range s.w {
			row[i] = c * unit
		}
		for k := range s.plus {
			row[s.plus[k]], row[s.minus[k]] = math.Ldexp(1, exp), -math.Ldexp(1, exp)
		}
	}
}

// logical returns the input as sumtree.Family.Masked and a replay in float64
// take it: masks of 2^200 and counts.
func (s structure) logical() []float64 {
	x := make([]float64, len(s.w))
	s.fill(200, 1)(x)
	return x
}

// unmasked returns the output of an implementation that never loses a count.
func (s structure) unmasked() float64 {
	c := s.w.total()
	for k := range s.plus {
		c -= s.w[s.plus[k]] + s.w[s.minus[k]]
	}
	return c
}

// askStructures asks each structure once, in all lanes of the pool's target,
// and returns the counts of the main lane and the lanes that agree with it on
// every one.
func (p *prober) askStructures(bank []structure) (counts []float64, pool []int, err error) {
	agree := make([]bool, p.t.Lanes())
	for i := range agree {
		agree[i] = true
	}
	for _, s := range bank {
		fill := s.fill(s.exp, p.sc.unit)
		var out []float64
		if p.t.Lanes() == 1 {
			out, err = p.ask(nil, fill)
		} else {
			out, err = p.askAll(nil, fill)
		}
		if err != nil {
			return nil, nil, err
		}
		main := out[p.pool[0]]
		c, ok := p.count(main)
		if !ok {
			return nil, nil, p.nonsense(fill, main)
		}
		counts = append(counts, c)
		for lane, o := range out {
			agree[lane] = agree[lane] && sameBits(o, main)
		}
	}
	pool = []int{p.pool[0]}
	for lane, a := range agree {
		if a && lane != p.pool[0] {
			pool = append(pool, lane)
		}
	}
	return counts, pool, nil
}

// family guesses: it folds every candidate over the structures asked and keeps
// those that foretell all the counts. While these still differ, it asks the
// structure on which they differ most. No calls where none is left.
func (p *prober) family(bank []structure, counts []float64) (*sumtree.Tree, string, error) {
	left := slices.DeleteFunc(sumtree.Candidates(p.n), func(f sumtree.Family) bool {
		return slices.Contains(p.excluded, f.String())
	})
	if p.n > familyLarge { // a fold takes milliseconds: the first that fits goes to the certificate
		left = p.firstForetelling(left, bank, counts)
	}
	for k, s := range bank {
		left = foretelling(left, s.logical(), counts[k])
	}
	for round := 0; len(left) > 1 && round < familyRounds; round++ {
		if err := p.ctx.Err(); err != nil {
			return nil, "", err
		}
		questions := p.discriminating(left)
		if len(questions) == 0 {
			break // they are all one tree at this n
		}
		p.expect("family", 1)
		fills := make([]func([]float64), len(questions))
		for k, s := range questions {
			fills[k] = s.fill(s.exp, p.sc.unit)
		}
		out, err := p.ask(nil, fills...)
		if err != nil {
			return nil, "", err
		}
		for k, o := range out {
			c, ok := p.count(o)
			if !ok {
				return nil, "", p.nonsense(fills[k], o)
			}
			left = foretelling(left, questions[k].logical(), c)
		}
	}
	if len(left) == 0 {
		return nil, "", nil
	}
	return left[0].Tree(p.n), left[0].String(), nil
}

const (
	familyRounds = 40      // bounds the questions that tell families apart
	familyTries  = 20      // bounds the families whose certificate is tried
	familyLarge  = 1 << 16 // summands from which on families are not told apart first
)

// firstForetelling returns the first family that foretells all the counts.
func (p *prober) firstForetelling(families []sumtree.Family, bank []structure, counts []float64) []sumtree.Family {
	inputs := make([][]float64, len(bank))
	for k := range bank {
		inputs[k] = bank[k].logical()
	}
next:
	for i, f := range families {
		for k, x := range inputs {
			if p.ctx.Err() != nil {
				return nil
			}
			if f.Masked(x) != counts[k] {
				continue next
			}
		}
		return families[i : i+1]
	}
	return nil
}

// foretelling returns the families whose masked sum of x is count.
func foretelling(families []sumtree.Family, x []float64, count float64) []sumtree.Family {
	var left []sumtree.Family
	for _, f := range families {
		if f.Masked(x) == count {
			left = append(left, f)
		}
	}
	return left
}

// discriminating returns structures that tell the families apart, as many as one
// call answers: the random one on which they differ most, and for families with
// another tree than the first one, masks under a node that only one of them has.
// There is none when all families are one tree.
func (p *prober) discriminating(families []sumtree.Family) []structure {
	var questions []structure
	tries := 24
	if p.n > familyLarge {
		tries = 4
	}
	most := 1
	for k := range tries {
		s := p.structure(k%2 == 1)
		x := s.logical()
		counts := map[float64]bool{}
		for _, f := range families[:min(len(families), 64)] {
			counts[f.Masked(x)] = true
		}
		if len(counts) > most {
			questions, most = []structure{s}, len(counts)
		}
	}
	room := min(len(p.pool), familyQuestions)
	if len(questions) >= room {
		return questions
	}
	first := families[0].Tree(p.n)
	for _, f := range families[1:] {
		if len(questions) >= room {
			break
		}
		if other := f.Tree(p.n); !first.Equal(other) {
			q := apart(first, other)
			questions = append(questions, structure{plus: []int{q.a}, minus: []int{q.b}, w: p.randomWeights(nil), exp: p.sc.lo})
		}
	}
	return questions
}

// familyQuestions is how many structures are asked in one call.
const familyQuestions = 16

// apart returns two leaves that have not the same leaves under their lowest
// common ancestor in t and in u, which are not equal: those of a node of t that
// u lacks. Nodes are compared by sums of random words over their leaves.
func apart(t, u *sumtree.Tree) pair {
	inU := map[uint64]bool{}
	for _, h := range clusterHashes(u)[u.Leaves():] {
		inU[h] = true
	}
	hashes := clusterHashes(t)
	order, lo, _ := t.LeafOrder()
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if !inU[hashes[id]] {
			kids := t.Children(id)
			return pair{int(order[lo[kids[0]]]), int(order[lo[kids[1]]])}
		}
	}
	return apart(u, t) // every node of t is one of u, which has more
}

// clusterHashes returns for every node the sum of one word for each leaf under it.
func clusterHashes(t *sumtree.Tree) []uint64 {
	h := make([]uint64, t.Nodes())
	for id := range h {
		if t.IsLeaf(id) {
			z := (uint64(id) + 1) * 0x9E3779B97F4A7C15 // splitmix64
			z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
			z = (z ^ z>>27) * 0x94D049BB133111EB
			h[id] = z ^ z>>31
			continue
		}
		for _, c := range t.Children(id) {
			h[id] += h[c]
		}
	}
	return h
}
