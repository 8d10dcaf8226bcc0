package reveal

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/sumtree"
)

// fprev is FPRev: Algorithm 3 of the paper (binary trees) and Algorithm 4
// (multiway trees, for fused sums). BuildSubtree(I) fixes i = min I, asks for
// L(i,j), the number of leaves under the lowest common ancestor of i and j, for
// every other j in I, and solves the sets of equal L in ascending order.
//
// The recursion is a worklist: sets of one round are independent, so their
// probes share calls where the target has lanes, and depth costs no stack.
// Probes: n−1 for a chain, n(n−1)/2 for a reverse chain.
func (p *prober) fprev(multiway bool) (*sumtree.Tree, error) {
	sets := []fprevSet{{leaves: sequence(p.n)}}
	for from := 0; from < len(sets); {
		round := sets[from:]
		var pairs []pair
		for _, s := range round {
			for _, j := range s.leaves[1:] {
				pairs = append(pairs, pair{s.leaves[0], j})
			}
		}
		p.expect("fprev", (len(pairs)+len(p.pool)-1)/len(p.pool))
		sizes, err := p.sizes(pairs)
		if err != nil {
			return nil, err
		}
		base := from
		from = len(sets)
		at := 0
		for k := base; k < from; k++ {
			m := len(sets[k].leaves) - 1
			sets = sets[k].split(k, sizes[at:at+m], sets)
			at += m
		}
	}
	return assemble(p.n, sets, multiway)
}

// fprevSet is one call of BuildSubtree: leaves, i first, and the sets of equal
// L(i,j) that it found, ascending.
type fprevSet struct {
	leaves []int
	parts  []fprevPart
}

type fprevPart struct {
	size int // L(i,j) of its leaves j
	set  int // index of the set J, larger than the one of I
}

// split groups the leaves of set k by size and appends the groups as new sets.
func (s fprevSet) split(k int, sizes []int, sets []fprevSet) []fprevSet {
	order, groups := bySize(s.leaves[1:], sizes)
	for _, l := range order {
		sets[k].parts = append(sets[k].parts, fprevPart{size: l, set: len(sets)})
		sets = append(sets, fprevSet{leaves: groups[l]})
	}
	return sets
}

// bySize groups leaves by their sizes, which it returns in ascending order;
// negative sizes, unknown ones, are left out.
func bySize(leaves, sizes []int) (order []int, groups map[int][]int) {
	groups = map[int][]int{}
	for k, j := range leaves {
		if sizes[k] < 0 {
			continue
		}
		if groups[sizes[k]] == nil {
			order = append(order, sizes[k])
		}
		groups[sizes[k]] = append(groups[sizes[k]], j)
	}
	slices.Sort(order)
	return order, groups
}

// assemble is the second half of BuildSubtree, for all sets from the last, which
// depend on none, to the first.
func assemble(n int, sets []fprevSet, multiway bool) (*sumtree.Tree, error) {
	var kids [][]int               // of inner nodes, whose ids are from n on
	root := make([]int, len(sets)) // of T'
	full := make([]int, len(sets)) // leaves of the complete subtree under that root
	for k := len(sets) - 1; k >= 0; k-- {
		s := sets[k]
		cur, size := s.leaves[0], 1
		full[k] = 1
		for _, part := range s.parts {
			sub, count := root[part.set], len(sets[part.set].leaves)
			switch {
			case full[part.set] == count || !multiway: // the root of T' is a sibling
				kids = append(kids, []int{cur, sub})
				cur = n + len(kids) - 1
			case full[part.set] == part.size: // the root of T' is the parent
				kids[sub-n] = append(kids[sub-n], cur)
				cur = sub
			default:
				return nil, contradiction(s.leaves[0], sets[part.set].leaves[0], part.size, full[part.set])
			}
			size += count
			full[k] = part.size
			last := len(s.parts) > 0 && part == s.parts[len(s.parts)-1]
			if size > part.size || size < part.size && !(multiway && last) {
				return nil, contradiction(s.leaves[0], sets[part.set].leaves[0], part.size, size)
			}
		}
		root[k] = cur
	}
	return build(n, root[0], func(id int) []int { return kids[id-n] })
}

// contradiction says that probes give two sizes to the sum in which i and j meet.
func contradiction(i, j, size, other int) error {
	return &inconsistent{meet: pair{i, j}, what: fmt.Sprintf("summands %d and %d meet in a sum of %d by one probe, and of %d by others", i, j, size, other)}
}

// build makes a Tree from children lists, without recursion.
func build(n, root int, kids func(id int) []int) (*sumtree.Tree, error) {
	var order []int // inner nodes, parents before children
	stack := []int{root}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id < n {
			continue
		}
		order = append(order, id)
		stack = append(stack, kids(id)...)
	}
	b := sumtree.NewBuilder(n)
	made := make(map[int]int, len(order))
	for _, id := range slices.Backward(order) {
		var c []int
		for _, kid := range kids(id) {
			if kid >= n {
				kid = made[kid]
			}
			c = append(c, kid)
		}
		made[id] = b.Node(c...)
	}
	t, err := b.Tree()
	if err != nil {
		return nil, &inconsistent{what: err.Error()}
	}
	return t, nil
}

// sizes asks for L(i,j) of every pair: n less the count that comes out.
func (p *prober) sizes(pairs []pair) ([]int, error) {
	if float64(p.n) >= math.Ldexp(1, p.sc.bits) {
		return nil, errPrecision(p)
	}
	ones := make(weights, p.n)
	for i := range ones {
		ones[i] = 1
	}
	return p.masked(ones, p.n, pairs)
}

// masked asks for total less the count that comes out, for each pair, with the
// given weights on the other leaves. The weights of a pair's own leaves count as
// inside its subtree.
func (p *prober) masked(w weights, total int, pairs []pair) ([]int, error) {
	sizes := make([]int, 0, len(pairs))
	err := p.eachPair(w, pairs, func(fill func([]float64), out float64) error {
		c, ok := p.count(out)
		if !ok || int(c) > total {
			return p.nonsense(fill, out)
		}
		sizes = append(sizes, total-int(c))
		return nil
	})
	return sizes, err
}

// eachPair masks one pair after the other and hands over the outputs in order.
func (p *prober) eachPair(w weights, pairs []pair, take func(fill func([]float64), out float64) error) error {
	for at := 0; at < len(pairs); at += len(p.pool) {
		var fills []func([]float64)
		for _, q := range pairs[at:min(at+len(p.pool), len(pairs))] {
			fills = append(fills, p.fill(w, []pair{q}))
		}
		outs, err := p.ask(nil, fills...)
		if err != nil {
			return err
		}
		for k, out := range outs {
			if err := take(fills[k], out); err != nil {
				return err
			}
		}
	}
	return nil
}

func sequence(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}
