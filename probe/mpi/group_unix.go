//go:build unix

package mpi

import (
	"os/signal"
	"syscall"
)

// ownGroup puts a process into a group of its own, so that it survives the end
// of the keeper's group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// ignoreBrokenPipes lets this process live on when nobody reads its output.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
