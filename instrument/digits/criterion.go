package digits

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"

	"github.com/lastbit/lastbit/instrument"
)

// A Criterion reports whether a run shows a fault that the run without
// perturbation, the first argument, does not have.
type Criterion func(plain, run *instrument.Output) (bool, error)

// OtherExit is the criterion of another exit code.
func OtherExit(plain, run *instrument.Output) (bool, error) { return run.Exit != plain.Exit, nil }

// OtherMatch returns the criterion of an output that matches a regular
// expression where the plain one does not, or the other way round.
func OtherMatch(pattern *regexp.Regexp) Criterion {
	return func(plain, run *instrument.Output) (bool, error) {
		return pattern.Match(run.Stdout) != pattern.Match(plain.Stdout), nil
	}
}

// Script returns the criterion of a program that reads the output and ends with
// another exit code than 0.
func Script(ctx context.Context, path string) Criterion {
	return func(plain, run *instrument.Output) (bool, error) {
		cmd := exec.CommandContext(ctx, path)
		cmd.Stdin = bytes.NewReader(run.Stdout)
		err := cmd.Run()
		if cmd.ProcessState == nil {
			return false, fmt.Errorf("digits: %s: %w", path, err)
		}
		return err != nil, ctx.Err()
	}
}

// NoFaultError reports that no run shows the fault to blame, or that the run
// without perturbation does.
type NoFaultError struct{ Plain bool }

func (e *NoFaultError) Error() string {
	if e.Plain {
		return "digits: the run without random rounding shows the fault, too"
	}
	return "digits: no run shows the fault"
}

// criterion returns the question of whether runs of some seeds show the
// fault.
func (a *analysis) criterion(seeds []uint64) (*question, error) {
	if bad, err := a.options.Criterion(a.plain, a.plain); err != nil || bad {
		if err == nil {
			err = &NoFaultError{Plain: true}
		}
		return nil, err
	}
	shows := func(seed uint64, units []unit) (bool, error) {
		s := a.only(units)
		s.Perturb, s.Seed = true, seed
		out, err := a.run(s)
		if err != nil {
			return false, err
		}
		return a.options.Criterion(a.plain, out)
	}
	var bad []uint64
	for _, seed := range seeds {
		switch shown, err := shows(seed, a.candidates()); {
		case err != nil:
			return nil, err
		case shown && len(bad) < blameRuns:
			bad = append(bad, seed)
		}
	}
	if len(bad) == 0 {
		return nil, &NoFaultError{}
	}
	return &question{seeds: bad, causes: func(units []unit) (bool, error) {
		for _, seed := range bad {
			if shown, err := shows(seed, units); shown || err != nil {
				return shown, err
			}
		}
		return false, nil
	}}, nil
}
