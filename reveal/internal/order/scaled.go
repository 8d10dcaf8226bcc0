package order

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// scaled is Algorithm 5 of the paper (§8.1): FPRev for low range and low
// precision. Where masks are small the unit is small too (§8.1.1; ask.Scale).
// Where there are more summands than the accumulator can count, subtrees are
// compressed (§8.1.2):
//
//   - In BuildSubtree(I) only the leaves of I count 1, and one leaf outside,
//     which distinguishes a fused parent from a sibling.
//   - An output below 2^bits is exact, since no partial sum of ones exceeds the
//     total. J̃, the leaves j whose output is that small, are set aside and
//     count 0 from then on, which makes the outputs of the others smaller.
//   - The leaves set aside in one pass lie above those set aside in the next.
func scaled(c *ask.Channel) (*sumtree.Tree, error) {
	sets := []subset{{leaves: sequence(c.N)}}
	outside := []int{noLeaf}
	w := make(ask.Weights, c.N)
	for k := 0; k < len(sets); k++ {
		l := layers{c: c, w: w, leaves: sets[k].leaves, outside: outside[k]}
		if err := l.ask(); err != nil {
			return nil, err
		}
		size := 1
		for at, g := range l.groups {
			size += len(g)
			p := part{size: size, set: len(sets)}
			if l.fused && at == len(l.groups)-1 {
				p.size++ // the outside leaf is a leaf of the same node
			}
			sets[k].parts = append(sets[k].parts, p)
			sets = append(sets, subset{leaves: g})
			outside = append(outside, sets[k].leaves[0])
		}
	}
	return assembleScaled(c.N, sets)
}

// noLeaf means no leaf outside: the set has them all.
const noLeaf = -1

// layers is one call of BuildSubtree in Algorithm 5.
type layers struct {
	c       *ask.Channel
	w       ask.Weights // scratch
	leaves  []int       // I, i first
	outside int         // a leaf that is not in I, or noLeaf

	groups [][]int // the others by their lowest common ancestor with i, lowest first
	fused  bool    // the last of these ancestors covers the outside leaf as well
}

// ask fills in groups and fused.
func (l *layers) ask() error {
	clear(l.w)
	for _, j := range l.leaves {
		l.w[j] = 1
	}
	active := len(l.leaves)
	if l.outside != noLeaf {
		l.w[l.outside] = 1
		active++
	}
	first := true
	for rest := l.leaves[1:]; len(rest) > 0; {
		sizes, err := l.askRest(rest, active)
		if err != nil {
			return err
		}
		ascending, groups := bySize(rest, sizes)
		if len(ascending) == 0 {
			return lowPrecision(l.c)
		}
		if first && l.outside != noLeaf {
			l.fused = ascending[len(ascending)-1] == active
		}
		first = false
		var higher [][]int // found in this pass, lowest first
		for _, size := range ascending {
			higher = append(higher, groups[size])
			for _, j := range groups[size] {
				l.w[j] = 0
			}
			active -= len(groups[size])
		}
		l.groups = append(higher, l.groups...)
		if l.outside != noLeaf && l.w[l.outside] != 0 {
			l.w[l.outside] = 0
			active--
		}
		rest = unknown(rest, sizes)
	}
	return nil
}

// askRest asks for the sizes of i with each leaf of rest.
func (l *layers) askRest(rest []int, active int) ([]int, error) {
	pairs := make([]ask.Pair, len(rest))
	for k, j := range rest {
		pairs[k] = ask.Pair{A: l.leaves[0], B: j}
	}
	l.c.ExpectQuestions("scaled", len(pairs))
	return askBoundedSizes(l.c, l.w, active, pairs)
}

// unknown returns the leaves whose size is unknown.
func unknown(leaves, sizes []int) []int {
	var all []int
	for k, j := range leaves {
		if sizes[k] == unknownSize {
			all = append(all, j)
		}
	}
	return all
}

// assembleScaled is assemble for sets whose sizes count the leaves of the set
// and one outside. The node of a part misses operands exactly when its size
// exceeds that count.
func assembleScaled(n int, sets []subset) (*sumtree.Tree, error) {
	var kids [][]int
	root := make([]int, len(sets))
	misses := make([]bool, len(sets))
	for k := len(sets) - 1; k >= 0; k-- {
		current, size := sets[k].leaves[0], 1
		for _, p := range sets[k].parts {
			sub := root[p.set]
			if misses[p.set] {
				kids[sub-n] = append(kids[sub-n], current)
				current = sub
			} else {
				kids = append(kids, []int{current, sub})
				current = n + len(kids) - 1
			}
			size += len(sets[p.set].leaves)
			misses[k] = p.size > size
		}
		root[k] = current
	}
	return build(n, root[0], func(id int) []int { return kids[id-n] })
}
