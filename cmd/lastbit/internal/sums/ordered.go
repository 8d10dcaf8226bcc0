package sums

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/ordered"
)

// orderedTotal holds all rows: the summation tree depends on their number.
type orderedTotal[T float32 | float64] struct {
	op   *Operation
	x, y []T
	left *int64 // values that fit into memory, in all groups together
}

func newOrderedTotal(op *Operation, out fp.Format, left *int64) total {
	if out == fp.Binary32 {
		return &orderedTotal[float32]{op: op, left: left}
	}
	return &orderedTotal[float64]{op: op, left: left}
}

// maxOrdered bounds the values of some bytes each that fit into memory. A slice
// that grows exists twice for a while.
func maxOrdered(memory, bytes int64) int64 {
	if memory > 0 {
		return memory / (3 * bytes)
	}
	return math.MaxInt64
}

func (t *orderedTotal[T]) add(x, y []float64) (err error) {
	if *t.left -= int64(len(x) + len(y)); *t.left < 0 {
		return limit(fmt.Sprintf("%d rows and more", len(t.x)),
			"an ordered sum needs all its rows at once, "+
				"and they do not fit into the memory that is free",
			"use --algorithm exact, which needs none", nil)
	}
	if t.x, err = narrow(t.x, x); err == nil {
		t.y, err = narrow(t.y, y)
	}
	return err
}

func (t *orderedTotal[T]) addWide(x, _, _, _ float64) error { return wide(x) }

func (t *orderedTotal[T]) value(fp.Format) (float64, error) {
	switch t.op.summands[0] {
	case magnitudes:
		return float64(ordered.Asum(t.x)), nil
	case squares:
		return float64(ordered.Nrm2(t.x)), nil
	case products:
		return float64(ordered.Dot(t.x, t.y)), nil
	}
	return float64(ordered.Sum(t.x)), nil
}
