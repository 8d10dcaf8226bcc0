//go:build unix

package perturb

import (
	"os"
	"syscall"
)

// mapFile maps a file into memory, which the file shares.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
}
