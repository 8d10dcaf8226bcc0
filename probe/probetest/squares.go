package probetest

import (
	"context"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// OfSquares returns the target of op probe.SumSq that rounds the square of
// every input to the format of the inputs and gives the squares to sum, a
// target of op probe.Sum.
func OfSquares(sum probe.Target) probe.Target { return &squares{Target: sum} }

type squares struct{ probe.Target }

// Key returns the key of the sum with its operation replaced.
func (t *squares) Key() probe.Key {
	k := t.Target.Key()
	k.Op = probe.SumSq
	return k
}

// Call squares a copy of the inputs.
func (t *squares) Call(ctx context.Context, b *probe.Batch) error {
	f := t.Key().DType
	x := slices.Clone(b.X)
	for i, v := range x {
		x[i] = f.Mul(v, v, fp.NearestEven)
	}
	return t.Target.Call(ctx, &probe.Batch{X: x, Out: b.Out})
}
