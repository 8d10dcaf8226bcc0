//go:build darwin || freebsd || netbsd || openbsd

package stopwatch

import (
	"syscall"
	"time"
)

// processorTime returns the time that the processors spent on this process, in
// steps of a microsecond.
func processorTime() (time.Duration, bool) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err == nil
}
