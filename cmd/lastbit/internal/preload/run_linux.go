package preload

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Run runs a command line with the library at path lib. It returns the
// program's exit code, 128 and the number of the signal that ended it, and the
// report of the library.
//
// A signal to lastbit is passed on to the program: see relay. Run leaves no
// file behind, however lastbit ends. If ctx has ended, the program is not
// started; later its end counts for nothing.
func Run(
	ctx context.Context, lib string, args []string, stdin io.Reader, stdout, stderr io.Writer,
) (code int, report *Report, err error) {
	path, err := Program(args[0])
	if err != nil {
		return 0, nil, err
	}
	s, err := newSheet()
	if err != nil {
		return 0, nil, badProgram(path, "its report has no place",
			"check that /proc is there, and the limits of memory and files (ulimit -a)", err)
	}
	defer s.file.Close()

	cmd := exec.Command(path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Env = environment(lib, s.place)
	r := newRelay()
	defer r.stop()
	if err := ctx.Err(); err != nil { // a signal came before the relay listened
		return 0, nil, err
	}
	if err := cmd.Start(); err != nil {
		return 0, nil, badProgram(path, "it does not start",
			"check that it runs without lastbit", err)
	}
	go r.passOn(cmd.Process)
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, nil, badProgram(path, "its end cannot be awaited", "run it again", err)
	}
	report, err = s.report()
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

// exitCode returns what a shell would.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return BySignal + int(w.Signal())
	}
	return s.ExitCode()
}
