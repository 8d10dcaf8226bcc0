//go:build unix

package crosscheck

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command run in a process group of its own, which ends as a
// whole with its context.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
