package instrument

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// Input is the input of a program: the same for every run.
type Input struct {
	Args  []string
	Stdin []byte
	Dir   string // its working folder; "" is the current one

	// Limit bounds the time of a run, if it is not 0.
	Limit time.Duration

	// Watch asks for Output.Files. Files has paths that are read in any case:
	// the stamp of a file may not show that it was written anew.
	Watch bool
	Files []string
}

// An Output is the output of a run.
type Output struct {
	Stdout, Stderr []byte
	Exit           int               // the exit code, or 128 and the number of the signal
	Records        []perturb.Record  // by site, with Settings.Profile
	Calls          []Call            // that led to rounding errors, with Settings.Calls
	Stopped        bool              // it was ended after Input.Limit
	Forked         bool              // the program started goroutines, with Settings.Profile
	Files          map[string][]byte // that it wrote, by path, with Input.Watch
	Unlisted       uint64            // operations in other calls, which found no room in Calls
}

// Run runs the program once. It is an error if the program cannot be started;
// its own failure is part of the output.
func (p *Program) Run(ctx context.Context, in Input, s Settings) (*Output, error) {
	return p.run(ctx, in, s, func(cmd *exec.Cmd) error {
		cmd.Stdin = bytes.NewReader(in.Stdin)
		return cmd.Run()
	})
}

// RunReading runs the program once with what a reader has, as long as the
// program runs, and returns what it was given: Input.Stdin for other runs. It
// does not wait for a reader that the program does not wait for.
func (p *Program) RunReading(
	ctx context.Context, in Input, s Settings, stdin io.Reader,
) (out *Output, read []byte, err error) {
	tee := &tee{}
	out, err = p.run(ctx, in, s, func(cmd *exec.Cmd) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		defer w.Close()
		cmd.Stdin = r
		err = cmd.Start()
		_ = r.Close()
		if err != nil {
			return err
		}
		tee.w = w
		go func() {
			_, _ = io.Copy(tee, stdin)
			_ = w.Close()
		}()
		return cmd.Wait()
	})
	return out, tee.text(), err
}

// tee keeps what it passes on.
type tee struct {
	w    io.Writer
	mu   sync.Mutex
	kept []byte
}

func (t *tee) Write(b []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, b...)
	t.mu.Unlock()
	return t.w.Write(b)
}

func (t *tee) text() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept)
}

// run runs the program; start starts the command and waits for it.
func (p *Program) run(
	ctx context.Context, in Input, s Settings, start func(*exec.Cmd) error,
) (*Output, error) {
	name := fmt.Sprintf("control-%d", time.Now().UnixNano())
	control := filepath.Join(filepath.Dir(p.Binary), name)
	if err := writeControl(control, s, len(p.Sites)); err != nil {
		return nil, err
	}
	defer os.Remove(control)
	limited, cancel := ctx, func() {}
	if in.Limit > 0 {
		limited, cancel = context.WithTimeout(ctx, in.Limit)
	}
	defer cancel()
	cmd := exec.CommandContext(limited, p.Binary, in.Args...)
	cmd.Dir = in.Dir
	cmd.Env = append(os.Environ(), perturb.Variable+"="+control)
	var out Output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var before map[string]stamp
	if in.Watch {
		before = stamps(in)
	}
	err := start(cmd)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out.Stopped = limited.Err() != nil
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !out.Stopped {
		return nil, fmt.Errorf("instrument: %s: %w", p.Binary, err)
	}
	out.Stdout, out.Stderr, out.Exit = stdout.Bytes(), stderr.Bytes(), exitCode(cmd.ProcessState)
	if in.Watch {
		out.Files = readWritten(in, before)
	}
	if s.Profile || s.Calls {
		if err := out.read(control, len(p.Sites), s); err != nil {
			return nil, err
		}
	}
	return &out, nil
}
