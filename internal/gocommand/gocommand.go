// Package gocommand makes go commands that leave nothing when they are
// interrupted.
package gocommand

import (
	"context"
	"os"
	"os/exec"
	"time"

	"github.com/lastbit/lastbit/internal/scratch"
)

// grace bounds the time that an interrupted go command takes to end.
const grace = 10 * time.Second

// temporary is the environment variable with the folder for temporary files of
// the go command.
const temporary = "GOTMPDIR"

// Environ returns the environment of go commands: an interrupted one leaves its
// temporary files, so these are in a folder that is removed at the end.
func Environ(ctx context.Context) []string {
	env := os.Environ()
	if dir := scratch.Shared(ctx, os.Getenv(temporary), "lastbit-go-"); dir != "" {
		env = append(env, temporary+"="+dir)
	}
	return env
}

// New returns a go command in a folder, which ends with the context.
func New(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, Environ(ctx)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	return cmd
}
