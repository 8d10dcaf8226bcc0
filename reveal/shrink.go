package reveal

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
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

// shrink finds a small witness. It starts from an input that the two differ on
// and replaces summands by zeros, half of them, a quarter, and so on, as long
// as they still differ: ddmin.
//
// References:
//   - [Zeller2002] Andreas Zeller and Ralf Hildebrandt. Simplifying and
//     Isolating Failure-Inducing Input. IEEE Transactions on Software
//     Engineering 28(2):183–200, 2002.
func (c *comparer) shrink(a, b int) (*PairWitness, error) {
	start, outs := c.differing(a, b)
	if start == nil {
		return nil, nil
	}
	x := append([]float64(nil), start.X...)
	var live []int
	for i, v := range x {
		if v != 0 || math.Signbit(v) {
			live = append(live, i)
		}
	}
	calls := 0
	for chunk := (len(live) + 1) / 2; chunk >= 1; {
		removed := false
		for at := 0; at < len(live) && calls < maxShrinkCalls; {
			end := min(at+chunk, len(live))
			try := append([]float64(nil), x...)
			for _, i := range live[at:end] {
				try[i] = 0
			}
			o, differ, err := c.both(a, b, try, start.Y)
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
		if chunk == 1 && !removed || calls >= maxShrinkCalls {
			break
		}
		chunk = max(1, min(chunk, len(live))/2)
	}
	return c.witness(a, b, x, start.Y, outs, len(live)), nil
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
	for k, i := range []int{a, b} {
		out, err := c.channels[i].AskMain(y, ask.Values(x))
		if err != nil {
			return outs, false, err
		}
		outs[k] = out[0]
	}
	return outs, !ask.SameBits(outs[0], outs[1]), nil
}

// witness describes an input that two targets differ on, in the wider of their
// output formats.
func (c *comparer) witness(a, b int, x, y []float64, outs [2]float64, summands int) *PairWitness {
	out := c.channels[a].Key.Out
	if other := c.channels[b].Key.Out; other.Precision() > out.Precision() {
		out = other
	}
	w := &PairWitness{
		X:        x,
		Y:        y,
		Outs:     outs[:],
		Summands: summands,
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
