package proof

import (
	"math"

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

// addsZero reports whether a sum that is flushed reaches the end as +0 although
// it was negative. The other operands above the node are negative sums that are
// flushed too, so that the result is −0 otherwise.
func (x *partProber) addsZero(id int) (bool, error) {
	if x.parent[id] < 0 {
		return false, nil
	}
	least := x.c.Key.DType.MinNormal()
	y := ask.Ones(x.c.N)
	negative := map[int]float64{}
	vanish := func(v int) { // makes a sum of −least/4, or a product of −least/2
		if x.t.IsLeaf(v) {
			negative[v], y[v] = -least, 0.5
			return
		}
		kids := x.t.Children(v)
		negative[x.leafUnder(kids[0])], negative[x.leafUnder(kids[1])] = -1.5*least, 1.25*least
	}
	vanish(id)
	for v := id; x.parent[v] >= 0; v = int(x.parent[v]) {
		kids := x.t.Children(int(x.parent[v]))
		other := int(kids[0])
		if other == v {
			other = int(kids[1])
		}
		vanish(other)
	}
	if !x.c.Key.Op.Products() {
		for i := range negative {
			negative[i] *= y[i]
		}
		y = nil
	}
	out, err := x.c.Ask(y, func(row []float64) {
		for i, v := range negative {
			row[i] = v
		}
	})
	if err != nil {
		return false, err
	}
	return out[0] == 0 && !math.Signbit(out[0]), nil
}

// overflowsLate reports whether a product that float32 has no room for reaches
// its addition: 2.5·2^127, added to −1.5·2^127.
func (x *partProber) overflowsLate(leaf, other int) (bool, error) {
	y := ask.Ones(x.c.N)
	y[leaf] = 2
	out, err := x.c.Ask(y, func(row []float64) {
		row[leaf], row[other] = 0x1.4p127, -0x1.8p127
	})
	if err != nil {
		return false, err
	}
	return out[0] == 0x1p127, nil
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
