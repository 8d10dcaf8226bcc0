//go:build unix

package clib

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/lastbit/lastbit/internal/dl"
)

// plainDeaths lets a crash of C code end the process by its signal, without the
// traces that Go's runtime would write and without a core file. Go uses these
// signals for faults of Go code, which end a worker too.
func plainDeaths() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	libc, err := dl.Open("")
	if err != nil {
		return
	}
	var signal func(sig int32, handler uintptr) uintptr
	if libc.Func("signal", &signal) != nil {
		return
	}
	const byDefault = 0 // SIG_DFL
	for _, s := range []syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE,
		syscall.SIGILL, syscall.SIGABRT, syscall.SIGTRAP} {
		signal(int32(s), byDefault)
	}
}
