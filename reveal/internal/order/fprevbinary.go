package order

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// fprevBinary is FPRev for binary trees, Algorithm 3 of the paper (§5.1). It is
// Algorithm 4 without the choice of §5.2.2: the root of every subtree found is
// a sibling of the tree built before, so each part adds one node of two
// operands.
//
// Questions: n−1 for a chain, n(n−1)/2 for a reverse chain.
func fprevBinary(c *ask.Channel) (*sumtree.Tree, error) {
	sets, err := askSubsets(c)
	if err != nil {
		return nil, err
	}
	return assemble(c.N, sets, false)
}
