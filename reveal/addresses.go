package reveal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Addresses reports whether the results of a target depend on the addresses of
// its operands.
type Addresses struct {
	Tried   int  `json:"tried"`   // other placements of the operands
	Depends bool `json:"depends"` // some of them gave other bits
	// Differ holds the placements that gave other bits.
	Differ []probe.Placement `json:"differ,omitempty"`
	// Other is the finding with the operands at the first of Differ, nil where
	// Options.MaxCalls left no calls for it.
	Other *Finding `json:"other,omitempty"`
	// Witness is an input whose result is another one there. It has seen the
	// result of the operands in their own places first.
	Witness *Witness `json:"witness,omitempty"`
}

// Bounds of the search for other bits at other addresses.
const (
	// placedShare is the number of calls of a finding that allow for one call
	// with moved operands, beyond minPlacements calls.
	placedShare          = 6
	minPlacements        = 6
	minPlacementsOfLanes = 4
	// placedInputs is the number of inputs asked at each placement, of a pool
	// of placedPool in turn. Fewer are asked where a call has several lanes,
	// and takes longer than its summands would alone, and more of few
	// summands, whose results hide most orders.
	placedInputs = 2
	placedPool   = 4
	fewPlaced    = 64 // summands, at most, that more inputs are asked of
	// A call of more than manyValues tries fewPlacements.
	manyValues    = 1 << 22
	fewPlacements = 3
	// placedTries is the number of inputs that the pool is chosen from, up to
	// maxChosen summands. Longer inputs show most orders.
	placedTries = 32
	maxChosen   = 256
)

// tryAddresses asks inputs with the operands in other places. It returns nil
// for a target that does not move them. The error is a *verdict.Fact, Changed,
// when a result changes without a move.
func tryAddresses(
	ctx context.Context, t probe.Target, opt Options, c *ask.Channel, f *Finding,
) (*Addresses, error) {
	list := placements(ask.Reach(c), c.Key.DType.Bytes())
	if len(list) == 0 {
		return nil, nil
	}
	p := &placer{c: c, each: placedInputs, found: &Addresses{}}
	most, pool := max(minPlacements, f.Calls/placedShare/p.each), placedPool
	switch lanes := c.Lanes(); {
	case c.N*lanes > manyValues:
		p.each, most, pool = 1, fewPlacements, 2
	case lanes > 1:
		p.each, most, pool = 1, max(minPlacementsOfLanes, f.Calls/placedShare), 2
	case c.N <= fewPlaced:
		p.each, pool = 2*placedInputs, 2*placedPool
	}
	list = list[:min(len(list), most)]
	p.choose(f, pool)
	c.Expect("addresses", p.each*len(list)+len(p.inputs))
	err := p.try(list)
	if err == nil && p.found.Depends {
		err = p.explain(ctx, t, opt, f)
	}
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "call-limit" {
		err = nil
	}
	return p.found, err
}

