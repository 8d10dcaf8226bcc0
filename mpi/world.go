package mpi

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"unsafe"
)

// world is the MPI that this process has initialised; there is at most one.
type world struct {
	fn      functions
	abi     abi
	info    Library
	maxCall int // bound of the values of one call: MPI counts in int

	mu        sync.Mutex // held during every call but Abort
	ended     bool       // by Finalize
	callback  uintptr    // of combine, 0 before the first operation was made
	combining *UserOp    // the operation of the reduction that is running
}

// start initialises MPI.
func start(l *loaded) (*Comm, error) {
	w := &world{fn: l.fn, abi: l.abi, info: l.info, maxCall: 1 << 30}
	var before int32
	if w.fn.initialized(&before); before != 0 {
		return nil, errors.New("mpi: Init was called before, or something else in this process " +
			"has initialised MPI: it can be done once")
	}
	var level int32
	if code := w.fn.initThread(0, 0, threadSerialized, &level); code != 0 {
		return nil, fmt.Errorf("mpi: MPI_Init_thread of %s failed with code %d", l.info, code)
	}
	w.fn.setErrhandler(w.abi.world, w.abi.errorsReturn)
	c, err := w.comm(w.abi.world)
	if err != nil {
		return nil, err
	}
	if level < threadSerialized {
		c.Abort(1, fmt.Errorf("%s lets one thread call it only, and goroutines change theirs: "+
			"take a build of it with threads", l.info))
	}
	if err := sizeOfJob(l.info, c.size, os.Getenv); err != nil {
		return nil, errors.Join(err, c.Finalize())
	}
	return c, nil
}

// sizeOfJob compares the number of ranks with the number in mpirun's
// environment: a library of another MPI than mpirun's starts every process as a
// job of its own.
func sizeOfJob(lib Library, size int, getenv func(string) string) error {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"} {
		if n, err := strconv.Atoi(getenv(name)); err == nil && n != size {
			return fmt.Errorf("mpi: mpirun has started %d ranks (%s), but %s counts %d: name "+
				"the library of this mpirun in %s", n, name, lib, size, libraryVariable)
		}
	}
	return nil
}

// comm returns the communicator of a handle.
func (w *world) comm(h handle) (*Comm, error) {
	c := &Comm{w: w, handle: h}
	var rank, size int32
	err := w.do("MPI_Comm_rank", c, func() int32 { return w.fn.rank(h, &rank) })
	if err == nil {
		err = w.do("MPI_Comm_size", c, func() int32 { return w.fn.size(h, &size) })
	}
	c.rank, c.size = int(rank), int(size)
	return c, err
}

// do calls MPI and converts its result to an error.
func (w *world) do(name string, c *Comm, call func() int32) error {
	return w.doWith(nil, name, c, call)
}

// doWith is do, with op as the operation that combine runs.
func (w *world) doWith(op *UserOp, name string, c *Comm, call func() int32) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return fmt.Errorf("mpi: %s after Finalize", name)
	}
	w.combining = op
	code := call()
	w.combining = nil
	if code == 0 {
		return nil
	}
	return &Error{Call: name, Rank: c.rank, Code: int(code), Text: w.errorText(code)}
}

// errorText returns MPI's text for an error.
func (w *world) errorText(code int32) string {
	buf := make([]byte, maxErrorString)
	var n int32
	if w.fn.errorString(code, unsafe.SliceData(buf), &n) != 0 || n < 0 || int(n) > len(buf) {
		return fmt.Sprintf("error %d", code)
	}
	return string(buf[:n])
}
