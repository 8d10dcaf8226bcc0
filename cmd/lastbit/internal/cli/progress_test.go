package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, start: time.Now()}
	p.show("certificate", 1, 10)
	if b.Len() > 0 {
		t.Errorf("it is shown at once: %q", b.String())
	}
	p.start = p.start.Add(-patience)
	p.of("go:naive")("certificate", 3, 10)
	if s := b.String(); !strings.Contains(s, "go:naive: certificate, calls") || !strings.Contains(s, "(3/10)") {
		t.Errorf("it shows %q", s)
	}
	p.end()
	b.Reset()
	p.show("certificate", 4, 10)
	if b.Len() > 0 {
		t.Errorf("it is shown after its end: %q", b.String())
	}
}

// TestProgressOnTerminalsOnly holds that nothing is shown to a pipe.
func TestProgressOnTerminalsOnly(t *testing.T) {
	p := (&app{stderr: io.Discard}).newProgress()
	if p != nil || p.of("go:naive") != nil {
		t.Error("progress goes to what is no terminal")
	}
	p.show("certificate", 1, 2) // and is harmless
	p.end()
}
