package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

// TestNothingCompared tells functions that all vary from tests that call none.
func TestNothingCompared(t *testing.T) {
	for _, tt := range []struct {
		varying        []string
		why, id, words string
	}{
		{nil, "", "portable-nothing", "no test calls"},
		{nil, "a: no test ran", "portable-nothing", "a: no test ran"},
		{[]string{"example.com/m/a.Total", "example.com/m/a.Mean"}, "", "portable-varies",
			"from run to run on one platform: a.Total, a.Mean"},
	} {
		var f *probe.Fault
		err := nothingCompared("./...", tt.varying, tt.why)
		if !errors.As(err, &f) || f.ID != tt.id || !strings.Contains(f.Cause, tt.words) {
			t.Errorf("%v: %v", tt.varying, err)
		}
	}
}
