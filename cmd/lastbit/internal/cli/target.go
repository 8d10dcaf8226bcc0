package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/exec"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/mpi"
	"github.com/lastbit/lastbit/probe/sim"
)

// addresses says what an address looks like.
const addresses = "go:naive, gonum:floats.Sum, lastbit:ordered.Sum, py:numpy.sum, blas:openblas, clib:/path/lib.so:symbol, exec:command, sim:a100 or mpi:allreduce"

// open opens the target of an address. Where the caller names no input format,
// it is f32, or what the target takes instead.
func (a *app) open(ctx context.Context, address string, s probe.Spec, dtypeGiven bool) (probe.Target, error) {
	opener, rest, err := a.opener(address)
	if err != nil {
		return nil, err
	}
	t, err := opener(ctx, rest, s)
	var f *probe.Fault
	if err != nil && !dtypeGiven && errors.As(err, &f) && slices.Contains([]string{"unsupported", "unsupported-dtype"}, f.ID) {
		s.DType = 0
		if t, again := opener(ctx, rest, s); again == nil {
			return t, nil
		}
	}
	return t, err
}

// opener returns the driver of an address, and what the driver is to be told.
func (a *app) opener(address string) (probe.Opener, string, error) {
	scheme, rest, ok := strings.Cut(address, ":")
	switch scheme {
	case "go", "gonum", "lastbit":
		return gofunc.Open, address, nil
	case "sim":
		return sim.Open, address, nil
	case "clib":
		return clib.Open, rest, nil
	case "blas":
		return clib.OpenCBLAS, rest, nil
	case "exec":
		return openProgram, rest, nil
	case "py":
		return a.python.Open, rest, nil
	case "mpi":
		return mpi.Open, rest, nil
	}
	cause := "it does not begin with a kind of target and a colon"
	if ok {
		cause = fmt.Sprintf("there is no kind of target called %q", scheme)
	}
	return nil, "", &probe.Fault{ID: "bad-address", Thing: fmt.Sprintf("target %q", address), Cause: cause, Cure: "write " + addresses + "; lastbit targets lists what is here"}
}

// openProgram opens a program, which does not tell what it computes: a sum, if
// nobody says otherwise.
func openProgram(ctx context.Context, command string, s probe.Spec) (probe.Target, error) {
	if s.Op == "" {
		s.Op = probe.Sum
	}
	return exec.Open(ctx, command, s)
}

// listings returns what every driver finds on this machine.
func (a *app) listings(ctx context.Context) []probe.Listing {
	lists := []func(context.Context) []probe.Listing{gofunc.List, a.python.List, clib.List, sim.List, mpi.List}
	parts := make([][]probe.Listing, len(lists))
	atOnce(len(lists), len(lists), func(i int) { parts[i] = lists[i](ctx) })
	return slices.Concat(parts...)
}
