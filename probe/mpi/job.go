package mpi

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lastbit/lastbit/probe/internal/process"
)

// Two processes connect the host to rank 0, because mpirun is not a worker.
//
//   - Hydra, MPICH's mpirun, ends when more is sent to its standard input than
//     the rank has read, and a rank's own output would mix with the results. So
//     the host's pipes end at a process, the job, that talks to rank 0 over a
//     socket.
//   - A worker is killed when it hangs. Open MPI's mpirun, killed, leaves
//     ranks, files and shared memory behind. So the host kills another process,
//     the guard, and the job lives on to end mpirun and the ranks, and to
//     remove their files.
const (
	guardRole = "mpi"
	jobRole   = "mpi-job"
	rankRole  = "mpi-rank"
)

// The variables that pass the program to start to the job, and the job's socket
// to the ranks.
const (
	launcherVariable = "LASTBIT_MPI_LAUNCHER" // path of mpirun
	ranksVariable    = "LASTBIT_MPI_RANKS"
	socketVariable   = "LASTBIT_MPI_SOCKET"
)

const (
	// endGrace bounds the time that ranks take to end by themselves when the
	// host has no more questions.
	endGrace = 3 * time.Second
	// clearGrace bounds the time that mpirun takes to end them on request.
	clearGrace = time.Second
	// watchPeriod is the time between two checks that another process still
	// runs.
	watchPeriod = 200 * time.Millisecond
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
		os.Exit(max(1, ended.ExitCode())) // mpirun has printed the cause
	}
	return err
}

// job runs mpirun, and relays between the host and rank 0 until either ends.
func job() error {
	guard := os.Getppid()
	ignoreBrokenPipes()
	in, out, err := process.Stdio()
	if err != nil {
		return err
	}
	sweepFolders(folderPlaces())
	f, err := newFolder()
	if err != nil {
		return err
	}
	defer f.remove()
	listener, err := net.Listen("unix", f.socket())
	if err != nil {
		return err
	}
	r, err := startRun(f)
	if err != nil {
		return err
	}
	defer r.stop()
	go r.stopWithout(guard)
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
	cmd    *exec.Cmd
	folder folder
	words  words
	came   atomic.Bool // rank 0 has connected
	stops  sync.Once
	done   chan struct{} // closed when it has ended
	how    error         // then
}

// startRun starts mpirun, which keeps its files in a folder.
func startRun(f folder) (*run, error) {
	args, env, err := process.Self(rankRole)
	if err != nil {
		return nil, err
	}
	r := &run{folder: f, done: make(chan struct{})}
	cmd := exec.Command(os.Getenv(launcherVariable),
		append([]string{"-n", os.Getenv(ranksVariable)}, args...)...)
	cmd.Env = append(env, socketVariable+"="+f.socket(), "TMPDIR="+f.path,
		"OMPI_MCA_btl_vader_backing_directory="+f.path, "OMPI_MCA_btl_sm_backing_directory="+f.path)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &r.words, &r.words, endGrace
	r.cmd = cmd
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			r.how = fmt.Errorf("mpirun ended (%w): %s", err, r.words.cause())
		}
		close(r.done)
	}()
	return r, nil
}

// words relays the output of mpirun and the ranks as long as somebody reads it,
// and keeps its beginning. Open MPI's mpirun stops clearing up if it cannot
// print.
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

// cause returns the line that best explains the end of a job: the first of a
// rank, else the first of mpirun, without its frames of dashes.
func (w *words) cause() string {
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

// endAfter returns the stream from the host, and stops the job when that ends:
// at once while the ranks are still starting, and soon after if they have to
// end by themselves. Until rank 0 comes, the host sends no more than a pipe
// holds.
func (r *run) endAfter(in io.Reader) (asked io.Reader, err error) {
	asked, buffer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		_, _ = io.Copy(buffer, in)
		_ = buffer.Close()
		if r.came.Load() {
			r.wait(endGrace)
		}
		r.stop()
	}()
	return asked, nil
}

// stopWithout stops the job when the guard is gone: the host was killed or has
// timed out.
func (r *run) stopWithout(guard int) {
	for os.Getppid() == guard {
		if r.wait(watchPeriod) {
			return
		}
	}
	r.stop()
}

// wait reports whether mpirun ends within d.
func (r *run) wait(d time.Duration) (ended bool) {
	select {
	case <-r.done:
		return true
	case <-time.After(d):
		return false
	}
}

// stop ends mpirun and the ranks. It removes the socket, so that ranks end and
// new ones do not begin, and asks mpirun to end. It kills an mpirun that is
// still starting ranks, or waits for them: its files are in the job's folder.
func (r *run) stop() {
	r.stops.Do(func() {
		_ = os.Remove(r.folder.socket()) // it may be gone
		told := r.wait(0) || r.cmd.Process.Signal(syscall.SIGTERM) == nil
		if !told || !r.wait(clearGrace) {
			_ = r.cmd.Process.Kill()
		}
	})
	<-r.done
}

// accept returns the connection of rank 0, or an error if mpirun ends first.
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
		r.came.Store(true)
		return c.conn.(*net.UnixConn), nil
	}
}
