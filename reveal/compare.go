package reveal

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/sumtree"
)

// Comparison groups implementations of one operation by their results.
type Comparison struct {
	Conclusion Conclusion `json:"conclusion"`
	// Doubts are the reasons why no conclusion is possible, where it is Open.
	Doubts []Doubt `json:"doubts,omitempty"`

	Findings    []*Finding   `json:"findings"`
	Groups      [][]int      `json:"groups"`      // indices that agreed bit for bit on every input
	Tried       int          `json:"tried"`       // inputs that all gave a result for
	Refused     int          `json:"refused"`     // inputs that some ended in an error on
	Differences []Difference `json:"differences"` // one for each pair of groups

	// Exchanged counts the questions of Reveal that others were asked too.
	Exchanged Exchange `json:"exchanged"`

	// Unshown holds the pairs whose findings differ although no input shows
	// it.
	Unshown []Unshown `json:"unshown,omitempty"`
}

// Difference compares the first members of two groups.
type Difference struct {
	A         int          `json:"a"` // index of the first member of a group
	B         int          `json:"b"`
	Tried     int          `json:"tried"`      // N(0,1) inputs
	Differ    int          `json:"differ"`     // of these
	Witness   *PairWitness `json:"witness"`    // the smallest input found that they differ on
	FirstNode string       `json:"first_node"` // where the trees part; "" when unknown

	// DifferIn names the parts of the findings that differ: "tree", and names
	// of traits. It is empty when one of them has no tree.
	DifferIn []string `json:"differ_in,omitempty"`

	// TypicalULPs is the median distance of the results on the inputs that
	// Differ counts, in steps of the output format. It is 0 where none differs
	// or the formats do.
	TypicalULPs uint64 `json:"typical_ulps"`
}

// Inputs of a comparison: N(0,1), and inputs aware of each tree. Lanes of one
// call share their second factors, so the inputs come in groups that do.
const (
	compareNormal = 100
	compareAware  = 20
	compareShare  = 20
)

// Compare reveals every target and runs all of them on the same inputs. The
// targets have the same n, format of inputs and kind of operation.
//
// Where two findings differ and random inputs do not show it, Compare derives
// an input whose predicted results differ, and runs it too. Targets that agree
// so far are asked each other's questions: all that Reveal asked one of them
// and remembers, witnesses first, up to a budget that Exchanged accounts for.
// Last come inputs with NaN, with infinities, and with sums that overflow on
// the way. NaN results are equal; a target that ends in an error there neither
// agrees nor differs.
//
// Promise of the conclusion Same: every finding is verified, all have one tree
// and one arithmetic and treat NaN alike, and all results were the same bits.
// Of Different: Differences, or a finding of the verdict Nondeterministic, has
// a witness. Anything else is Open, for the reasons in Doubts.
//
// Targets of one group gave the same bits on every input tried. A shared
// verified tree and arithmetic predict that they agree on others. Targets of
// different groups differ: there is a witness, or their trees differ. Findings
// that differ although no input shows it are listed in Unshown.
//
// The error is a *probe.Fault when a target could not be run, or when the
// targets do not take the same inputs.
func Compare(ctx context.Context, targets []probe.Target, opt Options) (*Comparison, error) {
	for _, t := range targets {
		if err := sameInputs(targets[0].Key(), t.Key()); err != nil {
			return nil, err
		}
	}
	c := &comparer{}
	if err := c.revealAll(ctx, targets, opt); err != nil {
		return nil, err
	}
	if err := c.run(); err != nil {
		return nil, err
	}
	if err := c.edges(); err != nil {
		return nil, err
	}
	if err := c.derive(); err != nil {
		return nil, err
	}
	if err := exchange(c); err != nil {
		return nil, err
	}
	if err := askSpecials(c); err != nil {
		return nil, err
	}
	c.Unshown = slices.DeleteFunc(c.Unshown, func(u Unshown) bool { // shown by now
		return !u.Contradicted && c.firstDifference(u.A, u.B) >= 0
	})
	c.group()
	noteVerdicts(c)
	noteRefusals(c)
	c.Differences = []Difference{}
	for a := range c.Groups {
		for b := a + 1; b < len(c.Groups); b++ {
			d, err := c.difference(c.Groups[a][0], c.Groups[b][0])
			if err != nil {
				return nil, err
			}
			c.Differences = append(c.Differences, d)
		}
	}
	conclude(c)
	return &c.Comparison, nil
}

// comparer is a comparison under way.
type comparer struct {
	Comparison
	channels []*ask.Channel
	asked    []asked // of every target, while it was revealed
	inputs   []ask.Sample
	outs     [][]float64     // of every target, for every input
	refused  map[[2]int]bool // target and input that ended in an error; see refuse
}

// revealAll reveals every target, opt.Parallel at the same time. After an error
// it begins no other one, and waits for those under way.
func (c *comparer) revealAll(ctx context.Context, targets []probe.Target, opt Options) error {
	c.Findings = make([]*Finding, len(targets))
	c.channels = make([]*ask.Channel, len(targets))
	c.asked = make([]asked, len(targets))
	var revealing sync.WaitGroup
	var mu sync.Mutex
	next := 0
	var first error
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= len(targets) && first == nil
	}
	for range max(1, opt.Parallel) {
		revealing.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				one, err := reveal(ctx, targets[i], opt)
				c.Findings[i], c.channels[i] = one.finding, one.channel
				c.asked[i] = one.asked.upTo(maxRememberedByAll / len(targets))
				if err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
				}
			}
		})
	}
	revealing.Wait()
	return first
}

