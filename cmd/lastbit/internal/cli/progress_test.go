package cli

import (
	"io"
	"testing"
)

// TestProgressOnTerminalsOnly checks that a pipe gets no progress.
func TestProgressOnTerminalsOnly(t *testing.T) {
	p := (&app{stderr: io.Discard}).newProgress()
	if p != nil || p.For("go:naive") != nil {
		t.Error("progress goes to a writer that is not a terminal")
	}
	p.Show("certificate", 1, 2) // does nothing
	p.End()
}
