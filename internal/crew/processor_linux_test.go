package crew

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/internal/require"
)

// allowed returns where the calling thread may run.
func allowed(t *testing.T) (set processors) {
	_, _, err := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set),
		uintptr(unsafe.Pointer(&set)))
	if err != 0 {
		require.Missing(t, "the processors where threads may run: "+err.Error())
	}
	return set
}

// TestLeave leaves the processor where the thread is, and changes nothing else.
func TestLeave(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, moved := allowed(t), 0
	for range 20 {
		p := thisProcessor()
		p.leave()
		if thisProcessor() != p {
			moved++
		}
		(p + 1000).leave() // the thread is not there
		(p + 1<<20).leave()
	}
	if after := allowed(t); after != before {
		t.Errorf("the thread may run on %x, before on %x", after, before)
	}
	if moved == 0 && runtime.NumCPU() > 1 {
		t.Error("the thread has not left its processor")
	}
}
