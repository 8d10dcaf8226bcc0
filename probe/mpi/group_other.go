//go:build !unix

package mpi

import "syscall"

// ownGroup returns nil: there are no process groups here.
func ownGroup() *syscall.SysProcAttr { return nil }

// ignoreBrokenPipes does nothing: a broken pipe is not a signal here.
func ignoreBrokenPipes() {}
