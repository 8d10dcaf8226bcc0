package proof

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// linkTests is the number of inputs that certify the links of a tree. At least
// one in five shows a change of the order: two leaves exchanged, or one added
// to another first (TestLinksShowChanges; most often one in two). All 128 miss
// such a change with a probability below 2^-41.
const linkTests = 128

// certifyLinks certifies a binary tree that is deep because of its links: nodes
// that add one leaf to a sum. ok is false, and nothing is decided, unless that
// takes less than half of the given calls and every result is as predicted.
//
// The nodes that add two sums are certified by their heights, as in Certify. A
// run of links between them adds the leaves of a known set, and rounding shows
// their order. Its leaves take the roles of a cycle:
//
//	a  3/8 of a unit
//	b  3/8, so that a + b is 3/4
//	B  so large that a unit is the last place of the sum: it rounds a + b to 1
//	c  5/8, which counts 1 on its own; in every other cycle two of them
//	−B which makes the sum fine again: it is 2 units, or 3
//
// Of two neighbours only a and b, or c and c, may be exchanged: B before b, or
// −B before c, rounds other sums, which the result shows, since all that was
// counted is small and exact: unlike masks, large summands hide nothing that
// was added before. Signs, lengths and beginnings of the cycles are random.
func certifyLinks(x certifier, calls int) (done Certificate, ok bool, err error) {
	if 2*linkTests > calls {
		return done, false, nil
	}
	isLink, runs := links(x.t)
	groups := joinGroups(x.t, isLink)
	pool := x.c.Pool()
	if 2*(linkTests+(len(groups)+len(pool)-1)/len(pool)) > calls {
		return done, false, nil
	}
	start := x.c.Calls()
	for _, acc := range ask.Accumulators(x.c.Key) {
		l, fits := newLinker(x.c, x.t, isLink, runs, acc)
		if !fits {
			continue
		}
		if ok, err = l.holds(); ok || err != nil {
			break
		}
	}
	if !ok || err != nil {
		return done, false, err
	}
	x.isLarge = false
	done, err = x.certify(groups, pool)
	var fact *verdict.Fact
	if errors.As(err, &fact) {
		return done, false, nil
	}
	done.Tests += linkTests
	done.Calls = x.c.Calls() - start
	return done, true, err
}

// links returns for every node whether it is a link, an addition of a leaf, and
// the number of runs of links.
func links(t *sumtree.Tree) (isLink []bool, runs int) {
	isLink = make([]bool, t.Nodes())
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		isLink[id] = t.IsLeaf(int(kids[0])) || t.IsLeaf(int(kids[1]))
		if isLink[id] && !isLink[kids[0]] && !isLink[kids[1]] {
			runs++
		}
	}
	return isLink, runs
}

// joinGroups returns the groups of the nodes that are not links, by height.
func joinGroups(t *sumtree.Tree, isLink []bool) [][]tested {
	byHeight := map[int32][]tested{}
	var heights []int32
	height := t.Heights()
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if isLink[id] {
			continue
		}
		if byHeight[height[id]] == nil {
			heights = append(heights, height[id])
		}
		byHeight[height[id]] = append(byHeight[height[id]], tested{int32(id), 0, 1})
	}
	var groups [][]tested
	for _, h := range heights {
		groups = append(groups, separate(byHeight[h])...)
	}
	return groups
}

// linker makes the inputs for links, for one format of the sums.
type linker struct {
	c      *ask.Channel
	t      *sumtree.Tree
	parent []int32
	isLink []bool
	acc    fp.Format
	rng    *rand.Rand
	unit   float64
	large  float64 // B
	most   float64 // of what a run counts, about
	x      []float64
	sums   []float64 // of the inner nodes, as predicted
	cycles []cycle   // of the inner nodes that are links
}

// cycle is the place of a leaf in its cycle.
type cycle struct {
	role  uint8 // 0 and 1 for a and b, 2 for B, then c once or twice, then −B
	twice bool
	sign  float64
}

