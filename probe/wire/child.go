package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/probe/internal/process"
)

const (
	// exitGrace bounds the time that a program takes to exit by itself after it
	// has closed its output or has been asked to end.
	exitGrace = 500 * time.Millisecond
	// pipeGrace bounds the time that the pipes of an ended program stay open.
	// Its output is read by then, and a process that it left behind may hold
	// the other ends for ever.
	pipeGrace = 500 * time.Millisecond
	// reapGrace bounds the wait for a killed process; only one stuck in the
	// kernel takes longer.
	reapGrace = 5 * time.Second
)

// child is a running process and our ends of its pipes, or a connection to a
// process that lastbit did not start.
type child struct {
	in    io.WriteCloser
	out   io.ReadCloser
	err   *os.File // nil for a connection
	reply *bufio.Reader
	words tail

	// turn holds a value while a worker talks with the process. It guards the
	// fields below.
	turn   chan struct{}
	ended  bool   // by a worker that it failed
	opened int    // sessions that it has agreed on
	using  string // the session of the last request

	sharing
	mu     sync.Mutex
	proc   *os.Process // nil for a connection
	reaped bool

	done    chan struct{} // closed when the process has been reaped
	drained chan struct{} // closed when its standard error has been read
	state   *os.ProcessState
}

// startChild starts a program with pipes to it; extra files become its file
// descriptors 3 and up.
func startChild(p Program, extra ...*os.File) (*child, error) {
	if p.Connect != nil {
		return connect(p)
	}
	if len(p.Args) == 0 {
		return nil, errors.New("no command")
	}
	theirs, c, err := pipes()
	if err != nil {
		return nil, err
	}
	defer closeAll(theirs[:]...)
	cmd := exec.Command(p.Args[0], p.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	cmd.Env, cmd.Dir, cmd.ExtraFiles, cmd.SysProcAttr = p.Env, p.Dir, extra, process.Attributes()
	started := make(chan error, 1)
	go c.run(cmd, started)
	if err := <-started; err != nil {
		c.hangUp()
		c.err.Close()
		return nil, err
	}
	go func() {
		c.words.drain(c.err, p.echo())
		close(c.drained)
	}()
	return c, nil
}

// pipes opens the three pipes of a child. It returns the child's ends, and a
// child that holds our ends.
func pipes() (theirs [3]*os.File, c *child, err error) {
	var ours [3]*os.File
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(theirs[:]...)
			closeAll(ours[:]...)
			return theirs, nil, err
		}
		if i == 0 {
			theirs[i], ours[i] = r, w
		} else {
			theirs[i], ours[i] = w, r
		}
	}
	c = &child{in: ours[0], out: ours[1], err: ours[2], done: make(chan struct{}),
		drained: make(chan struct{}), turn: make(chan struct{}, 1)}
	c.reply = bufio.NewReaderSize(c.out, maxLine)
	return theirs, c, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// connect makes a child of a program's connection.
func connect(p Program) (*child, error) {
	conn, err := p.Connect()
	if err != nil {
		return nil, err
	}
	c := &child{in: conn, out: conn, done: make(chan struct{}), drained: make(chan struct{}),
		turn: make(chan struct{}, 1)}
	c.reply = bufio.NewReaderSize(c.out, maxLine)
	close(c.drained) // its standard error is not ours
	return c, nil
}

// hangUp closes the files of the child, and notes the end of a connection.
func (c *child) hangUp() {
	c.in.Close()
	c.out.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proc == nil && !c.reaped {
		c.reaped = true
		close(c.done)
	}
}

// run starts the process and waits for its end on one thread: the kernel's
// "kill the child when its parent dies" means the thread that started it.
func (c *child) run(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	c.proc = cmd.Process
	started <- nil
	state, _ := c.proc.Wait()
	c.mu.Lock()
	c.reaped, c.state = true, state
	process.KillGroup(c.proc) // the processes that it left behind
	c.mu.Unlock()
	close(c.done)
	time.AfterFunc(pipeGrace, func() {
		c.hangUp()
		c.err.Close()
	})
}

// kill kills the process and those it has started.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proc != nil && !c.reaped {
		process.KillGroup(c.proc)
		c.proc.Kill()
	}
}

// abort kills the process and closes the pipes of the protocol. This ends every
// read and write on them, even if another process holds the other end.
func (c *child) abort() {
	c.kill()
	c.hangUp()
}

// end waits for the process to exit by itself, but not for long, then aborts
// it. It returns the state of the ended process, or nil if it is unknown. A
// connection is closed.
func (c *child) end() *os.ProcessState {
	if c.proc == nil {
		c.hangUp()
		return nil
	}
	c.in.Close()
	wait(c.done, exitGrace)
	c.kill()
	wait(c.done, reapGrace)
	wait(c.drained, exitGrace)
	c.out.Close()
	c.err.Close()
	if !isClosed(c.done) {
		return nil
	}
	return c.state
}

// wait waits until ch is closed, at most d.
func wait(ch <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ch:
	case <-t.C:
	}
}

// tail keeps the last bytes of a stream.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailSize = 8 << 10

// drain reads f to its end, and copies it to echo.
func (t *tail) drain(f *os.File, echo io.Writer) {
	buf := make([]byte, 4096)
	for {
		n, err := f.Read(buf)
		t.mu.Lock()
		t.kept = append(t.kept, buf[:n]...)
		if over := len(t.kept) - tailSize; over > 0 {
			t.kept = append(t.kept[:0], t.kept[over:]...)
		}
		t.mu.Unlock()
		_, _ = echo.Write(buf[:n]) // nobody may read it
		if err != nil {
			return
		}
	}
}

// last returns the line that best explains the end of a program: the first line
// of a crash in Go or Python, with Python's place of it, else the last line.
func (t *tail) last() string {
	t.mu.Lock()
	text := string(bytes.ToValidUTF8(t.kept, []byte("?")))
	t.mu.Unlock()
	last, crash := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "),
			strings.HasPrefix(line, "SIG"):
			return shorten(line)
		case strings.HasPrefix(line, "Fatal Python error: "):
			crash = line
		case crash != "" && strings.HasPrefix(line, "File "):
			return shorten(crash + ", " + line)
		case line != "":
			last = line
		}
	}
	if crash != "" {
		last = crash
	}
	return shorten(last)
}

// Characters of a line in a message, and of the start of a longer one.
const (
	maxShort  = 300
	startKept = 200
)

// shorten returns a line for a message: without control characters, and without
// its middle where it is long.
func shorten(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > maxShort {
		return string(r[:startKept]) + " … " + string(r[len(r)-(maxShort-startKept):])
	}
	return s
}
