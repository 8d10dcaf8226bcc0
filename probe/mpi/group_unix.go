//go:build unix

package mpi

import (
	"os/signal"
	"syscall"
)

// ownGroup puts a process into a group of its own, out of reach of what ends
// the keeper's.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// ignoreBrokenPipes lets this process live on when nobody reads what it writes.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
