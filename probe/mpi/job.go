package mpi

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lastbit/lastbit/probe/internal/process"
)

// Between the host and rank 0 stand two processes, because mpirun is no worker.
//
//   - Hydra, MPICH's mpirun, ends when it is sent more on its standard input than
//     the rank has read, and what a rank prints would come between. So the host's
//     pipes end at a process, the job, that talks to rank 0 over a socket.
//   - A worker is killed when it hangs. Open MPI's mpirun, killed, leaves files
//     and shared memory behind; told to end twice, too. So what the host kills is
//     another process, the guard, and the job, which lives on, ends mpirun and
//     removes its files.
const (
	guardRole = "mpi"
	jobRole   = "mpi-job"
	rankRole  = "mpi-rank"
)

// The variables by which the job is told what to start, and rank 0 where the
// job listens.
const (
	launcherVariable = "LASTBIT_MPI_LAUNCHER" // path of mpirun
	ranksVariable    = "LASTBIT_MPI_RANKS"
	socketVariable   = "LASTBIT_MPI_SOCKET"
)

const (
	// endGrace is how long ranks may take to end by themselves when the host has
	// no more questions.
	endGrace = 3 * time.Second
	// clearGrace is how long mpirun may take to end them: Open MPI's asks them
	// nicely at first, for some seconds.
	clearGrace = 15 * time.Second
)

// guard starts the job, and ends with it.
func guard() error {
	args, env, err := process.Self(jobRole)
	if err != nil {
		return err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.SysProcAttr = env, ownGroup()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		os.Exit(max(1, ended.ExitCode())) // it has said why
	}
	return err
}

// job runs mpirun, and passes on what the host and rank 0 say to each other, to
// the end of either.
func job() error {
	ignoreBrokenPipes()
	in, out, err := process.Stdio()
	if err != nil {
		return err
	}
	dir, err := temporary()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "rank0"))
	if err != nil {
		return err
	}
	r, err := startRun(dir, listener.Addr().String())
	if err != nil {
		return err
	}
	defer r.end()
	asked, err := r.endAfter(in)
	if err != nil {
		return err
	}
	conn, err := r.accept(listener)
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(conn, asked)
		_ = conn.CloseWrite()
	}()
	_, _ = io.Copy(out, conn)
	r.wait(endGrace)
	return r.how
}

// run is a running mpirun.
type run struct {
	cmd   *exec.Cmd
	words words
	done  chan struct{} // closed when it has ended
	how   error         // then
}

// temporary makes a folder for all files of the job, in memory where the system has a
// place for that.
func temporary() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "lastbit"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "lastbit")
}

// startRun starts mpirun, which keeps its files in a folder.
func startRun(dir, socket string) (*run, error) {
	args, env, err := process.Self(rankRole)
	if err != nil {
		return nil, err
	}
	r := &run{done: make(chan struct{})}
	cmd := exec.Command(os.Getenv(launcherVariable), append([]string{"-n", os.Getenv(ranksVariable)}, args...)...)
	cmd.Env = append(env, socketVariable+"="+socket, "TMPDIR="+dir, "OMPI_MCA_btl_vader_backing_directory="+dir, "OMPI_MCA_btl_sm_backing_directory="+dir)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &r.words, &r.words, endGrace
	r.cmd = cmd
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			r.how = fmt.Errorf("mpirun ended (%w): %s", err, r.words.telling())
		}
		close(r.done)
	}()
	return r, nil
}

// words passes on what mpirun and the ranks print, as long as somebody reads it:
// Open MPI's mpirun stops in the middle of clearing up if it cannot print. It keeps
// the beginning.
type words struct {
	mu   sync.Mutex
	kept []byte
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept = append(w.kept, p[:min(len(p), 4096-len(w.kept))]...)
	_, _ = os.Stderr.Write(p)
	return len(p), nil
}

// telling returns the line that says most about why a job ended: what a rank has
// said, else the first that mpirun has, without its frames of dashes.
func (w *words) telling() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := ""
	for line := range strings.Lines(string(w.kept)) {
		line = strings.Trim(line, " =-\r\n")
		if strings.HasPrefix(line, "mpi: ") {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}

// endAfter passes on what the host says, and ends mpirun soon after the host has
// gone, even if rank 0 has not come by then: until it does, the host says no more
// than a pipe holds.
func (r *run) endAfter(in io.Reader) (asked io.Reader, err error) {
	asked, buffer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		_, _ = io.Copy(buffer, in)
		_ = buffer.Close()
		time.AfterFunc(endGrace, r.end)
	}()
	return asked, nil
}

// wait waits for mpirun to end, but not longer than d.
func (r *run) wait(d time.Duration) (ended bool) {
	select {
	case <-r.done:
		return true
	case <-time.After(d):
		return false
	}
}

// end ends mpirun if it has not ended: it is told to, so that it ends the ranks
// and clears up, and killed if it does not; the ranks then see that it is gone.
func (r *run) end() {
	if r.wait(0) || r.cmd.Process.Signal(syscall.SIGTERM) == nil && r.wait(clearGrace) {
		return
	}
	_ = r.cmd.Process.Kill()
	<-r.done
}

// accept waits for rank 0, or for the end of mpirun.
func (r *run) accept(listener net.Listener) (*net.UnixConn, error) {
	type result struct {
		conn net.Conn
		err  error
	}
	came := make(chan result, 1)
	go func() {
		conn, err := listener.Accept()
		came <- result{conn, err}
	}()
	select {
	case <-r.done:
		return nil, errors.Join(errors.New("the ranks ended before they had begun"), r.how)
	case c := <-came:
		if c.err != nil {
			return nil, c.err
		}
		return c.conn.(*net.UnixConn), nil
	}
}
