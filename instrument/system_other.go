//go:build !unix

package instrument

import "os"

// exitCode returns the exit code of a process.
func exitCode(p *os.ProcessState) int { return p.ExitCode() }

// supported reports whether package perturb can map its control file.
const supported = false
