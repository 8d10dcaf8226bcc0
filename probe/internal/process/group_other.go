//go:build !unix

package process

import (
	"os"
	"syscall"
)

// Attributes has nothing to ask for here.
func Attributes() *syscall.SysProcAttr { return nil }

// KillGroup does nothing: there are no process groups here, and a program's own
// children end when the pipes that they inherited are closed.
func KillGroup(*os.Process) {}
