//go:build unix && !linux

package process

import "syscall"

// Attributes puts a child into a process group of its own, so that it
// can be killed with all it starts.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
