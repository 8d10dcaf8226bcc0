package wire

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// shared is memory that both processes see. It has no name in any file system,
// so it leaves nothing behind.
type shared struct {
	file *os.File
	mem  []byte
}

// newShared returns shared memory of the given size, all of it reserved. It is
// sealed: a program that shrinks it would crash this process.
func newShared(size int) (*shared, error) {
	fd, err := unix.MemfdCreate("lastbit", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "shared memory")
	mem, err := reserve(fd, size)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &shared{file: f, mem: mem}, nil
}

// reserve fixes the size of the file and maps it.
func reserve(fd, size int) ([]byte, error) {
	if err := unix.Fallocate(fd, 0, 0, int64(size)); err != nil {
		return nil, err
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS,
		unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		return nil, err
	}
	return unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// path returns the path that a child with the file as its descriptor 3 opens,
// or any other process of this user.
func (s *shared) path(other bool) string {
	if other {
		return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), s.file.Fd())
	}
	return "/dev/fd/3"
}

// close unmaps the memory.
func (s *shared) close() {
	unix.Munmap(s.mem)
	s.file.Close()
}

// openShared maps the memory that a host offers.
func openShared(path string, size int) (*shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || st.Size() < int64(size) {
		f.Close()
		return nil, os.ErrInvalid
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &shared{file: f, mem: mem}, nil
}