// sameInputs returns a fault when targets of two keys do not take the same
// inputs.
func sameInputs(first, k probe.Key) error {
	alike := k.Op == first.Op || !k.Op.Positive() && !first.Op.Positive()
	if k.N == first.N && k.DType == first.DType && k.Op.Products() == first.Op.Products() && alike {
		return nil
	}
	f := &probe.Fault{ID: "not-comparable", Thing: first.String() + " and " + k.String(),
		Cause: "they do not take the same inputs", Cure: "give both the same n and dtype"}
	if !alike {
		f.Cause = fmt.Sprintf("one computes %s, the other %s", first.Op, k.Op)
		f.Cure = "give both the same --op"
	} else if k.Op.Products() != first.Op.Products() {
		products := k.Op
		if first.Op.Products() {
			products = first.Op
		}
		f.Cause = "one adds summands, the other products"
		f.Cure = "add --op " + string(products)
	}
	return f
}

// run makes the inputs and gives them to all targets.
func (c *comparer) run() error {
	c.makeInputs()
	for _, channel := range c.channels {
		channel.ExpectQuestions("compare", len(c.inputs))
		var outs []float64
		for at := 0; at < len(c.inputs); at += compareShare {
			var fills []ask.Fill
			for _, s := range c.inputs[at:min(at+compareShare, len(c.inputs))] {
				fills = append(fills, ask.Values(s.X))
			}
			out, err := channel.Ask(c.inputs[at].Y, fills...)
			if err != nil {
				return err
			}
			outs = append(outs, out...)
		}
		c.outs = append(c.outs, outs)
	}
	return nil
}

// makeInputs makes inputs from the first channel's random numbers.
func (c *comparer) makeInputs() {
	in := &c.channels[0].Inputs
	var shapes []*ask.Shape
	for _, f := range c.Findings {
		if f.Tree != nil {
			shapes = append(shapes, ask.NewShape(f.Tree))
		}
	}
	for total := compareNormal + compareAware*len(shapes); len(c.inputs) < total; {
		y := in.SecondFactors()
		for range compareShare {
			kind, shape := ask.Normal, (*ask.Shape)(nil)
			if k := len(c.inputs); k >= compareNormal {
				kind, shape = ask.Aware, shapes[(k-compareNormal)%len(shapes)]
			}
			c.inputs = append(c.inputs, in.Sample(kind, shape, y))
		}
	}
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
			if c.agree(members[0], i) {
				c.Groups[g] = append(members, i)
				continue next
			}
		}
		c.Groups = append(c.Groups, []int{i})
	}
}

// agree reports whether two targets gave the same bits on every input, and have
// no different trees.
func (c *comparer) agree(a, b int) bool {
	return c.Findings[a].Verdict != Nondeterministic && c.firstDifference(a, b) < 0 &&
		!c.differentTrees(a, b)
}

// firstDifference returns the first input that two targets differ on, or −1.
func (c *comparer) firstDifference(a, b int) int {
	for k := range c.inputs {
		if !ask.SameBits(c.outs[a][k], c.outs[b][k]) && answered(c, a, k) && answered(c, b, k) {
			return k
		}
	}
	return -1
}

// answered reports whether a target gave a result for an input.
func answered(c *comparer, target, input int) bool { return !c.refused[[2]int{target, input}] }

// differentTrees reports whether two verified findings have different trees.
func (c *comparer) differentTrees(a, b int) bool {
	s, t := c.Findings[a], c.Findings[b]
	return s.Verified && t.Verified && s.Tree != nil && t.Tree != nil && !s.Tree.Equal(t.Tree)
}

func (c *comparer) difference(a, b int) (Difference, error) {
	d := Difference{A: a, B: b, Tried: compareNormal}
	f, g := c.Findings[a].Key.Out, c.Findings[b].Key.Out
	var distances []uint64
	for k := range c.inputs[:compareNormal] {
		x, y := c.outs[a][k], c.outs[b][k]
		if !ask.SameBits(x, y) {
			distances = append(distances, f.Distance(x, y))
		}
	}
	d.Differ = len(distances)
	if d.Differ > 0 && f == g {
		slices.Sort(distances)
		d.TypicalULPs = distances[d.Differ/2]
	}
	d.DifferIn = c.differIn(a, b)
	if c.differentTrees(a, b) {
		d.FirstNode = describeFirstNode(c.Findings[a].Tree, c.Findings[b].Tree)
	}
	w, err := c.shrink(a, b)
	d.Witness = w
	return d, err
}

// describeFirstNode names a place where two trees part.
func describeFirstNode(t, u *sumtree.Tree) string {
	if t.Leaves() != u.Leaves() {
		return fmt.Sprintf("the first adds %d summands, the second %d", t.Leaves(), u.Leaves())
	}
	q := order.Apart(t, u)
	return fmt.Sprintf(
		"summands %d and %d meet in a sum of %d in the first, and in one of %d in the second", q.A,
		q.B, meetSize(t, q), meetSize(u, q))
}

// meetSize returns the number of leaves under the lowest common ancestor of a
// pair.
func meetSize(t *sumtree.Tree, q ask.Pair) int { return int(t.Sizes()[meet(t, q)]) }

// meet returns the lowest common ancestor of a pair.
func meet(t *sumtree.Tree, q ask.Pair) int32 {
	parent := t.Parents()
	above := map[int32]bool{}
	for v := int32(q.A); v >= 0; v = parent[v] {
		above[v] = true
	}
	v := int32(q.B)
	for !above[v] {
		v = parent[v]
	}
	return v
}
