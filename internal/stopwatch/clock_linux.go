package stopwatch

import (
	"syscall"
	"time"
	"unsafe"
)

// The numbers of Linux's clocks.
const (
	clockProcess = 2
	clockThread  = 3
)

// processorTime returns the time that the processors spent on this process.
func processorTime() (time.Duration, bool) { return clock(clockProcess) }

// threadTime returns the time that a processor spent on this thread.
func threadTime() (time.Duration, bool) { return clock(clockThread) }

func clock(number uintptr) (time.Duration, bool) {
	var t syscall.Timespec
	_, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, number,
		uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), err == 0
}
