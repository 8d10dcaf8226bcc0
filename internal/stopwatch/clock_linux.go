package stopwatch

import (
	"syscall"
	"time"
	"unsafe"
)

// clockProcess is the number of Linux's clock of a process.
const clockProcess = 2

// processorTime returns the time that processors spent on this process.
func processorTime() (time.Duration, bool) {
	var t syscall.Timespec
	_, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockProcess,
		uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), err == 0
}
