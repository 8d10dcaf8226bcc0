package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// TestOutput checks that Output kills its program with all descendants.
func TestOutput(t *testing.T) {
	sh := require.Program(t, "sh")
	out, err := Output(t.Context(), sh, "-c", "echo to be read")
	if err != nil || string(out) != "to be read\n" {
		t.Errorf("output %q, %v", out, err)
	}
	if _, err := Output(t.Context(), sh, "-c", "exit 4"); err == nil ||
		err.Error() != "exit status 4" {
		t.Errorf("error %v", err)
	}
	drivertest.NeedProcesses(t)
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	go func() {
		for ctx.Err() == nil {
			if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
				cancel(stop)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	const script = `sleep 1000 & echo $! > "$0.new"; mv "$0.new" "$0"; wait`
	if _, err := Output(ctx, sh, "-c", script, file); err != stop {
		t.Errorf("error %v", err)
	}
	pid := drivertest.ReadPID(t, file)
	drivertest.WaitForEnd(t, pid)
}
