package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

// TestPathFault checks that an error of the file system comes with a cure.
func TestPathFault(t *testing.T) {
	root, verb := &cobra.Command{Use: "lastbit"}, &cobra.Command{Use: "portable"}
	root.AddCommand(verb)
	_, err := os.Open(filepath.Join(t.TempDir(), "nothing"))
	for _, e := range []error{err, fmt.Errorf("rewriting: %w", err)} {
		f := asFault(t.Context(), verb, e)
		if f.Cure == "" || f.Cause != e.Error() {
			t.Errorf("%q has the cure %q", f.Cause, f.Cure)
		}
	}
}
