package python

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/process"
)

// Script runs code, with arguments, in the first interpreter that has the
// module, and returns its output. The processes that it starts end with ctx.
// The error is a fault if no interpreter has the module, or if the code fails.
func (d *Driver) Script(ctx context.Context, module, code string, args ...string) ([]byte, error) {
	const missing = 3
	const guard = "import sys, importlib.util\nif not importlib.util.find_spec(%q): sys.exit(%d)\n"
	guarded := fmt.Sprintf(guard, module, missing) + code
	for _, python := range d.interpreters(module) {
		out, err := process.Output(ctx, append([]string{python, "-c", guarded}, args...)...)
		var exit *exec.ExitError
		switch {
		case err == nil:
			d.remember(module, python)
			return out, nil
		case ctx.Err() != nil:
			return nil, err
		case errors.As(err, &exit) && exit.ExitCode() != missing:
			return nil, &probe.Fault{ID: "failed", Thing: python,
				Cause: "its script ended: " + string(exit.Stderr),
				Cure:  "see whether " + module + " can be imported there", Err: err}
		}
	}
	return nil, &probe.Fault{ID: "module-missing", Thing: module,
		Cause: "no Python interpreter has it",
		Cure:  "install it (Debian: python3-" + module + "), or set LASTBIT_PYTHON"}
}
