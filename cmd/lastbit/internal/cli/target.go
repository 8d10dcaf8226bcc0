package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/python"
)

// pythonVariable names the environment variable that chooses the interpreter of
// Python targets.
const pythonVariable = "LASTBIT_PYTHON"

// drivers returns the table of drivers, with the user's interpreter of Python,
// whose callables print to stderr.
func drivers(stderr io.Writer) open.Table {
	return open.Drivers(open.Config{
		Python: os.Getenv(pythonVariable), Share: true, Stderr: stderr,
		Caller: python.CallerPlace(),
	})
}

// python returns the driver that runs scripts.
func (a *app) python() *python.Driver { return &python.Driver{Python: os.Getenv(pythonVariable)} }

// open opens the target of an address. Where the caller names no input format,
// it is f32, or else a format that the target takes.
func (a *app) open(
	ctx context.Context, address string, s probe.Spec, dtypeGiven bool,
) (probe.Target, error) {
	t, err := a.drivers.Open(ctx, address, s)
	var f *probe.Fault
	refused := errors.As(err, &f) &&
		slices.Contains([]string{"unsupported", "unsupported-dtype"}, f.ID)
	if refused && !dtypeGiven {
		s.DType = 0
		if t, again := a.drivers.Open(ctx, address, s); again == nil {
			return t, nil
		}
	}
	return t, err
}
