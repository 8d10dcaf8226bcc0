//go:build !unix

package process

import (
	"os"
	"syscall"
)

// Attributes returns nil: there are no process groups here.
func Attributes() *syscall.SysProcAttr { return nil }

// KillGroup does nothing. A program's own children end when the pipes that they
// inherited are closed.
func KillGroup(*os.Process) {}
