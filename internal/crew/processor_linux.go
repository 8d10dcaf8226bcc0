package crew

import (
	"math/bits"
	"runtime"
	"syscall"
	"unsafe"
)

// thisProcessor returns the processor that runs the calling thread.
func thisProcessor() (p processor) {
	syscall.RawSyscall(sysGetcpu, uintptr(unsafe.Pointer(&p)), 0, 0)
	return p
}

// processors is a set of processors, as the system has it.
type processors [1024 / bits.UintSize]uint

// leave moves the calling thread to another processor, if it runs on this one
// and may run on others. Where it may run does not change: the system balances
// the load as before.
//
// Until then nothing else runs on the thread: another goroutine that left a
// processor there, or a thread that it started, would keep the smaller set.
func (p processor) leave() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread, _, _ := syscall.RawSyscall(syscall.SYS_GETTID, 0, 0, 0)
	var all processors
	if thisProcessor() != p || int(p) >= len(all)*bits.UintSize {
		return
	}
	size, _, err := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, thread,
		unsafe.Sizeof(all), uintptr(unsafe.Pointer(&all)))
	if err != 0 {
		return
	}
	others := all
	others[p/bits.UintSize] &^= 1 << (p % bits.UintSize)
	for _, set := range []*processors{&others, &all} {
		_, _, err := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, thread, size,
			uintptr(unsafe.Pointer(set)))
		if err != 0 { // there are no others
			return
		}
	}
}

// yield lets another thread run that waits for the processor.
func yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
