package ask

import "slices"

// Patch is an input that is given by its difference from a base: it has other
// values in a few places. Asking patches of one base after each other costs
// time for these places only.
type Patch struct {
	Base   []float64 // nil: zeros. It does not change once it has been asked.
	At     []int     // indices; of two equal ones the last counts
	Values []float64 // of the elements At
}

// Set adds an element to the patch.
func (p *Patch) Set(i int, v float64) {
	p.At, p.Values = append(p.At, i), append(p.Values, v)
}

// Fill returns the whole input.
func (p Patch) Fill() Fill {
	return func(row []float64) {
		copy(row, p.Base)
		p.write(row)
	}
}

func (p Patch) write(row []float64) {
	for k, i := range p.At {
		row[i] = p.Values[k]
	}
}

// heldPatch is a lane that holds a base except for some elements.
type heldPatch struct {
	lane int
	base []float64
	at   []int
}

// AskPatched is AskIn for patches. All second factors are ones.
func (c *Channel) AskPatched(lanes []int, patches ...Patch) ([]float64, error) {
	if c.leaves != nil { // the input has other summands too
		fills := make([]Fill, len(patches))
		for i := range patches {
			fills[i] = patches[i].Fill()
		}
		return c.AskIn(lanes, nil, fills...)
	}
	out := make([]float64, 0, len(patches))
	for len(patches) > 0 {
		now := patches[:min(len(patches), len(lanes))]
		patches = patches[len(now):]
		if !repatch(c, lanes, now) {
			writePatches(c, lanes, now)
		}
		if err := c.call(nil); err != nil {
			c.batch.patched = nil // the target may not have seen the batch
			return nil, err
		}
		for i := range now {
			out = append(out, c.batch.Out[lanes[i]])
		}
	}
	return out, nil
}

// Again asks the main lane an input that the last call may have asked, too.
// Then it takes no time to write, unless it has second factors: nil for ones,
// and for sums. x does not change from call to call.
func Again(c *Channel, x, y []float64) (float64, error) {
	lane := c.pool[:1]
	var out []float64
	var err error
	if y == nil {
		out, err = c.AskPatched(lane, Patch{Base: x})
	} else {
		out, err = c.AskIn(lane, y, Values(x))
	}
	if err != nil {
		return 0, err
	}
	return out[0], nil
}

// repatch replaces the patches of the last call by others of the same bases. It
// reports false, and does nothing, where the batch holds anything else.
func repatch(c *Channel, lanes []int, patches []Patch) bool {
	b := c.batch
	if len(b.patched) != len(patches) || !b.ones {
		return false
	}
	for i, p := range patches {
		if b.patched[i].lane != lanes[i] || !sameArray(b.patched[i].base, p.Base) {
			return false
		}
	}
	b.changed = b.changed[:0]
	for i := range patches {
		old, row, from := &b.patched[i], c.row(lanes[i]), lanes[i]*c.Key.N
		for _, at := range old.at {
			row[at] = 0
			if old.base != nil {
				row[at] = old.base[at]
			}
			b.changed = append(b.changed, from+at)
		}
		patches[i].write(row)
		for _, at := range patches[i].At {
			b.changed = append(b.changed, from+at)
		}
		old.at = append(old.at[:0], patches[i].At...)
	}
	c.batch.Changed = b.changed
	return true
}

// writePatches writes patches and their bases into zeros.
func writePatches(c *Channel, lanes []int, patches []Patch) {
	clearRows(c)
	for i, p := range patches {
		c.dirty = append(c.dirty, lanes[i])
		p.Fill()(c.row(lanes[i]))
		c.batch.patched = append(c.batch.patched,
			heldPatch{lane: lanes[i], base: p.Base, at: slices.Clone(p.At)})
	}
}

// minHinted is the least number of lanes, for each filled one, that makes a
// hint worth its list of elements.
const minHinted = 4

// hintLanes lists the elements of the filled lanes, which are n each, as the
// only ones changed, where there are many other lanes and no second factors.
func (b *batch) hintLanes(n, lanes int) {
	if !b.held || len(b.Y) > 0 || minHinted*len(b.filled) > lanes {
		return
	}
	b.changed = b.changed[:0]
	for _, lane := range b.filled {
		for i := range n {
			b.changed = append(b.changed, lane*n+i)
		}
	}
	b.Changed = b.changed
}

// sameArray reports whether a and b are one array, or both nil.
func sameArray(a, b []float64) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
