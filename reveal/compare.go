package reveal

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Comparison is what several implementations of one operation have in common.
type Comparison struct {
	Findings    []*Finding   `json:"findings"`
	Groups      [][]int      `json:"groups"`      // indices that agreed bit for bit on every input
	Tried       int          `json:"tried"`       // inputs given to all
	Differences []Difference `json:"differences"` // one for each pair of groups
}

// Difference is how the first members of two groups differ.
type Difference struct {
	A         int          `json:"a"` // index of the first member of a group
	B         int          `json:"b"`
	Tried     int          `json:"tried"`      // N(0,1) inputs
	Differ    int          `json:"differ"`     // of these
	Witness   *PairWitness `json:"witness"`    // the smallest input found on which they differ
	FirstNode string       `json:"first_node"` // where the trees part; "" when they are the same or not both known

	// TypicalULPs is the median distance of the results on the inputs that Differ
	// counts, in steps of the output format. 0 where none differs or the formats do.
	TypicalULPs uint64 `json:"typical_ulps"`
}

// PairWitness is an input and its two results.
type PairWitness struct {
	X        Numbers   `json:"x"`
	Y        Numbers   `json:"y,omitempty"`
	Outs     Numbers   `json:"outs"`
	Bits     [2]string `json:"bits"`     // the results' encodings in the output format
	ULPs     uint64    `json:"ulps"`     // steps between the results
	Summands int       `json:"summands"` // that are not zero
}

// Inputs of a comparison: N(0,1), and inputs aware of each tree.
const (
	compareNormal = 100
	compareAware  = 20
)

// Compare reveals every target and runs all of them on the same inputs. The
// targets have the same n, format of inputs and kind of operation.
//
// Targets of one group agreed on every input in every bit; a shared tree and
// arithmetic, in their Findings, say that they always will. Targets of different
// groups certainly differ: there is a witness.
func Compare(ctx context.Context, targets []probe.Target, opt Options) (*Comparison, error) {
	c := &comparer{}
	for _, t := range targets {
		if err := c.fits(t.Key()); err != nil {
			return nil, err
		}
		f, p, err := reveal(ctx, t, opt)
		if err != nil {
			return nil, err
		}
		c.Findings = append(c.Findings, f)
		c.probers = append(c.probers, p)
	}
	if err := c.run(); err != nil {
		return nil, err
	}
	c.group()
	for a := range c.Groups {
		for b := a + 1; b < len(c.Groups); b++ {
			d, err := c.difference(c.Groups[a][0], c.Groups[b][0])
			if err != nil {
				return nil, err
			}
			c.Differences = append(c.Differences, d)
		}
	}
	return &c.Comparison, nil
}

type comparer struct {
	Comparison
	probers []*prober
	inputs  []sample
	outs    [][]float64 // of every target, for every input
}

func (c *comparer) fits(k probe.Key) error {
	if len(c.probers) == 0 {
		return nil
	}
	first := c.probers[0].key
	if k.N == first.N && k.DType == first.DType && k.Op.Products() == first.Op.Products() {
		return nil
	}
	return &probe.Fault{ID: "not-comparable", Thing: first.String() + " and " + k.String(), Cause: "they do not take the same inputs", Cure: "give both the same n, dtype and kind of operation"}
}

// run makes the inputs and gives them to all targets. Lanes of one call share
// their second factors, so the inputs come in groups that do.
func (c *comparer) run() error {
	p := c.probers[0]
	var shapes []*shape
	for _, f := range c.Findings {
		if f.Tree != nil {
			shapes = append(shapes, newShape(f.Tree))
		}
	}
	const share = 20 // inputs with the same second factors
	total := compareNormal + compareAware*len(shapes)
	for len(c.inputs) < total {
		y := p.secondFactors()
		for range share {
			s := sample{kind: "normal", y: y}
			if k := len(c.inputs); k >= compareNormal {
				s.kind = "aware"
				s.x = p.sampleOf(s.kind, shapes[(k-compareNormal)%len(shapes)], y)
			} else {
				s.x = p.sampleOf(s.kind, nil, y)
			}
			c.inputs = append(c.inputs, s)
		}
	}
	c.Tried = len(c.inputs)
	for _, p := range c.probers {
		p.expect("compare", (len(c.inputs)+len(p.pool)-1)/len(p.pool))
		var outs []float64
		for at := 0; at < len(c.inputs); at += share {
			var fills []func([]float64)
			for _, s := range c.inputs[at:min(at+share, len(c.inputs))] {
				fills = append(fills, copied(s.x))
			}
			out, err := p.ask(c.inputs[at].y, fills...)
			if err != nil {
				return err
			}
			outs = append(outs, out...)
		}
		c.outs = append(c.outs, outs)
	}
	return nil
}

// group puts targets together that agreed everywhere. A target that is not one
// function of its input agrees with nobody.
func (c *comparer) group() {
next:
	for i, f := range c.Findings {
		if f.Verdict == Nondeterministic {
			c.Groups = append(c.Groups, []int{i})
			continue
		}
		for g, members := range c.Groups {
			if first := members[0]; c.Findings[first].Verdict != Nondeterministic && c.differing(first, i) < 0 && !c.differentTrees(first, i) {
				c.Groups[g] = append(members, i)
				continue next
			}
		}
		c.Groups = append(c.Groups, []int{i})
	}
}

// differing returns the first input on which two targets differ, or −1.
func (c *comparer) differing(a, b int) int {
	for k := range c.inputs {
		if !sameBits(c.outs[a][k], c.outs[b][k]) {
			return k
		}
	}
	return -1
}

