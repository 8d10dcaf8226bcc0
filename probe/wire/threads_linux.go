package wire

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// settling is the number of times that the times of a process are read again,
// with pauses between: it may still be on its way to its next request.
const (
	settling      = 3
	settlingPause = time.Millisecond
)

// otherThreads returns the processor time of all threads that a process has
// had, except its first one. ok is false where the system keeps no account, and
// for a process with children, which may compute for it.
func otherThreads(pid int) (t time.Duration, ok bool) {
	if hasChildren(pid) {
		return 0, false
	}
	for range settling {
		before, err := firstThread(pid)
		if err != nil {
			return 0, false
		}
		var all unix.Timespec
		if err := unix.ClockGettime(processClock(pid), &all); err != nil {
			return 0, false
		}
		after, err := firstThread(pid)
		if err != nil {
			return 0, false
		}
		if before == after {
			return time.Duration(all.Nano()) - after, true
		}
		time.Sleep(settlingPause)
	}
	return 0, false
}

// processClock returns the clock of the processor time of a process, all of its
// threads that live and have lived: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)
// of the kernel.
func processClock(pid int) int32 { return ^int32(pid)<<3 | 2 }

// firstThread returns the processor time of the first thread of a process.
func firstThread(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", pid, pid))
	if err != nil {
		return 0, err
	}
	word, _, _ := bytes.Cut(b, []byte(" "))
	ns, err := strconv.ParseInt(string(word), 10, 64)
	return time.Duration(ns), err
}

// hasChildren reports whether a process has children, or may have.
func hasChildren(pid int) bool {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(files) == 0 {
		return true
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err != nil || len(b) > 0 {
			return true
		}
	}
	return false
}