// newLinker returns the linker for sums in a format. It does not fit where the
// formats have too little range, or too little precision for that many runs.
func newLinker(
	c *ask.Channel, t *sumtree.Tree, isLink []bool, runs int, acc fp.Format,
) (l *linker, fits bool) {
	in, p := c.Key.DType, acc.Precision()
	const places = 3 // of a unit
	low := (in.MinExp() + in.MaxExp() - p) / 2
	most := math.Ldexp(1, min(p, c.Key.Out.Precision())-places-2) / float64(runs)
	if low-places < max(in.MinExp(), acc.MinExp()) || low+p+1 > min(in.MaxExp(), acc.MaxExp()) ||
		low-places < c.Key.Out.MinExp() || most < 4 {
		return nil, false
	}
	unit := math.Ldexp(1, low)
	return &linker{
		c: c, t: t, parent: t.Parents(), isLink: isLink, acc: acc,
		rng:  ask.RandApart(c, "links"),
		unit: unit, large: math.Ldexp(1.5*unit, p-1), most: most * unit,
		x: make([]float64, c.N), sums: make([]float64, t.Inner()),
		cycles: make([]cycle, t.Inner()),
	}, true
}

// holds reports whether all inputs give what the tree predicts.
func (l *linker) holds() (bool, error) {
	l.c.Expect("certificate", linkTests)
	for range linkTests {
		want := l.draw()
		out, err := l.c.AskMain(nil, ask.Values(l.x))
		if err != nil || out[0] != want {
			return false, err
		}
	}
	return true, nil
}

// draw makes an input, and returns the predicted result.
func (l *linker) draw() float64 {
	n := l.t.Leaves()
	for k := range l.sums {
		id := n + k
		kids := l.t.Children(id)
		if !l.isLink[id] {
			l.sums[k] = l.add(l.sums[int(kids[0])-n], l.sums[int(kids[1])-n])
			continue
		}
		leaf, other := int(kids[0]), int(kids[1])
		if !l.t.IsLeaf(leaf) {
			leaf, other = other, leaf
		}
		sum, place := 0.0, cycle{}
		switch {
		case l.t.IsLeaf(other):
			place = l.begin(0)
			l.x[other] = l.summand(0, place, false)
			sum = l.x[other]
			place = l.next(sum, place)
		case l.isLink[other]:
			sum = l.sums[other-n]
			place = l.next(sum, l.cycles[other-n])
		default:
			sum = l.sums[other-n]
			place = l.begin(sum)
		}
		up := l.parent[id]
		l.x[leaf] = l.summand(sum, place, up < 0 || !l.isLink[up])
		l.sums[k] = l.add(sum, l.x[leaf])
		l.cycles[k] = place
	}
	return l.sums[len(l.sums)-1]
}

func (l *linker) add(a, b float64) float64 {
	if l.acc == fp.Binary32 {
		return float64(float32(a) + float32(b)) // as below, faster
	}
	return l.acc.Add(a, b, fp.NearestEven)
}

// begin returns the first place of a run: somewhere in a cycle, at or before B.
func (l *linker) begin(sum float64) cycle {
	c := l.again(sum)
	c.role = uint8(l.rng.UintN(3))
	return c
}

// again returns the first place of a cycle, whose sign keeps the sum small.
func (l *linker) again(sum float64) cycle {
	bits := l.rng.Uint64()
	c := cycle{twice: bits&1 == 0, sign: 1 - 2*float64(bits>>1&1)}
	if math.Abs(sum) > l.most {
		c.sign = -math.Copysign(1, sum)
	}
	return c
}

// next returns the place after another one.
func (l *linker) next(sum float64, c cycle) cycle {
	if c.role == 5 || c.role == 4 && !c.twice {
		return l.again(sum)
	}
	c.role++
	return c
}

// summand returns the summand of a place. The last of a run leaves no B.
func (l *linker) summand(sum float64, c cycle, last bool) float64 {
	isLarge := math.Abs(sum) > l.large/2
	switch {
	case isLarge && (last || c.role == 5 || c.role == 4 && !c.twice):
		return -math.Copysign(l.large, sum)
	case c.role == 2 && !last:
		return c.sign * l.large
	case c.role < 3:
		return c.sign * 0.375 * l.unit
	}
	return c.sign * 0.625 * l.unit
}
