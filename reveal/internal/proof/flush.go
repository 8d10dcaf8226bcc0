package proof

import (
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// tinySamples is the number of inputs with subnormal sums that are asked before
// parts of a tree are found to flush and others to keep them.
const tinySamples = 48

// askTiny adds samples with subnormal sums.
func askTiny(c *ask.Channel, t *sumtree.Tree, samples *[]ask.Sample) error {
	c.Expect("subnormals", tinySamples)
	shape := ask.NewShape(t)
	for range tinySamples {
		s := c.Inputs.Sample(ask.Tiny, shape, c.Inputs.SecondFactors())
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return err
		}
		s.Out = out[0]
		*samples = append(*samples, s)
	}
	return nil
}

// keepsSubnormals reports whether a subnormal sum reaches the addition above a
// node: 1.5 − 1 + 2 times the least normal number is 2.5 times it, or 2. The
// root has no addition above it.
func (x *partProber) keepsSubnormals(id int) (bool, error) {
	l, ok := x.leafBeside(id)
	if !ok {
		return false, nil
	}
	kids := x.t.Children(id)
	i, j := x.leafUnder(kids[0]), x.leafUnder(kids[1])
	least := x.c.Key.DType.MinNormal()
	out, err := x.c.Ask(nil, func(row []float64) {
		row[i], row[j], row[l] = 1.5*least, -least, 2*least
	})
	if err != nil {
		return false, err
	}
	return out[0] == 2.5*least, nil
}

// flushesExactProducts reports whether products of short factors, which
// float32 holds exactly, may be flushed before they are added. Only the
// exponents of bfloat16 are those of float32.
func (x *partProber) flushesExactProducts() bool {
	k := x.c.Key
	return x.flushes && k.Op.Products() && k.DType == fp.BFloat16
}

// keepsProduct reports whether a subnormal product reaches its addition: 0.75
// times the least normal number, added to it.
func (x *partProber) keepsProduct(leaf, other int) (bool, error) {
	least := x.c.Key.DType.MinNormal()
	y := ask.Ones(x.c.N)
	y[leaf] = 0.5
	out, err := x.c.Ask(y, func(row []float64) {
		row[leaf], row[other] = 1.5*least, least
	})
	if err != nil {
		return false, err
	}
	return out[0] == 1.75*least, nil
}

// leafBeside returns a leaf under the other operand of the addition above a
// node.
func (x *partProber) leafBeside(id int) (leaf int, ok bool) {
	up := x.parent[id]
	if up < 0 {
		return 0, false
	}
	other := x.t.Children(int(up))[0]
	if int(other) == id {
		other = x.t.Children(int(up))[1]
	}
	return x.leafUnder(other), true
}
