package reveal

import (
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// PairWitness is an input and its two results.
type PairWitness struct {
	X        Numbers   `json:"x"`
	Y        Numbers   `json:"y,omitempty"`
	Outs     Numbers   `json:"outs"`
	Bits     [2]string `json:"bits"`     // the results' encodings in the output format
	ULPs     uint64    `json:"ulps"`     // steps between the results
	Summands int       `json:"summands"` // that are not +0
}

// maxShrinkCalls bounds the inputs that make a witness smaller.
const maxShrinkCalls = 400

// shrink finds a small witness, from an input that the two differ on.
func (c *comparer) shrink(a, b int) (*PairWitness, error) {
	start, outs := c.differing(a, b)
	if start == nil {
		return nil, nil
	}
	m := newSmallest(c.channels[a], func(s ask.Sample) (bool, error) {
		o, differ, err := c.both(a, b, s.X, s.Y)
		if differ {
			outs = o
		}
		return differ, err
	})
	if t, u := c.Findings[a].Tree, c.Findings[b].Tree; t != nil && u != nil && !t.Equal(u) {
		m.trees = []*sumtree.Tree{t, u}
	}
	s, err := m.of(*start)
	if err != nil {
		return nil, err
	}
	return c.witness(a, b, s.X, s.Y, outs), nil
}

// differing returns an input that two targets differ on, with its results, or
// nil where none is known.
func (c *comparer) differing(a, b int) (*ask.Sample, [2]float64) {
	if k := c.firstDifference(a, b); k >= 0 {
		return &c.inputs[k], [2]float64{c.outs[a][k], c.outs[b][k]}
	}
	return nil, [2]float64{}
}

// both runs one input through two targets.
func (c *comparer) both(a, b int, x, y []float64) (outs [2]float64, differ bool, err error) {
	s := ask.Sample{Kind: ask.Edge, X: x, Y: y}
	for k, i := range []int{a, b} {
		out, fault, err := askSpecial(c.channels[i], s)
		if err != nil || fault != nil {
			return outs, false, err
		}
		outs[k] = out
	}
	return outs, !ask.SameBits(outs[0], outs[1]), nil
}

// witness describes an input that two targets differ on, in the wider of their
// output formats.
func (c *comparer) witness(a, b int, x, y []float64, outs [2]float64) *PairWitness {
	out := c.channels[a].Key.Out
	if other := c.channels[b].Key.Out; other.Precision() > out.Precision() {
		out = other
	}
	w := &PairWitness{
		X:        x,
		Y:        y,
		Outs:     outs[:],
		Summands: ask.Count(x),
		ULPs:     out.Distance(outs[0], outs[1]),
	}
	for k, o := range outs {
		w.Bits[k] = hexBits(out, o)
	}
	return w
}

// hexBits returns the encoding of x in f, in hexadecimal.
func hexBits(f fp.Format, x float64) string {
	return fmt.Sprintf("0x%0*x", 2*f.Bytes(), f.Bits(x))
}
