//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package mpi

import (
	"io/fs"
	"os"
)

// tryLock does nothing where no shared library can be loaded.
func tryLock(*os.File) error { return nil }

// isOwn reports false: nothing is swept here.
func isOwn(fs.FileInfo) bool { return false }
