//go:build unix

package wire

import (
	"os"
	"syscall"
)

// killGroup kills the process group that p leads.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
