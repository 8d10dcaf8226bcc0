package order

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// fprev is FPRev for multiway trees, Algorithm 4 of the paper (§5.2): trees
// with fused sums, nodes of more than two operands.
//
// BuildSubtree(I) fixes i = min I, asks for L(i,j) for every other j of I, and
// solves the sets of equal L(i,j) in ascending order (§5.1.1). Here it is split
// in two. askSubsets asks, as a worklist: sets of one round are independent, so
// their questions share calls where the target has lanes, and depth costs no
// stack. assemble builds the tree from the answers.
//
// Questions: n−1 for a chain, n(n−1)/2 for a reverse chain.
func fprev(c *ask.Channel) (*sumtree.Tree, error) {
	sets, err := askSubsets(c)
	if err != nil {
		return nil, err
	}
	return assemble(c.N, sets, true)
}

// subset is one call of BuildSubtree: the leaves I, i first, and the sets J of
// equal L(i,j), ascending.
type subset struct {
	leaves []int
	parts  []part
}

// part is one iteration of the loop in BuildSubtree.
type part struct {
	size int // l, the L(i,j) of all j in J
	set  int // index of the subset J, larger than the one of I
}

// askSubsets asks for every L(i,j) that BuildSubtree needs, round by round.
func askSubsets(c *ask.Channel) ([]subset, error) {
	sets := []subset{{leaves: sequence(c.N)}}
	for from := 0; from < len(sets); {
		var pairs []ask.Pair
		for _, s := range sets[from:] {
			for _, j := range s.leaves[1:] {
				pairs = append(pairs, ask.Pair{A: s.leaves[0], B: j})
			}
		}
		c.ExpectQuestions("fprev", len(pairs))
		sizes, err := askSizes(c, pairs)
		if err != nil {
			return nil, err
		}
		round := from
		from = len(sets)
		for k := round; k < from; k++ {
			others := sets[k].leaves[1:]
			ascending, groups := bySize(others, sizes[:len(others)])
			sizes = sizes[len(others):]
			for _, l := range ascending {
				sets[k].parts = append(sets[k].parts, part{size: l, set: len(sets)})
				sets = append(sets, subset{leaves: groups[l]})
			}
		}
	}
	return sets, nil
}

// assemble builds the tree of the subsets, from the last, which depends on
// none, to the first.
func assemble(n int, sets []subset, multiway bool) (*sumtree.Tree, error) {
	var kids [][]int                   // of inner nodes, whose ids are from n on
	root := make([]int, len(sets))     // of T', the subtree returned for a subset
	complete := make([]int, len(sets)) // |T''|: leaves of the complete subtree under that root
	for k := len(sets) - 1; k >= 0; k-- {
		s := sets[k]
		current, size := s.leaves[0], 1
		complete[k] = 1
		for at, p := range s.parts {
			sub, leaves := root[p.set], len(sets[p.set].leaves)
			switch {
			case complete[p.set] == leaves || !multiway:
				// Algorithm 4, §5.2.2, first case: |T''| = |J|, so T' is
				// complete and its root is the sibling of the tree built so
				// far.
				kids = append(kids, []int{current, sub})
				current = n + len(kids) - 1
			case complete[p.set] == p.size:
				// Algorithm 4, §5.2.2, second case: |T''| = l > |J|, so the
				// root of T' is a fused node that misses operands, and the tree
				// built so far is one of them. The fused children are split off
				// here: that tree becomes a child of the root.
				kids[sub-n] = append(kids[sub-n], current)
				current = sub
			default:
				return nil, contradiction(s.leaves[0], sets[p.set].leaves[0], p.size,
					complete[p.set])
			}
			size += leaves
			complete[k] = p.size
			// Only the topmost node of a multiway subtree may miss operands.
			mayMiss := multiway && at == len(s.parts)-1
			if size > p.size || size < p.size && !mayMiss {
				return nil, contradiction(s.leaves[0], sets[p.set].leaves[0], p.size, size)
			}
		}
		root[k] = current
	}
	return build(n, root[0], func(id int) []int { return kids[id-n] })
}
