// Package gocommand makes go commands that clean up when they are interrupted.
package gocommand

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// grace bounds the time that an interrupted go command takes to clean up.
const grace = 10 * time.Second

// New returns a go command in a folder. When the context ends, it removes its
// temporary files and ends, too.
func New(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	return cmd
}