// placements returns offsets of operands within a reach, those that kernels
// care most about first: multiples of an element and of vectors, all operands
// together and each alone.
func placements(far probe.Placement, size int) []probe.Placement {
	var list []probe.Placement
	add := func(at probe.Placement) {
		inReach := at.X <= far.X && at.Y <= far.Y && at.Out <= far.Out
		if inReach && at != (probe.Placement{}) && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	together := func(by int) {
		add(probe.Placement{X: min(by, far.X), Y: min(by, far.Y), Out: min(by, far.Out)})
	}
	const line, page = 64, 4096
	for _, by := range []int{size, 16, 32} {
		together(by)
		add(probe.Placement{Y: by})
	}
	for _, by := range []int{size, 16, 32} {
		add(probe.Placement{X: by})
		add(probe.Placement{Out: by})
	}
	for _, by := range []int{line, page / 2, 8, page - size, line - size} {
		together(by)
		add(probe.Placement{Y: by})
	}
	for by := 2 * line; by < page/2; by *= 2 {
		together(by)
		add(probe.Placement{Y: by})
	}
	return list
}

// placer asks inputs at other addresses.
type placer struct {
	c      *ask.Channel
	each   int          // inputs at a placement
	inputs []ask.Sample // with the results at the operands' own places
	found  *Addresses
}

// choose chooses the inputs: those whose result changes most in other orders,
// of inputs whose results are rounding errors alone, and of ordinary ones.
func (p *placer) choose(f *Finding, pool int) {
	in, n := ask.InputsApart(p.c, "address"), p.c.N
	tries := pool
	if n <= maxChosen {
		tries = placedTries
	}
	var y []float64
	if p.c.Key.Op.Products() {
		y = in.SecondFactors()
	}
	type candidate struct {
		ask.Sample
		score int
	}
	others := orders(f)
	var all [2][]candidate // rounding errors; ordinary
	var filling sync.WaitGroup
	for k := range tries {
		s := ask.Sample{X: make([]float64, n)}
		fill := func() {}
		if k%2 == 0 || p.c.Key.Op.Positive() {
			ask.Scattered(in, n).Fill()(s.X)
		} else {
			s, fill = in.Prepare(ask.Normal, nil, y)
		}
		filling.Go(fill)
		all[k%2] = append(all[k%2], candidate{Sample: s})
	}
	filling.Wait()
	for k := range all {
		for i := range all[k] {
			all[k][i].score = sensitivity(others, all[k][i].Sample)
		}
	}
	for k := range pool {
		half := all[k%2]
		best := 0
		for i := range half {
			if half[i].score > half[best].score {
				best = i
			}
		}
		p.inputs = append(p.inputs, half[best].Sample)
		all[k%2] = slices.Delete(half, best, best+1)
	}
}

// orders returns other orders of the summands than the revealed one, nil where
// no arithmetic is known for them.
func orders(f *Finding) []*sumtree.Replayer {
	if f.Tree == nil || f.Arithmetic == nil || f.Tree.Leaves() > maxChosen {
		return nil
	}
	trees := []*sumtree.Tree{f.Tree}
	for _, name := range []string{"chain", "strided(2)", "strided(4)"} {
		if family, err := sumtree.ParseFamily(name); err == nil {
			trees = append(trees, family.Tree(f.Tree.Leaves()))
		}
	}
	var all []*sumtree.Replayer
	for _, t := range trees {
		if r, err := sumtree.NewReplayer(t, *f.Arithmetic); err == nil {
			all = append(all, r)
		}
	}
	return all
}

// sensitivity counts the results of an input in some orders, and with its
// summands rotated, that are not alike.
func sensitivity(orders []*sumtree.Replayer, s ask.Sample) int {
	var seen []float64
	for _, r := range orders {
		for _, by := range []int{0, 1, 2, 3, 4, 7, len(s.X) / 2} {
			by %= len(s.X)
			out, err := r.Sum(rotated(s.X, by), rotated(s.Y, by))
			known := func(v float64) bool { return ask.SameBits(v, out) }
			if err == nil && !slices.ContainsFunc(seen, known) {
				seen = append(seen, out)
			}
		}
	}
	return len(seen)
}

// rotated returns x from an index on, and then the elements before.
func rotated(x []float64, by int) []float64 {
	if len(x) == 0 {
		return x
	}
	return slices.Concat(x[by:], x[:by])
}

// try compares results at other placements with those at the operands' own.
func (p *placer) try(list []probe.Placement) error {
	if err := ask.AskSamples(p.c, p.inputs); err != nil {
		return err
	}
	for k, at := range list {
		differs := false
		for i := range p.each {
			s := p.inputs[(k*p.each+i+k/len(p.inputs))%len(p.inputs)]
			out, err := p.askAt(at, s)
			if err != nil {
				return err
			}
			if ask.SameBits(out, s.Out) {
				continue
			}
			if !p.found.Depends {
				if err := p.confirm(at, s, out); err != nil {
					return err
				}
			}
			differs = true
			break
		}
		p.found.Tried++
		if differs {
			p.found.Differ = append(p.found.Differ, at)
		}
	}
	return nil
}

// askAt asks an input with the operands in other places.
func (p *placer) askAt(at probe.Placement, s ask.Sample) (float64, error) {
	ask.MoveTo(p.c, at)
	defer ask.MoveTo(p.c, probe.Placement{})
	out, err := p.c.AskMain(s.Y, ask.Values(s.X))
	if err != nil {
		return 0, err
	}
	return out[0], nil
}

// confirms is the number of times that an input is asked again at both places
// before its result counts as one of the address.
const confirms = 4

// confirm asks an input again at both places, in turn. The error is a fact when
// a result changes at one of them.
func (p *placer) confirm(at probe.Placement, s ask.Sample, there float64) error {
	for range confirms {
		for _, place := range []struct {
			at   probe.Placement
			want float64
		}{{probe.Placement{}, s.Out}, {at, there}} {
			out, err := p.askAt(place.at, s)
			if err != nil {
				return err
			}
			if !ask.SameBits(out, place.want) {
				return ask.Changed(p.c, s, place.want, out)
			}
		}
	}
	p.found.Depends = true
	p.found.Witness = p.witness(s, there)
	return nil
}

// witness describes an input that has another result elsewhere.
func (p *placer) witness(s ask.Sample, there float64) *Witness {
	return &Witness{What: "the same input gave another result at another address",
		X: s.X, Y: s.Y, Seen: Numbers{s.Out, there}}
}

// explain reveals the order with the operands where the results differ, and
// makes the witness smaller.
func (p *placer) explain(ctx context.Context, t probe.Target, opt Options, f *Finding) error {
	at := p.found.Differ[0]
	if opt.MaxCalls > 0 {
		if opt.MaxCalls -= p.c.Calls(); opt.MaxCalls < 1 {
			return nil
		}
	}
	opt.Progress, opt.memory = nil, new(ask.Memory)
	other, _, err := find(ctx, moved{t.(probe.Movable), at}, opt)
	if err != nil {
		return err
	}
	if at.X == at.Y || !other.Key.Op.Products() {
		other.Key.Align = (other.Key.Align + at.X) % 64
	}
	p.found.Other = other
	return p.shrink(at, f, other)
}

// shrink looks for a witness of few summands.
func (p *placer) shrink(at probe.Placement, f, other *Finding) error {
	if ask.Count(p.found.Witness.X) <= fewSummands {
		return nil
	}
	m := newSmallest(p.c, func(s ask.Sample) (bool, error) {
		var err error
		if s.Out, err = p.askAt(probe.Placement{}, s); err != nil {
			return false, err
		}
		there, err := p.askAt(at, s)
		if err != nil || ask.SameBits(there, s.Out) {
			return false, err
		}
		p.found.Witness = p.witness(s, there)
		return true, nil
	})
	if f.Tree != nil && other.Tree != nil && !f.Tree.Equal(other.Tree) {
		m.trees = []*sumtree.Tree{f.Tree, other.Tree}
	}
	_, err := m.ofFew(ask.Count(p.found.Witness.X))
	return err
}

// moved is a target with its operands in other places.
type moved struct {
	probe.Movable
	at probe.Placement
}

// Call computes a batch with the operands there.
func (m moved) Call(ctx context.Context, b *probe.Batch) error { return m.CallAt(ctx, b, m.at) }

// OtherThreads returns what the target does.
func (m moved) OtherThreads() (time.Duration, bool) {
	if h, ok := m.Movable.(probe.Threaded); ok {
		return h.OtherThreads()
	}
	return 0, false
}
