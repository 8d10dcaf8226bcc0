//go:build unix

package process

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Stdio returns standard input and output, and takes both away from everything
// else in this process: a library then prints to standard error and reads
// nothing.
func Stdio() (io.Reader, io.Writer, error) {
	none, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer none.Close()
	in, err := move(0, int(none.Fd()))
	if err != nil {
		return nil, nil, err
	}
	out, err := move(1, 2)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(in), "input"), os.NewFile(uintptr(out), "output"), nil
}

// move copies fd to a new descriptor, which it returns, and makes fd a copy of
// instead.
func move(fd, instead int) (int, error) {
	moved, err := unix.Dup(fd)
	if err != nil {
		return 0, err
	}
	unix.CloseOnExec(moved)
	return moved, duplicate(instead, fd)
}
