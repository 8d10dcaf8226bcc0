package reveal

import (
	"math"

	"github.com/lastbit/lastbit/sumtree"
)

// scaled is Algorithm 5 of the paper: FPRev for low range and low precision.
// Where masks are small the unit is small too (firstScale). Where there are more
// summands than the accumulator can count, subtrees are compressed:
//
//   - in BuildSubtree(I) only the leaves of I count 1, and one leaf outside, by
//     which a fused parent is told from a sibling;
//   - an output below 2^bits is exact, since no partial sum of ones exceeds the
//     total; J̃, the leaves j whose output is so small, are set aside and count 0
//     from then on, which makes the outputs of the others smaller;
//   - what is set aside in one pass lies above what is set aside in the next.
func (p *prober) scaled() (*sumtree.Tree, error) {
	sets := []fprevSet{{leaves: sequence(p.n)}}
	outside := []int{-1}
	w := make(weights, p.n)
	for k := 0; k < len(sets); k++ {
		groups, partial, err := p.layers(w, sets[k].leaves, outside[k])
		if err != nil {
			return nil, err
		}
		size := 1
		for at, g := range groups {
			size += len(g)
			part := fprevPart{size: size, set: len(sets)}
			if partial && at == len(groups)-1 {
				part.size++ // the outside leaf is a leaf of the same node
			}
			sets[k].parts = append(sets[k].parts, part)
			sets = append(sets, fprevSet{leaves: g})
			outside = append(outside, sets[k].leaves[0])
		}
	}
	return assembleScaled(p.n, sets)
}

// layers returns the leaves of a set other than its first, grouped by their
// lowest common ancestor with the first, lowest first, and whether the last of
// these ancestors covers the outside leaf as well.
func (p *prober) layers(w weights, leaves []int, outside int) (groups [][]int, partial bool, err error) {
	clear(w)
	for _, j := range leaves {
		w[j] = 1
	}
	active := len(leaves)
	if outside >= 0 {
		w[outside] = 1
		active++
	}
	first := true
	rest := leaves[1:]
	for len(rest) > 0 {
		pairs := make([]pair, len(rest))
		for k, j := range rest {
			pairs[k] = pair{leaves[0], j}
		}
		p.expect("scaled", (len(pairs)+len(p.pool)-1)/len(p.pool))
		sizes, err := p.saturating(w, active, pairs)
		if err != nil {
			return nil, false, err
		}
		order, bySize := bySize(rest, sizes)
		if len(order) == 0 {
			return nil, false, errPrecision(p)
		}
		var higher [][]int // of this pass, lowest first
		for _, l := range order {
			higher = append(higher, bySize[l])
		}
		if first && outside >= 0 {
			partial = order[len(order)-1] == active
		}
		first = false
		groups = append(higher, groups...)
		for _, g := range higher {
			for _, j := range g {
				w[j] = 0
			}
			active -= len(g)
		}
		if outside >= 0 && w[outside] != 0 {
			w[outside] = 0
			active--
		}
		var remain []int
		for k, j := range rest {
			if sizes[k] < 0 {
				remain = append(remain, j)
			}
		}
		rest = remain
	}
	return groups, partial, nil
}

// saturating is masked for counts that may exceed the accumulator: −1 stands
// for those.
func (p *prober) saturating(w weights, total int, pairs []pair) ([]int, error) {
	sizes := make([]int, 0, len(pairs))
	err := p.eachPair(w, pairs, func(fill func([]float64), out float64) error {
		c, ok := p.count(out)
		switch {
		case out/p.sc.unit >= math.Ldexp(1, p.sc.bits):
			sizes = append(sizes, -1)
		case !ok || int(c) > total:
			return p.nonsense(fill, out)
		default:
			sizes = append(sizes, total-int(c))
		}
		return nil
	})
	return sizes, err
}

// assembleScaled is assemble for sets whose sizes count the leaves of the set
// and one outside: the node of a part is partial exactly when its size says so.
func assembleScaled(n int, sets []fprevSet) (*sumtree.Tree, error) {
	var kids [][]int
	root := make([]int, len(sets))
	partial := make([]bool, len(sets))
	for k := len(sets) - 1; k >= 0; k-- {
		cur, size := sets[k].leaves[0], 1
		for _, part := range sets[k].parts {
			sub := root[part.set]
			if partial[part.set] {
				kids[sub-n] = append(kids[sub-n], cur)
				cur = sub
			} else {
				kids = append(kids, []int{cur, sub})
				cur = n + len(kids) - 1
			}
			size += len(sets[part.set].leaves)
			partial[k] = part.size > size
		}
		root[k] = cur
	}
	return build(n, root[0], func(id int) []int { return kids[id-n] })
}
