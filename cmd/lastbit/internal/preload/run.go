package preload

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/lastbit/lastbit/probe"
)

// Run runs a command line with the library at path lib. It returns the
// program's exit code, 128 and the number of the signal that ended it, and the
// report of the library.
//
// A signal to lastbit is passed on to the program; an interrupt from a terminal
// reaches it without help.
func Run(
	lib string, args []string, stdin io.Reader, stdout, stderr io.Writer,
) (code int, report *Report, err error) {
	path, err := Program(args[0])
	if err != nil {
		return 0, nil, err
	}
	file, err := os.CreateTemp("", "lastbit-run")
	if err != nil {
		return 0, nil, badProgram(path, "its report has no place", "check TMPDIR", err)
	}
	file.Close()
	defer os.Remove(file.Name())

	cmd := exec.Command(path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Env = environment(lib, file.Name())
	if err := cmd.Start(); err != nil {
		return 0, nil, badProgram(path, "it does not start",
			"check that it runs without lastbit", err)
	}
	stop := passOn(cmd.Process)
	err = cmd.Wait()
	stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, nil, badProgram(path, "its end cannot be awaited", "run it again", err)
	}
	report, err = readReport(file.Name())
	return exitCode(cmd.ProcessState), report, err
}

// environment returns the environment of the program.
func environment(lib, report string) []string {
	self, err := os.Executable()
	if err != nil {
		self = ""
	}
	preload := strings.TrimSpace(lib + " " + os.Getenv("LD_PRELOAD"))
	return append(os.Environ(),
		"LD_PRELOAD="+preload, "LASTBIT_RUN="+self, "LASTBIT_RUN_REPORT="+report)
}

// passOn sends the program what lastbit is asked by signals, until stop is
// called.
func passOn(p *os.Process) (stop func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				_ = p.Signal(s) // it may have ended
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// exitCode returns what a shell would.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}

// Unused returns the error of a program that called nothing of the library.
func Unused(program string) error {
	return &probe.Fault{
		ID:    "run-unused",
		Thing: cmp.Or(program, "the program"),
		Cause: "it ended without a call of a BLAS or LAPACK routine that " + FileName +
			" replaces, so all of its results are its own",
		Cure: "check that it calls a BLAS through a shared library: PyTorch, and a NumPy " +
			"with MKL, have theirs inside",
	}
}
