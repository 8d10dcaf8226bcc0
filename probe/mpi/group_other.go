//go:build !unix

package mpi

import "syscall"

// ownGroup has nothing to ask for where there are no groups of processes.
func ownGroup() *syscall.SysProcAttr { return nil }

// ignoreBrokenPipes has nothing to do where a broken pipe is not a signal.
func ignoreBrokenPipes() {}
