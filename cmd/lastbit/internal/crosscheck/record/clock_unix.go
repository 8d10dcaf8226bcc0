//go:build darwin || freebsd || linux || netbsd || openbsd

package record

import (
	"syscall"
	"time"
)

// clock returns the processor's time that the program has taken. Other programs
// do not make it longer.
func clock() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
