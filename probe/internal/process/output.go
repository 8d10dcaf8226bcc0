package process

import (
	"context"
	"os/exec"
	"runtime"
	"time"
)

// pipeGrace bounds the time that the pipes of an ended program stay open: a
// process that it left behind may hold the other ends for ever.
const pipeGrace = 500 * time.Millisecond

// Output runs a program to its end, with nothing on its standard input, and
// returns its standard output. When ctx ends, the program is killed with the
// processes it has started, and they do not outlive this process. The error is
// ctx's, or one of package os/exec.
func Output(ctx context.Context, args ...string) ([]byte, error) {
	runtime.LockOSThread() // Attributes refer to the thread that starts the process
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.SysProcAttr, cmd.WaitDelay = Attributes(), pipeGrace
	cmd.Cancel = func() error {
		KillGroup(cmd.Process)
		return cmd.Process.Kill()
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, err
}
