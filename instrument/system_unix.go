//go:build unix

package instrument

import (
	"os"
	"syscall"
)

// exitCode returns the exit code of a process, or 128 and the number of the
// signal that ended it.
func exitCode(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

// supported reports whether package perturb can map its control file.
const supported = true
