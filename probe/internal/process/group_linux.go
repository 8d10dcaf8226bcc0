package process

import "syscall"

// Attributes puts a child into a process group of its own, so that it
// can be killed with all it starts, and lets it die with this process, however
// that ends.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
