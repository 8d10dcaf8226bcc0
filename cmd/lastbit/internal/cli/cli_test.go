package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestWriteFailed checks that a command fails if its result cannot be written.
func TestWriteFailed(t *testing.T) {
	for _, args := range [][]string{
		{"reveal", "go:naive", "-n", "4"}, {"reveal", "go:naive", "-n", "4", "--json"},
		{"compare", "go:naive", "go:naive"}, {"help"},
	} {
		var stderr bytes.Buffer
		code := Run(t.Context(), strings.NewReader(""), full{}, &stderr, args)
		if code != failed || !strings.Contains(stderr.String(), "#write-failed]") {
			t.Errorf("%q: exit code %d, %q", args, code, stderr.String())
		}
	}
	if code, _, _ := runLine(t, "reveal", "go:naive", "-n", "4"); code != same {
		t.Errorf("exit code %d of a result that could be written", code)
	}
}
