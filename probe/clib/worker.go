package clib

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe/internal/process"
	"github.com/lastbit/lastbit/probe/wire"
)

// role is the role of a process that loads a library for this package.
const role = "clib"

// The fields of a hello besides the protocol's.
const (
	fieldLibrary = "clib-path"   // path or soname
	fieldSymbol  = "clib-symbol" // of the C function; absent: a CBLAS
	fieldVendor  = "clib-vendor" // which BLAS it must be; absent: any
	// The type of 16 bits that the C function returns, where not uint16_t.
	fieldReturns = "clib-returns"
)

// ServeIfWorker serves and never returns if Open or OpenCBLAS started this
// process to load a library and call it. Otherwise it does nothing.
//
// Foreign code runs in a process of its own, and that process is this program
// again. Every program that opens a target of this package has to call
// ServeIfWorker first thing in main (in TestMain, if it is a test), before it
// reads its arguments or writes anything. Programs that open targets by package
// probe/open call ServeIfWorker of that package instead.
func ServeIfWorker() {
	if !process.TakeRole(role) {
		return
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers the host until it closes our input.
func serve() error {
	// Loading a library may have set its thread's floating-point modes, so one
	// thread does everything.
	runtime.LockOSThread()
	in, out, err := process.Stdio()
	if err != nil {
		return err
	}
	go exitWithParent(os.Getppid())
	return wire.Serve(in, out, openSession, fieldLibrary, fieldSymbol, fieldVendor,
		fieldReturns)
}

// exitWithParent ends this process when its parent is gone: nothing else would
// end a C function that does not return.
func exitWithParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	os.Exit(1)
}

// openSession loads the library of a hello.
func openSession(h wire.Hello) (*wire.Session, error) {
	plainDeaths()
	path := h.Extra[fieldLibrary]
	lib, err := dl.Open(path)
	if err != nil {
		return nil, &refusal{libraryLoad, err.Error()}
	}
	id, c, err := bind(lib, h)
	var missing *dl.MissingError
	switch {
	case errors.As(err, &missing):
		return nil, &refusal{symbolMissing, missing.Error()}
	case err != nil:
		return nil, err
	}
	k := h.Key
	k.Library, k.Version, k.Kernel, k.Runtime = id.library, id.version, id.kernel, id.file
	if k.Threads < 0 && id.threads > 0 {
		k.Threads = id.threads
	}
	// The library gets copies of its operands.
	s := &wire.Session{Key: k, Call: c.call, Keeps: true, Reach: c.reach(), Move: c.move}
	if k.M > 0 {
		s.Cells = c.cells
	}
	return s, nil
}

// bind looks up the functions of a hello.
func bind(lib *dl.Library, h wire.Hello) (id identity, c *computer, err error) {
	k := h.Key
	if symbol := h.Extra[fieldSymbol]; symbol != "" {
		if id.file, err = fileOf(lib, symbol); err == nil {
			c, err = newFunction(lib, symbol, k, h.Extra[fieldReturns] != "")
		}
		return id, c, err
	}
	file, err := fileOf(lib, affixed(lib, cblasName(k.Op, k.DType)))
	if err != nil {
		return id, nil, err
	}
	v := identify(lib, file)
	id = v.identity(lib, file)
	if want := h.Extra[fieldVendor]; want != "" && want != v.name {
		return id, nil, &refusal{libraryKind, fmt.Sprintf("%s is %s", file, v.title)}
	}
	if err := v.setThreads(lib, k.Threads); err != nil {
		return id, nil, err
	}
	c, err = newCBLAS(lib, k)
	return id, c, err
}
