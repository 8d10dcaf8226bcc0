package instrument

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// Input is the input of a program: the same for every run.
type Input struct {
	Args  []string
	Stdin []byte
	Dir   string // its working folder; "" is the current one
}

// An Output is the output of a run.
type Output struct {
	Stdout, Stderr []byte
	Exit           int              // the exit code, or 128 and the number of the signal
	Records        []perturb.Record // by site, with Settings.Profile
}

// Run runs the program once. It is an error if the program cannot be started;
// its own failure is part of the output.
func (p *Program) Run(ctx context.Context, in Input, s Settings) (*Output, error) {
	name := fmt.Sprintf("control-%d", time.Now().UnixNano())
	control := filepath.Join(filepath.Dir(p.Binary), name)
	if err := writeControl(control, s, len(p.Sites)); err != nil {
		return nil, err
	}
	defer os.Remove(control)
	cmd := exec.CommandContext(ctx, p.Binary, in.Args...)
	cmd.Dir = in.Dir
	cmd.Env = append(os.Environ(), perturb.Variable+"="+control)
	cmd.Stdin = bytes.NewReader(in.Stdin)
	var out Output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("instrument: %s: %w", p.Binary, err)
	}
	out.Stdout, out.Stderr, out.Exit = stdout.Bytes(), stderr.Bytes(), exitCode(cmd.ProcessState)
	if s.Profile {
		if out.Records, err = readRecords(control, len(p.Sites)); err != nil {
			return nil, err
		}
	}
	return &out, nil
}
