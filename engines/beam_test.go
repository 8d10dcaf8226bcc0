package engines

import (
	"os"
	"os/exec"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestBeam runs the tests of the nested module beam. Its dependencies are not
// in this module: where they cannot be fetched, the test ends.
func TestBeam(t *testing.T) {
	beam := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), require.Program(t, "go"), args...)
		cmd.Dir = "beam"
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		return cmd.CombinedOutput()
	}
	if out, err := beam("list", "-deps", "-test", "./..."); err != nil {
		t.Logf("%s", out)
		require.Missing(t, "the modules of Apache Beam")
	}
	if out, err := beam("test", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
