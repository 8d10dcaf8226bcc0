package python

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Functions that are called as any callable is need no colon in their address,
// and every callable computes sums of squares.
func TestCalledFunctions(t *testing.T) {
	for address, reference := range map[string]string{
		"numpy.trapezoid":           "numpy:trapezoid",
		"scipy.integrate.trapezoid": "scipy.integrate:trapezoid",
		"numpy:var":                 "numpy:var",
		"./sums.py:total":           "./sums.py:total",
		"numpy.sum":                 "numpy.sum",
	} {
		f, err := lookup(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.reference(); got != reference || f.address() != prefix+address {
			t.Errorf("%s: reference %s, want %s; address %s", address, got, reference, f.address())
		}
		key, _, err := f.plan(probe.Spec{Op: probe.SumSq, DType: fp.Binary32, N: 5})
		if f.own && (err != nil || key.Op != probe.SumSq) || !f.own && err == nil {
			t.Errorf("%s: a sum of squares has the key %v (%v)", address, key, err)
		}
	}
	if _, err := lookup("numpy.trapezoids"); err == nil {
		t.Error("numpy.trapezoids is a function")
	}
}
