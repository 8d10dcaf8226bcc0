package stopwatch

import (
	"syscall"
	"time"
	"unsafe"
)

// processorTime returns the time that the processors spent on this process.
func processorTime() (time.Duration, bool) {
	const clock = 2 // CLOCK_PROCESS_CPUTIME_ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock,
		uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
