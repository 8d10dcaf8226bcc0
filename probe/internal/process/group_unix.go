//go:build unix

package process

import (
	"os"
	"syscall"
)

// KillGroup kills the process group that p leads.
func KillGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
