package wire

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// TestReopenOnce reopens a program that serves one request only: it is refused,
// and the program ends.
func TestReopenOnce(t *testing.T) {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4}
	p := program(t, "honest")
	p.Again = func(probe.Spec) (Program, probe.Key, int, error) { return p, probe.Key{}, 1, nil }
	w := open(t, p, s)
	pid := w.child.proc.Pid
	_, err := w.Reopen(t.Context(), s)
	drivertest.Fault(t, err, "worker-refused", "one request")
	if alive(pid) {
		t.Errorf("process %d is still there", pid)
	}
}
