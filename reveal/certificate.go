package reveal

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/sumtree"
)

// certify proves the structure of a claimed tree, or finds an output that
// contradicts it.
//
// The nodes of one height are disjoint. A test masks a chosen group of them:
// ±M with a random significand on one leaf under each of two children of every
// chosen node, random counts on all other leaves. If the claim is right the
// output is the count outside the chosen nodes. Conversely, an output equal to
// it says that the subtrees in which the implementation cancels the masks cover
// the same leaves as the chosen nodes do, but for a coincidence of random counts.
//
// The groups of one height are such that for any two of its nodes some group
// holds the first and not the second: then what cancels the masks of a node lies
// in the intersection of the groups it belongs to, the node itself, so that each
// claimed subtree is one of the implementation. Codes of equal weight do that
// with t groups for C(t, t/2) nodes (Sperner). A tree is fixed by its subtrees;
// for a node of more than two operands every pair of operands takes its turn, so
// that no finer subtree can hide in it.
//
// Counts stand inside the masked subtrees too: zeros there would let an exact
// sum pass any tree.
//
// Tests: Σ over heights of min{t : C(t, ⌊t/2⌋) ≥ nodes}, times pairs of operands.
func (p *prober) certify(t *sumtree.Tree) (tests int, err error) {
	groups := certificateGroups(t)
	pool := p.pool
	if len(groups) <= ownCertificate {
		pool = pool[:1]
	}
	p.expect("certificate", (len(groups)+len(pool)-1)/len(pool))
	order, lo, hi := t.LeafOrder()
	var w weights
	var prefix []float64 // of weights in leaf order
	renew := func(first []int) {
		w = p.randomWeights(first)
		prefix = make([]float64, p.n+1)
		for k, leaf := range order {
			prefix[k+1] = prefix[k] + w[leaf]
		}
	}
	sparse := float64(p.n) >= math.Ldexp(1, p.sc.bits)
	for at := 0; at < len(groups); at += len(pool) {
		now := groups[at:min(at+len(pool), len(groups))]
		fills := make([]func([]float64), len(now))
		want := make([]float64, len(now))
		for k, g := range now {
			if sparse || k == 0 && (at/len(pool)%16 == 0 || p.n <= Inline) {
				renew(p.near(t, g, order, lo, hi))
			}
			want[k] = prefix[p.n]
			pairs := make([]pair, len(g))
			for m, v := range g {
				a, b := t.Children(int(v.node))[v.a], t.Children(int(v.node))[v.b]
				pairs[m] = pair{p.leafUnder(order, lo, hi, int(a)), p.leafUnder(order, lo, hi, int(b))}
				want[k] -= prefix[hi[v.node]] - prefix[lo[v.node]]
			}
			fills[k] = p.fill(w, pairs)
		}
		out, err := p.askIn(pool, nil, fills...)
		if err != nil {
			return tests, err
		}
		for k, o := range out {
			c, ok := p.count(o)
			if !ok || c != want[k] {
				expected := p.expected(want[k])
				return tests, &inconsistent{
					what:    fmt.Sprintf("a masked input gave %v where the claimed tree says %v", o, expected),
					witness: p.witness("the revealed tree gives another result than the implementation", nil, fills[k], []float64{o}, &expected),
				}
			}
			tests++
		}
	}
	return tests, nil
}

// ownCertificate is the largest number of tests that the main lane takes alone,
// whatever lanes agree with it. Larger certificates are shared among the lanes
// that gave the main lane's bits on every input they had in common.
const ownCertificate = 64

// tested is a node under test and the two operands that get its masks.
type tested struct {
	node int32
	a, b int32 // indices of children
}

// certificateGroups returns the groups of nodes whose masks share an input.
func certificateGroups(t *sumtree.Tree) [][]tested {
	heights := t.Heights()
	levels := make([][]int, heights[t.Root()]+1)
	for id := t.Leaves(); id < t.Nodes(); id++ {
		levels[heights[id]] = append(levels[heights[id]], id)
	}
	var groups [][]tested
	for _, nodes := range levels[min(1, len(levels)):] {
		// Round r gives every node its r-th pair of operands.
		for r := 0; ; r++ {
			var now []tested
			for _, v := range nodes {
				if a, b, ok := operandPair(len(t.Children(v)), r); ok {
					now = append(now, tested{int32(v), int32(a), int32(b)})
				}
			}
			if len(now) == 0 {
				break
			}
			groups = append(groups, separate(now)...)
		}
	}
	return groups
}

// operandPair returns the r-th pair of c operands.
func operandPair(c, r int) (a, b int, ok bool) {
	for b = 1; b < c; b++ {
		if r < b {
			return r, b, true
		}
		r -= b
	}
	return 0, 0, false
}

// separate makes the groups of the certificate: every node gets a code of t
// bits, ⌊t/2⌋ of them set (one, where t is 1), and group k has the nodes whose
// bit k is set.
func separate(nodes []tested) [][]tested {
	t := 1
	for binomial(t, t/2) < len(nodes) {
		t++
	}
	groups := make([][]tested, t)
	code := uint64(1)<<max(1, t/2) - 1
	for _, v := range nodes {
		for c := code; c != 0; c &= c - 1 {
			k := bits.TrailingZeros64(c)
			groups[k] = append(groups[k], v)
		}
		// The next larger code of the same weight.
		low := code & -code
		ripple := code + low
		code = ripple | (code^ripple)/low>>2
	}
	out := groups[:0]
	for _, g := range groups {
		if len(g) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// binomial returns C(n, k), which stays small here: n ≤ 40.
func binomial(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// leafUnder returns a random leaf under a node.
func (p *prober) leafUnder(order, lo, hi []int32, node int) int {
	return int(order[int(lo[node])+p.rng.IntN(int(hi[node]-lo[node]))])
}

// near returns leaves that should have a count where not all can: some inside
// and some just outside of the nodes under test.
func (p *prober) near(t *sumtree.Tree, g []tested, order, lo, hi []int32) []int {
	if float64(p.n) < math.Ldexp(1, p.sc.bits) {
		return nil
	}
	var first []int
	share := int(math.Ldexp(1, p.sc.bits-1)) / (4 * len(g))
	for _, v := range g {
		for range max(1, share) {
			first = append(first, p.leafUnder(order, lo, hi, int(v.node)))
			for _, at := range []int{int(lo[v.node]) - 1 - p.rng.IntN(4), int(hi[v.node]) + p.rng.IntN(4)} {
				if at >= 0 && at < len(order) {
					first = append(first, int(order[at]))
				}
			}
		}
	}
	p.rng.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
	return first
}
