package require

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Ranks returns the command that starts n ranks of a program by an mpirun: as
// root too, and on fewer processors than ranks.
func Ranks(ctx context.Context, mpirun string, n int, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, mpirun,
		append([]string{"-n", fmt.Sprint(n), program}, args...)...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1")
	return cmd
}
