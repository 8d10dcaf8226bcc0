//go:build linux && cgo

package main_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestForked lets a forked process, and one that it forks, close all files
// between calls and wait for children that it has not.
func TestForked(t *testing.T) {
	p := build(t)
	out, _ := run(t, nil, p.lastbit, "run", "--", compile(t, "forked.c", p.library))
	if out != "fine\n" {
		t.Errorf("output %q", out)
	}
}

// TestProcesses counts the calls of all processes, names the program itself,
// and does not hide that two of three processes listed no libraries.
func TestProcesses(t *testing.T) {
	p := build(t)
	out, report := run(t, nil, p.lastbit, "run", "--", compile(t, "processes.c", p.library))
	if out != "14\n14\n14\n" ||
		!strings.Contains(report, " in 1 library, 3 calls\n  program: 1 routine") ||
		!strings.Contains(report, "\n  2 processes ended, or became another program, ") {
		t.Errorf("output %q, report %q", out, report)
	}
}

// TestArithmetic lets a program, and one that forks, round in other directions
// and flush subnormal numbers.
func TestArithmetic(t *testing.T) {
	p := build(t)
	program := compile(t, "arithmetic.c", p.library)
	for _, args := range [][]string{nil, {"forked"}} {
		command := append([]string{p.lastbit, "run", "--", program}, args...)
		for _, threads := range []string{"1", "2"} {
			out, _ := run(t, []string{"GOMAXPROCS=" + threads}, command...)
			if out != "fine\n" {
				t.Errorf("%s, %s threads: output %q", args, threads, out)
			}
		}
	}
}

// script waits for a signal, and ends with its number.
const script = `for s in 1 2 3 10 15; do trap "exit $s" $s; done
echo $$; while :; do sleep 0.05; done`

// start starts lastbit with a program, in a session of its own, and returns the
// number that the program prints.
func start(t *testing.T, p programs, env []string, args ...string) (cmd *exec.Cmd, printed int) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), p.lastbit, append([]string{"run", "--"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if printed, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatal(err)
	}
	return cmd, printed
}

// codeOf returns the exit code of a command that was started.
func codeOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// TestSignals sends signals to lastbit alone. The program gets them.
func TestSignals(t *testing.T) {
	p := build(t)
	// Where the tests run under nohup, a shell could not trap SIGHUP. A signal
	// that this process asks for has its default action in a program it starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	t.Cleanup(func() { signal.Reset(syscall.SIGHUP) })
	for _, s := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGTERM,
	} {
		for _, c := range []struct {
			script string
			want   int
		}{
			{script, int(s)},
			{"echo 0; exec sleep 60", 128 + int(s)},
		} {
			cmd, _ := start(t, p, nil, "sh", "-c", c.script)
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if code := codeOf(t, cmd); code != c.want {
				t.Errorf("%v: exit code %d, want %d", s, code, c.want)
			}
		}
	}
}

// TestKilled kills lastbit, which leaves no file behind. Its program goes on.
func TestKilled(t *testing.T) {
	p := build(t)
	dir := t.TempDir()
	cmd, program := start(t, p, []string{"TMPDIR=" + dir}, "sh", "-c", script)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	codeOf(t, cmd)
	if err := syscall.Kill(program, syscall.SIGKILL); err != nil {
		t.Error("the program is gone:", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) > 0 {
		t.Errorf("lastbit leaves %v", files)
	}
}

// TestThreads loads the library into a shell. Its threads leave the signals of
// processes to the shell's own.
func TestThreads(t *testing.T) {
	p := build(t)
	// A shell blocks signals while it starts a command, so a process of its own
	// waits before it looks.
	out, _ := run(t, []string{"LD_PRELOAD=" + p.library}, "sh", "-c",
		"(sleep 0.3; sed -n 's/SigBlk:.//p' /proc/$$/task/*/status); :")
	masks := strings.Fields(out)
	if len(masks) < 2 {
		t.Fatalf("the Go runtime has no thread: %q", masks)
	}
	for i, text := range masks {
		mask, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []syscall.Signal{
			syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGALRM,
			syscall.SIGTERM,
		} {
			if blocked := mask&(1<<(s-1)) != 0; blocked != (i > 0) {
				t.Errorf("thread %d: %v is blocked: %t", i, s, blocked)
			}
		}
	}
}
