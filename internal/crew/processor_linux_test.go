package crew

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/internal/require"
)

// allowed returns where a thread may run, and nothing for one that has ended; 0
// is the calling one.
func allowed(t *testing.T, thread uintptr) (set processors) {
	_, _, err := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, thread, unsafe.Sizeof(set),
		uintptr(unsafe.Pointer(&set)))
	if err != 0 && err != syscall.ESRCH {
		require.Missing(t, "the processors where threads may run: "+err.Error())
	}
	return set
}

// TestThreads leaves processors in many goroutines that are interrupted, and
// starts others: all threads of the process may run where they could before.
func TestThreads(t *testing.T) {
	want := allowed(t, 0)
	begin := runtime.NumGoroutine()
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				thisProcessor().leave()
				all.Go(func() { thisProcessor().leave() })
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	for runtime.NumGoroutine() > begin { // helpers of other tests
		runtime.Gosched()
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		require.Missing(t, "the threads of a process: "+err.Error())
	}
	for _, thread := range threads {
		number, err := strconv.Atoi(thread.Name())
		if err != nil {
			t.Fatal(err)
		}
		got := allowed(t, uintptr(number))
		if _, err := os.Stat("/proc/self/task/" + thread.Name()); err != nil {
			continue // it has ended meanwhile
		}
		if got != want {
			t.Errorf("thread %d may run on %x, others on %x", number, got, want)
		}
	}
}

// TestLeave leaves the processor where the thread is, and changes nothing else.
func TestLeave(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, moved := allowed(t, 0), 0
	for range 20 {
		p := thisProcessor()
		p.leave()
		if thisProcessor() != p {
			moved++
		}
		(p + 1000).leave() // the thread is not there
		(p + 1<<20).leave()
	}
	if after := allowed(t, 0); after != before {
		t.Errorf("the thread may run on %x, before on %x", after, before)
	}
	if moved == 0 && runtime.NumCPU() > 1 {
		t.Error("the thread has not left its processor")
	}
}

// TestLateLeaves gives work to helpers that were late, on the processor of the
// caller as far as they know: most work on another.
func TestLateLeaves(t *testing.T) {
	late, moved := 0, 0
	for range 40 {
		h := newHelper(1)
		var before, after processor
		first, second := make(chan struct{}), make(chan struct{})
		h.give(func(int) {
			before = thisProcessor()
			close(first)
		}, true)
		<-first
		for h.state.Load() == working {
		}
		h.finish()
		h.mayWait.Store(true)
		h.caller.Store(uint32(before))
		h.do = func(int) {
			after = thisProcessor()
			close(second)
		}
		if !h.state.CompareAndSwap(ready, given) {
			continue // its patience has ended
		}
		<-second
		late++
		if after != before {
			moved++
		}
	}
	if moved < late/2 && runtime.NumCPU() > 1 {
		t.Errorf("%d of %d late helpers have left their processor", moved, late)
	}
}
