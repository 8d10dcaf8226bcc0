package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// TestCheckRight changes a hash of what crmath gave.
func TestCheckRight(t *testing.T) {
	prints, err := libm.Fingerprints(libm.Crmath[float32](), libm.Functions[float32]())
	if err != nil {
		t.Fatal(err)
	}
	if r, err := checkRight(fp.Binary32, prints); err != nil || r.Hash != libm.Golden(fp.Binary32) || r.Functions != len(prints) {
		t.Errorf("%+v, %v", r, err)
	}
	refused := func(format fp.Format) {
		t.Helper()
		var f *probe.Fault
		if _, err := checkRight(format, prints); !errors.As(err, &f) || f.ID != "wrong-bits" || !strings.Contains(f.Cause, libm.Golden(format)[:8]) {
			t.Errorf("%s: %v", format, err)
		}
	}
	refused(fp.Binary64)
	prints[3].Hash = strings.Repeat("0", 64)
	refused(fp.Binary32)
}
