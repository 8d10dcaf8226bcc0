//go:build !unix

package instrument

import "os"

// exitCode returns the exit code of a process.
func exitCode(p *os.ProcessState) int { return p.ExitCode() }