// differentTrees reports whether two verified findings have different trees.
func (c *comparer) differentTrees(a, b int) bool {
	s, t := c.Findings[a], c.Findings[b]
	return s.Verified && t.Verified && s.Tree != nil && t.Tree != nil && !s.Tree.Equal(t.Tree)
}

func (c *comparer) difference(a, b int) (Difference, error) {
	d := Difference{A: a, B: b, Tried: compareNormal}
	f, g := c.probers[a].key.Out, c.probers[b].key.Out
	var distances []uint64
	for k := range c.inputs[:compareNormal] {
		x, y := c.outs[a][k], c.outs[b][k]
		if !sameBits(x, y) {
			distances = append(distances, f.Distance(x, y))
		}
	}
	d.Differ = len(distances)
	if d.Differ > 0 && f == g {
		slices.Sort(distances)
		d.TypicalULPs = distances[d.Differ/2]
	}
	if c.differentTrees(a, b) {
		d.FirstNode = firstNode(c.Findings[a].Tree, c.Findings[b].Tree)
	}
	w, err := c.shrink(a, b)
	d.Witness = w
	return d, err
}

// firstNode says where two trees part.
func firstNode(t, u *sumtree.Tree) string {
	q := apart(t, u)
	return fmt.Sprintf("summands %d and %d meet in a sum of %d in the first, and in one of %d in the second", q.a, q.b, meet(t, q), meet(u, q))
}

// meet returns the number of leaves under the lowest common ancestor of a pair.
func meet(t *sumtree.Tree, q pair) int {
	parent, size := t.Parents(), t.Sizes()
	above := map[int32]bool{}
	for v := int32(q.a); v >= 0; v = parent[v] {
		above[v] = true
	}
	v := int32(q.b)
	for !above[v] {
		v = parent[v]
	}
	return int(size[v])
}

// shrinkCalls bounds the questions that make a witness smaller.
const shrinkCalls = 400

// shrink finds a small witness: it starts from an input on which the two differ
// and replaces summands by zeros, half of them, a quarter, and so on, as long as
// they still differ (Zeller's ddmin).
//
// References: Zeller2002
func (c *comparer) shrink(a, b int) (*PairWitness, error) {
	var start *sample
	outs := [2]float64{}
	if k := c.differing(a, b); k >= 0 {
		start, outs = &c.inputs[k], [2]float64{c.outs[a][k], c.outs[b][k]}
	} else {
		s, o, err := c.atNode(a, b)
		if err != nil || s == nil {
			return nil, err
		}
		start, outs = s, o
	}
	x := append([]float64(nil), start.x...)
	var live []int
	for i, v := range x {
		if v != 0 {
			live = append(live, i)
		}
	}
	calls := 0
	for chunk := (len(live) + 1) / 2; chunk >= 1; {
		removed := false
		for at := 0; at < len(live) && calls < shrinkCalls; {
			end := min(at+chunk, len(live))
			try := append([]float64(nil), x...)
			for _, i := range live[at:end] {
				try[i] = 0
			}
			o, differ, err := c.both(a, b, try, start.y)
			if err != nil {
				return nil, err
			}
			calls++
			if differ {
				x, outs, removed = try, o, true
				live = append(append([]int(nil), live[:at]...), live[end:]...)
			} else {
				at = end
			}
		}
		if chunk == 1 && !removed || calls >= shrinkCalls {
			break
		}
		chunk = max(1, min(chunk, len(live))/2)
	}
	return c.witness(a, b, x, start.y, outs, len(live)), nil
}

// both runs one input through two targets.
func (c *comparer) both(a, b int, x, y []float64) (outs [2]float64, differ bool, err error) {
	for k, i := range []int{a, b} {
		p := c.probers[i]
		out, err := p.askIn(p.pool[:1], y, copied(x))
		if err != nil {
			return outs, false, err
		}
		outs[k] = out[0]
	}
	return outs, !sameBits(outs[0], outs[1]), nil
}

// atNode makes an input for the place where two trees part: 1 and −1 on the two
// leaves that meet elsewhere, and half a unit of the last place on the others.
func (c *comparer) atNode(a, b int) (*sample, [2]float64, error) {
	if !c.differentTrees(a, b) {
		return nil, [2]float64{}, nil
	}
	q := apart(c.Findings[a].Tree, c.Findings[b].Tree)
	p := c.probers[a]
	x := make([]float64, p.n)
	for i := range x {
		x[i] = math.Ldexp(1, -min(p.key.DType.Precision(), 12))
	}
	big := math.Ldexp(1, min(p.key.DType.MaxExp()-2, 2*p.key.DType.Precision()))
	x[q.a], x[q.b] = big, -big
	o, differ, err := c.both(a, b, x, nil)
	if err != nil || !differ {
		return nil, o, err
	}
	return &sample{x: x}, o, nil
}

func (c *comparer) witness(a, b int, x, y []float64, outs [2]float64, summands int) *PairWitness {
	out := c.probers[a].key.Out
	if other := c.probers[b].key.Out; other.Precision() > out.Precision() {
		out = other
	}
	w := &PairWitness{X: x, Y: y, Outs: outs[:], Summands: summands, ULPs: out.Distance(outs[0], outs[1])}
	for k, o := range outs {
		w.Bits[k] = hexBits(out, o)
	}
	return w
}

func hexBits(f fp.Format, x float64) string {
	return fmt.Sprintf("0x%0*x", 2*f.Bytes(), f.Bits(x))
}
