package mpi

import (
	"errors"
	"strings"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/wire"
)

// The faults of this driver, besides the faults in probe/wire.
const (
	badSpec     = "bad-spec"     // MPI cannot do this
	badAddress  = "bad-address"  // the address names no reduction
	noLibraries = "no-libraries" // this platform cannot load shared libraries
	notServing  = "not-serving"  // the program's main does not call ServeIfWorker
	mpiMissing  = "mpi-missing"  // there is no mpirun
	mpiLibrary  = "mpi-library"  // mpirun has started ranks, but they cannot use its library
)

// unsupported is the Fault of a platform without shared libraries.
func unsupported(target string) error {
	return &probe.Fault{ID: noLibraries, Thing: target, Cause: dl.ErrUnsupported.Error(),
		Cure: "run a lastbit that is not statically linked, on Linux or macOS"}
}

// refusal is a job's reason not to serve. It travels as text, "id: cause".
type refusal struct{ id, cause string }

func (r *refusal) Error() string { return r.id + ": " + r.cause }

// explain rewords the Faults of package wire for this driver.
func explain(err error) error {
	var f *probe.Fault
	if !errors.As(err, &f) {
		return err
	}
	g := *f
	var text *wire.Refusal
	switch {
	case errors.As(err, &text):
		if cause, ok := strings.CutPrefix(text.Text, mpiLibrary+": "); ok {
			return &probe.Fault{ID: mpiLibrary, Thing: f.Thing, Cause: cause,
				Cure: "install the library that belongs to this mpirun, " +
					"or name it in LASTBIT_MPI_LIBRARY"}
		}
	case f.ID == "worker-died":
		g.Cure = "start something small with this mpirun by hand, with as many ranks, " +
			"to see whether it works"
	case f.ID == "worker-timeout":
		g.Cure = "allow more with --timeout, or use fewer ranks: those that wait " +
			"take the processors from those that work"
	case f.ID == "worker-protocol":
		g.Cure = "the program that runs this must call ServeIfWorker of probe/mpi first in main, " +
			"before it writes anything"
	}
	return &g
}
