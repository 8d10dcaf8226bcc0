package open

import (
	"context"
	"io"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/exec"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/mpi"
	"github.com/lastbit/lastbit/probe/python"
	"github.com/lastbit/lastbit/probe/sim"
)

// Config holds the caller's settings for the drivers.
type Config struct {
	// Python is the interpreter of Python targets, and the only one; "" means
	// the first that has the module. The command takes it from LASTBIT_PYTHON.
	Python string

	// Share lets Python targets that are opened one after the other share an
	// interpreter, as python.Driver.Share does.
	Share bool

	// Stderr gets what the user's own Python callables print, as
	// python.Driver.Stderr does.
	Stderr io.Writer

	// Caller is the place of the connection to the process that has started
	// this one, as python.Caller.Place is. The command takes it from
	// LASTBIT_CALLER.
	Caller string
}

// Drivers returns the table of every driver of this module. It is the one place
// that knows them all. The targets of one table share the drivers' findings
// about this machine.
func Drivers(c Config) Table {
	py := &python.Driver{Python: c.Python, Share: c.Share, Stderr: c.Stderr}
	caller := &python.Caller{Place: c.Caller}
	return Table{
		{
			Package:  "probe/gofunc",
			Summary:  "Go functions, in this process",
			Schemes:  []string{"go", "gonum", "lastbit"},
			Examples: []string{"go:naive", "gonum:floats.Sum", "lastbit:ordered.Sum"},
			Options:  gofunc.Options,
			Open:     gofunc.Open,
			List:     gofunc.List,
			Names:    gofunc.Names,
			Shifts:   true,
		},
		{
			Package:  "probe/python",
			Summary:  "NumPy, PyTorch, JAX, Python's own, any callable",
			Schemes:  []string{"py"},
			Examples: []string{"py:numpy.sum"},
			Yours:    []string{"py:module:function", "py:/path/file.py:function"},
			Options:  python.Options,
			Open:     AfterScheme(py.Open),
			List:     py.List,
			Names:    python.Names,
		},
		{
			Package:   "probe/python",
			Summary:   "callables of the Python program that has started lastbit",
			Schemes:   []string{"caller"},
			Examples:  []string{"caller:numpy.sum"},
			Options:   python.CallerOptions,
			Open:      AfterScheme(caller.Open),
			Unlisted:  true,
			Unaudited: true, // they are not of this machine
		},
		{
			Package:       "probe/clib",
			Summary:       "a BLAS, by its C interface",
			Schemes:       []string{"blas"},
			Examples:      []string{"blas:openblas"},
			Yours:         []string{"blas:/path/lib.so"},
			Options:       clib.CBLASOptions,
			Open:          AfterScheme(clib.OpenCBLAS),
			List:          clib.List,
			Names:         clib.Names,
			Guess:         clib.GuessCBLAS,
			ServeIfWorker: clib.ServeIfWorker,
		},
		{
			Package:       "probe/clib",
			Summary:       "any C function",
			Schemes:       []string{"clib"},
			Examples:      []string{"clib:/path/lib.so:symbol"},
			Yours:         []string{"clib:/path/lib.so:symbol"},
			Options:       clib.Options,
			Open:          AfterScheme(clib.Open),
			Guess:         clib.Guess,
			ServeIfWorker: clib.ServeIfWorker,
		},
		{
			Package:  "probe/exec",
			Summary:  "any program",
			Schemes:  []string{"exec"},
			Examples: []string{"exec:command"},
			Yours:    []string{"exec:command args…"},
			Options:  exec.Options,
			Open:     AfterScheme(openProgram),
			Guess:    exec.Guess,
		},
		{
			Package:  "probe/sim",
			Summary:  "models of matrix accelerators, and of sums that several share",
			Schemes:  []string{"sim"},
			Examples: []string{"sim:a100"},
			Options:  sim.Options,
			Open:     AfterScheme(sim.Open),
			List:     sim.List,
			Names:    sim.Names,
		},
		{
			Package:       "probe/mpi",
			Summary:       "reductions over the ranks of an MPI job",
			Schemes:       []string{"mpi"},
			Examples:      []string{"mpi:allreduce"},
			Options:       mpi.Options,
			Open:          AfterScheme(mpi.Open),
			List:          mpi.List,
			Names:         mpi.Names,
			ServeIfWorker: mpi.ServeIfWorker,
			Unaudited:     true, // every summand is a process
		},
	}
}

// openProgram opens a program. A program does not report its operation: it is a
// sum unless the caller names another.
func openProgram(ctx context.Context, command string, s probe.Spec) (probe.Target, error) {
	if s.Op == "" {
		s.Op = probe.Sum
	}
	return exec.Open(ctx, command, s)
}

// ServeIfWorker serves and never returns if a driver started this process to
// call foreign code. Otherwise it does nothing. Every program that opens
// targets by a table has to call it first thing in main (in TestMain, if it is
// a test), before it reads its arguments or writes anything.
func ServeIfWorker() { Drivers(Config{}).serveIfWorker() }

func (t Table) serveIfWorker() {
	for _, d := range t {
		if d.ServeIfWorker != nil {
			d.ServeIfWorker()
		}
	}
}
