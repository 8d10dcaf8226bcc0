//go:build unix

package mpi

import (
	"syscall"

	"github.com/lastbit/lastbit/internal/dl"
)

// goSignals are the signals that Go's runtime needs: faults that become panics,
// and those that preempt and profile goroutines.
var goSignals = [...]syscall.Signal{
	syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP,
	syscall.SIGABRT, syscall.SIGURG, syscall.SIGPROF, syscall.SIGPIPE,
}

// keepSignals returns a function that gives Go its signals back after a library
// has taken them, as UCX does below MPICH and Open MPI. Otherwise a nil pointer
// would end the process, by a handler that runs on a goroutine's small stack.
func keepSignals() (restore func()) {
	var sigaction func(sig int32, set,
		old *[256]byte) int32 // struct sigaction is smaller everywhere
	libc, err := dl.Open("")
	if err != nil || libc.Func("sigaction", &sigaction) != nil {
		return func() {}
	}
	var actions [len(goSignals)][256]byte
	var known [len(goSignals)]bool
	for i, s := range goSignals {
		known[i] = sigaction(int32(s), nil, &actions[i]) == 0
	}
	return func() {
		for i, s := range goSignals {
			if known[i] {
				sigaction(int32(s), &actions[i], nil)
			}
		}
	}
}
