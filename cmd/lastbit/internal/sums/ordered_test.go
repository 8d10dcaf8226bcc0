package sums

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestOrderedNeedsMemory lets two ordered sums have room for three values.
func TestOrderedNeedsMemory(t *testing.T) {
	left := int64(3)
	o, other := &orderedTotal[float64]{op: FindOperation("sum"), left: &left},
		newOrderedTotal(FindOperation("sum"), fp.Binary32, &left)
	if err := errors.Join(o.add([]float64{4, 2}, nil), other.add([]float64{1}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := o.add([]float64{4}, nil); err == nil ||
		!strings.Contains(err.Error(), "#algorithm-limit") {
		t.Errorf("the error is %v", err)
	}
	if v, err := o.value(fp.Binary64); v != 6 || err != nil {
		t.Errorf("the sum is %v, %v", v, err)
	}
	if n := maxOrdered(24<<10, 8); n != 1<<10 {
		t.Errorf("%d values fit", n)
	}
	if n := maxOrdered(0, 8); n != math.MaxInt64 {
		t.Errorf("%d values fit into unknown memory", n)
	}
}
