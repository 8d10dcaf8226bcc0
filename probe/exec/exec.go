package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
	"github.com/lastbit/lastbit/probe/wire"
)

// prefix begins the addresses of this driver.
const prefix = "exec:"

// sharedFrom is the smallest input, in bytes, that makes shared memory worth
// the 0.1 ms of its setup.
const sharedFrom = 1 << 20

// Options are the fields of a Spec that a program may honour. A program refuses
// the others.
const Options = probe.AllOptions | probe.WithIntegers

// Guess returns the address of a command line if its program exists, in quotes
// where a shell needs them. It returns "" for any other text.
func Guess(line string) string {
	args, err := split(line)
	if err != nil {
		return ""
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return ""
	}
	if strings.ContainsAny(line, " \t\"") {
		return "'" + prefix + line + "'"
	}
	return prefix + line
}

// Open starts the program of an address and agrees with it on a key. The
// address is a command line, split as a shell would, with quotes and
// backslashes, but without expansions. The target is a probe.CellTarget if the
// program offers cells. Key.Runtime is the program's path, unless the program
// replaces it.
//
// The error is a *probe.Fault: bad-address for a command line without a command
// or with an open quote, bad-op or bad-spec for a meaningless request,
// worker-start for a program that is not there, worker-refused for one that
// refuses the request, worker-timeout for one that does not answer the hello
// within s.CallTimeout.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := prefix + address
	args, err := split(address)
	if err != nil {
		return nil, &probe.Fault{ID: "bad-address", Thing: name,
			Cause: "the command line cannot be read", Cure: "write it as for a shell", Err: err}
	}
	key, lanes, err := plan.Key(name, s)
	if err != nil {
		return nil, err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, &probe.Fault{ID: "worker-start", Thing: name,
			Cause: fmt.Sprintf("there is no program %q", args[0]),
			Cure:  "give its path, or put it on PATH", Err: errors.Unwrap(err)}
	}
	key.Runtime, args[0] = path, path
	w, err := wire.Open(ctx, wire.Program{
		Args:   args,
		Env:    environment(s.Env),
		Start:  s.CallTimeout(), // it has no large library to load
		Call:   s.CallTimeout(),
		Shared: lanes*s.N*s.DType.Bytes() >= sharedFrom,
	}, key, lanes)
	if err != nil {
		return nil, err
	}
	return w.Target(), nil
}

// environment returns lastbit's environment with more variables, or nil where
// there are none: the program then gets lastbit's own.
func environment(more []string) []string {
	if len(more) == 0 {
		return nil
	}
	return append(os.Environ(), more...)
}

// split splits a command line into words at white space. Parts may be 'literal'
// or "quoted", and a backslash escapes the next character except in 'literal'
// parts. On Windows, where it separates folders, it escapes nothing.
func split(line string) ([]string, error) {
	var (
		words   []string
		word    strings.Builder
		started bool
		quote   rune
		escaped bool
	)
	for _, c := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", c) {
				word.WriteRune('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'' && runtime.GOOS != "windows":
			escaped, started = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case strings.ContainsRune(" \t\n", c):
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(c)
			started = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is left open", quote)
	case escaped:
		return nil, errors.New("it ends in a backslash")
	}
	if started {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("it has no command")
	}
	return words, nil
}
