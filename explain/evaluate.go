package explain

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/sumtree"
)

// neumaier sums binary64 numbers as Python's sum does from version 3.12 on: it
// adds the error of every addition to a sum of errors, which is added last. The
// order is a chain.
func neumaier(_ *sumtree.Tree, x, _ []float64) float64 {
	s, c := 0.0, 0.0
	for _, v := range x {
		t := s + v
		if math.Abs(s) >= math.Abs(v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	if c != 0 && c-c == 0 {
		return s + c
	}
	return s
}

// extended sums in the x87 format of 64 bits, and rounds to binary64 at the
// end.
func extended(t *sumtree.Tree, x, y []float64) float64 {
	n := t.Leaves()
	val := make([]big.Float, t.Nodes())
	const precision = 64
	var second big.Float
	for i := range n {
		if x[i]-x[i] != 0 || y != nil && y[i]-y[i] != 0 {
			return math.NaN()
		}
		val[i].SetPrec(precision).SetFloat64(x[i])
		if y != nil {
			val[i].Mul(&val[i], second.SetPrec(precision).SetFloat64(y[i]))
		}
	}
	for id := n; id < t.Nodes(); id++ {
		kids := t.Children(id)
		val[id].SetPrec(precision).Add(&val[kids[0]], &val[kids[1]])
	}
	v, _ := val[t.Root()].Float64()
	return v
}
