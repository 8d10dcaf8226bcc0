//go:build unix && !linux

package wire

import "syscall"

// processAttributes puts a child into a process group of its own, so that it
// can be killed with all it starts.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
