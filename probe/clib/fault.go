package clib

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/wire"
)

// The faults of this driver, besides the faults in probe/wire.
const (
	badSpec         = "bad-spec"         // a C library cannot do this
	badAddress      = "bad-address"      // the address names no library or symbol
	noLibraries     = "no-libraries"     // this platform cannot load shared libraries
	notServing      = "not-serving"      // the program's main does not call ServeIfWorker
	libraryMissing  = "library-missing"  // no such file
	libraryFormat   = "library-format"   // no library, or one for another machine
	libraryLoad     = "library-load"     // the dynamic linker refused it
	libraryKind     = "library-kind"     // not the requested BLAS
	symbolMissing   = "symbol-missing"   // no such function in it
	threadsFixed    = "threads-fixed"    // the number of threads cannot be set
	notASumSymbol   = "not-a-sum-symbol" // no sum can give the function's results
	functionChanges = "function-changes" // the function writes to its operands
)

// cures maps the faults of a worker to their cures.
var cures = map[string]string{
	libraryMissing: "check the path",
	libraryLoad:    "install its dependencies (ldd lists them), or check the path",
	libraryKind:    "give the path of the right one: blas:/path/lib.so",
	symbolMissing: "check its name with nm -D; a function of C++ needs extern \"C\", " +
		"and static ones are not visible",
	functionChanges: "let it work on a copy, and declare its operands const",
	threadsFixed:    "use as many threads as it has, one at least, or -1 for its default",
}

// notCBLAS is the cure of a file without the functions of a CBLAS.
const notCBLAS = "it is not a CBLAS; give the path of one: blas:/path/lib.so"

// refuser returns a function that makes the Fault of an impossible request.
func refuser(target string) func(cause, cure string, args ...any) error {
	return func(cause, cure string, args ...any) error {
		return &probe.Fault{ID: badSpec, Thing: target, Cause: fmt.Sprintf(cause, args...),
			Cure: cure}
	}
}

// unsupported is the Fault of a platform without shared libraries.
func unsupported(target string) error {
	return &probe.Fault{ID: noLibraries, Thing: target, Cause: dl.ErrUnsupported.Error(),
		Cure: "run a lastbit that is not statically linked, on Linux or macOS"}
}

// faultOf returns the Fault of an error that a worker reports in a call to
// target, or nil.
func faultOf(target, text string) *probe.Fault {
	id, cause, _ := strings.Cut(text, ": ")
	if id != functionChanges {
		return nil
	}
	return &probe.Fault{ID: id, Thing: target, Cause: cause, Cure: cures[id]}
}

// refusal is a worker's reason not to serve. It travels as text, "id: cause".
type refusal struct{ id, cause string }

func (r *refusal) Error() string { return r.id + ": " + r.cause }

// explainCall rewords the Faults of a call for this driver. After the hello,
// only the library can break the protocol: its function, or a process that the
// function has started, writes to foreign descriptors.
func explainCall(err error, signature string) error {
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID != "worker-protocol" {
		return explain(err, signature)
	}
	g := *f
	g.Cause = "it does not return exactly once, as a function that forks (" + f.Cause + ")"
	g.Cure = "take another build of the library"
	if signature != "" {
		g.Cure = "check that it is " + signature + ", and starts no process"
	}
	return &g
}

// explain rewords the Faults of package wire for this driver: the reasons for a
// refusal, and the cure of a function that ends its process.
func explain(err error, signature string) error {
	var f *probe.Fault
	if !errors.As(err, &f) {
		return err
	}
	g := *f
	var text *wire.Refusal
	switch {
	case errors.As(err, &text):
		id, cause, _ := strings.Cut(text.Text, ": ")
		if id == symbolMissing && signature == "" {
			return &probe.Fault{ID: id, Thing: f.Thing, Cause: cause, Cure: notCBLAS}
		}
		if cure, ok := cures[id]; ok {
			return &probe.Fault{ID: id, Thing: f.Thing, Cause: cause, Cure: cure}
		}
	case f.ID == "worker-died" && signature != "":
		g.Cure = "check that it is " + signature +
			", and call it from C to see why"
	case f.ID == "worker-died":
		g.Cure = "call it from C to see why, or take another build of the library"
	case f.ID == "worker-timeout":
		g.Cure = "allow more with --timeout, or give it fewer values"
	case f.ID == "worker-protocol":
		g.Cure = "the program that runs this must call clib.ServeIfWorker first in main, " +
			"before it writes anything"
	}
	return &g
}
