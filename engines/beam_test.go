package engines

import (
	"os"
	"os/exec"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// beam runs the go command in the nested module beam. It downloads nothing:
// Beam's modules are large, and make deps fetches them.
func beam(t *testing.T, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t.Context(), require.Program(t, "go"), args...)
	cmd.Dir = "beam"
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	return cmd.CombinedOutput()
}

// requireBeam ends the test where the dependencies of beam, which are not in
// this module, have not been fetched.
func requireBeam(t *testing.T, args ...string) {
	t.Helper()
	list := append([]string{"list", "-deps", "-test"}, args...)
	if out, err := beam(t, append(list, "./...")...); err != nil {
		t.Logf("%s", out)
		require.Missing(t, "the modules of Apache Beam")
	}
}

// TestBeam runs the tests of the nested module beam.
func TestBeam(t *testing.T) {
	requireBeam(t)
	if out, err := beam(t, "test", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
