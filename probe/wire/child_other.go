//go:build !unix

package wire

import (
	"os"
	"syscall"
)

// processAttributes has nothing to ask for here.
func processAttributes() *syscall.SysProcAttr { return nil }

// killGroup does nothing: there are no process groups here, and a program's own
// children end when the pipes that they inherited are closed.
func killGroup(*os.Process) {}
