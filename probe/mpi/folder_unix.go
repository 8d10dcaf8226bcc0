//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package mpi

import (
	"io/fs"
	"os"
	"syscall"
)

// tryLock locks a file until it is closed or this process ends. It fails where
// another process has locked it. Programs that this process starts do not have
// the lock.
func tryLock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// isOwn reports whether a file belongs to the user of this process.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
