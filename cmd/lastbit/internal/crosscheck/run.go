package crosscheck

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

// pipeGrace bounds the time that the pipes of an ended program stay open.
const pipeGrace = time.Second

// A LimitError is a program that took too long.
type LimitError struct {
	Name  string
	Limit time.Duration
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("crosscheck: %s took more than %v", e.Name, e.Limit)
}

// An output holds the results of a program.
type output struct {
	text []byte // of standard output
	errs []byte // of standard error
	exit int
}

// execute runs a program of a platform.
func (o *Options) execute(
	ctx context.Context, p platform, dir, name string, args, variables []string,
) (*output, error) {
	limited, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	words := append(append(slices.Clone(p.words), name), args...)
	cmd := exec.CommandContext(limited, words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, p.runEnvironment(variables)
	cmd.WaitDelay = pipeGrace
	ownGroup(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, &LimitError{filepath.Base(name), o.Timeout}
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return nil, err
	}
	return &output{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}, nil
}

// passed lists the environment variables that programs get on wasm, where Go's
// support bounds their size.
var passed = []string{"PATH", "HOME", "TMPDIR", "TZ", "LANG", "USER"}

// runEnvironment returns the environment of programs. One processor and a fixed
// seed make runs alike.
func (p platform) runEnvironment(more []string) []string {
	env := os.Environ()
	if p.target.Arch == "wasm" {
		env = nil
		for _, name := range passed {
			if v, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+v)
			}
		}
	}
	debug := "randautoseed=0"
	if before := os.Getenv("GODEBUG"); before != "" {
		debug = before + "," + debug
	}
	return append(append(env, "GOMAXPROCS=1", "GODEBUG="+debug), more...)
}

// An entry is a call in a log.
type entry struct{ function, args, results uint64 }

// A log holds the calls of a program.
type log struct {
	calls []entry
	left  uint64 // calls that were not noted
	whole bool   // the program came to its end
}

// readLog reads a log.
func readLog(name string) (*log, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) { // no function with calls to note
		return &log{}, nil
	}
	if err != nil {
		return nil, err
	}
	l := &log{calls: make([]entry, 0, len(text)/record.EntrySize)}
	for ; len(text) >= record.EntrySize; text = text[record.EntrySize:] {
		e := entry{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:]),
			binary.LittleEndian.Uint64(text[16:])}
		if e.function == record.Trailer {
			l.left, l.whole = e.args, true
			break
		}
		l.calls = append(l.calls, e)
	}
	return l, nil
}

// logs holds the calls of a run of each test program. Runs that make the same
// calls in the same order share them.
type logs struct {
	mu  sync.Mutex
	all map[string][]entry // by package
}

// share lets a run take the calls of an earlier one, if they are the same.
func (l *logs) share(pkg string, r *result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, ok := l.all[pkg]
	switch {
	case !ok:
		l.all[pkg] = r.calls
	case slices.Equal(before, r.calls):
		r.calls = before
	}
}

// A result is a run of a test program.
type result struct {
	*log
	lines []string // of the output, without times
	exit  int
	began bool   // a test ran
	last  string // the first line of standard error
	slow  uint64 // the function whose generated calls take too long
	inAll bool   // all of them together do, not one
	at    uint64 // the function, or the constructor, whose generated call ended the program
	made  int    // functions with generated calls
	errs  string // standard error, where it has functions with fewer calls
}

// runTests runs a test program.
func (o *Options) runTests(
	ctx context.Context, q *prepared, t program,
) (*result, error) {
	return o.runTestsWith(ctx, q.platform, t, nil)
}

// runTestsWith does so with more variables and arguments.
func (o *Options) runTestsWith(
	ctx context.Context, p platform, t program, variables []string, more ...string,
) (*result, error) {
	dir, err := os.MkdirTemp(o.temp, "run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "log")
	args := append([]string{"-test.v", "-test.parallel=1", "-test.timeout=0"}, o.Args...)
	args = append(args, more...)
	variables = slices.Concat(o.callVariables(t.pkg), variables,
		[]string{record.Variable + "=" + name})
	o.folders.lock(t.dir)
	defer o.folders.unlock(t.dir)
	out, err := o.execute(ctx, p, t.dir, t.binary, args, variables)
	if err != nil {
		return nil, err
	}
	l, err := readLog(name)
	if err != nil {
		return nil, err
	}
	r := &result{log: l, lines: outputLines(out.text), exit: out.exit}
	r.began = bytes.Contains(out.text, []byte("=== RUN"))
	r.last = firstError(string(out.errs))
	if out.exit == flagExit && isAboutFlags(r.last) {
		return nil, &ArgumentError{t.pkg, r.last}
	}
	if r.slow, _ = lastNumber(string(out.errs), record.Slow); r.slow == 0 {
		r.slow, _ = lastNumber(string(out.errs), record.SlowAll)
		r.inAll = r.slow != 0
	}
	if r.at, r.made = lastNumber(string(out.errs), record.At); r.made == 0 {
		r.at, _ = lastNumber(string(out.errs), record.Trying)
	}
	if strings.Contains(string(out.errs), record.Fewer) {
		r.errs = string(out.errs)
	}
	return r, nil
}

// An ArgumentError is a test program that does not take its arguments.
type ArgumentError struct{ Package, Cause string }

func (e *ArgumentError) Error() string { return "crosscheck: " + e.Package + ": " + e.Cause }

// flagExit is the exit code of a program that does not take its arguments.
const flagExit = 2

// isAboutFlags reports whether package flag prints a line for such arguments.
func isAboutFlags(line string) bool {
	for _, begin := range []string{"flag provided but not defined: ", "flag needs an argument: ",
		"bad flag syntax: ", "invalid value ", "invalid boolean value "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}

// firstError returns the first line of standard error, except lines about
// generated calls.
func firstError(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, record.At) &&
			!strings.HasPrefix(line, record.Trying) && !strings.HasPrefix(line, record.Fewer) {
			return line
		}
	}
	return ""
}

// showCall runs a test program until a function is called with the arguments of
// a call, and returns the text of that call.
func (o *Options) showCall(
	ctx context.Context, p platform, t program, e entry,
) (*Call, error) {
	if o.Calls > 0 { // a generated call is there sooner, if it is one
		call, err := o.showCallWith(ctx, p, t, e, []string{record.AloneVariable + "=1"},
			"-test.run=^"+callsTest+"$")
		if err != nil || len(call.Results) > 0 {
			return call, err
		}
	}
	return o.showCallWith(ctx, p, t, e, nil)
}

func (o *Options) showCallWith(
	ctx context.Context, p platform, t program, e entry, variables []string, more ...string,
) (*Call, error) {
	dir, err := os.MkdirTemp(o.temp, "show-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "call")
	words := append([]string{"-test.v", "-test.parallel=1", "-test.timeout=0"}, o.Args...)
	variables = append(append(variables, o.callVariables(t.pkg)...), record.Variable+"="+name,
		fmt.Sprintf("%s=%x:%x", record.ShowVariable, e.function, e.args))
	o.folders.lock(t.dir)
	defer o.folders.unlock(t.dir)
	if _, err := o.execute(ctx, p, t.dir, t.binary, append(words, more...), variables); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseCall(string(text))
}
