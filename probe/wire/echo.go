package wire

import "io"

// maxEchoed bounds the output of a process that is passed on.
const maxEchoed = 64 << 10

// echo passes the first bytes of a program's output on.
type echo struct {
	to   io.Writer
	left int // bytes to pass on
}

// echo returns a writer for the standard error of a new process of p.
func (p *Program) echo() io.Writer {
	if p.Stderr == nil {
		return io.Discard
	}
	return &echo{p.Stderr, maxEchoed}
}

// Write passes on what there is room for, and a line where room ends.
func (e *echo) Write(b []byte) (int, error) {
	if e.left == 0 {
		return len(b), nil
	}
	n := min(len(b), e.left)
	e.left -= n
	_, err := e.to.Write(b[:n])
	if e.left == 0 {
		_, err = io.WriteString(e.to, "\nlastbit: more of this output is not shown\n")
	}
	return len(b), err
}
