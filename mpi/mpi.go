// Package mpi lets the ranks of an MPI job add, compare and broadcast arrays,
// without cgo: the system's MPI library, Open MPI or MPICH (and what has
// MPICH's binary interface: Intel MPI, MVAPICH), is loaded when Init is called.
//
// A program is started by mpirun, once for each rank, and puts its work in Run:
//
//	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
//		x := []float64{float64(world.Rank())}
//		return mpi.Allreduce(world, x, mpi.Sum)
//	})
//
// Started without mpirun it is a world of one rank.
//
// # Promises
//
// Sum over floats promises nothing: its bits depend on the number of ranks, the
// length of the array, and the library (lastbit reveal mpi:allreduce shows the
// order). AllreduceExact, for package exact, and AllreduceWindow and
// AllreducePartial, for package binned, keep the promises of those: the bits
// depend neither on the number of ranks nor on who holds which number.
//
// # Threads
//
// MPI is initialised for calls from any thread, one at a time
// (MPI_THREAD_SERIALIZED), and this package makes them one at a time, so that
// goroutines may share a Comm. As with any MPI, all ranks must call the
// collective functions of a Comm in the same order; goroutines that call them
// in an order of their own may wait for each other for ever.
//
// Init ties the calling goroutine to its thread, because MPI_Finalize belongs
// to the thread of MPI_Init; Finalize unties it. Operations defined in Go are
// called in the goroutine that has called Allreduce or Reduce.
//
// The library may install handlers of signals; those that Go's runtime needs
// are given back to it.
//
// # Errors
//
// A failed call gives an *Error with MPI's own words. What the library's state
// is then MPI leaves open: a program should end by Abort, which ends all ranks.
// Run does so when the function returns an error, panics or ends its goroutine:
// a rank that left in silence would let the others wait for ever. For the same
// reason a rank must not call os.Exit before Run has returned; if it does with
// exit code 0, MPICH's mpirun takes the whole job for a success. A rank that is
// killed is noticed by mpirun, which ends the others.
package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// Options of Init.
type Options struct {
	// Library is the path or soname of the MPI library to load. If it is empty,
	// the environment variable LASTBIT_MPI_LIBRARY is taken for it, and if that
	// is empty too, the library of the mpirun that has started this process, or
	// any where none has.
	Library string
}

// ErrMissing is in the chain of Init's error where no MPI library was found.
var ErrMissing = errors.New("no MPI library was found")

// Error is the failure of an MPI call.
type Error struct {
	Call string // MPI_Allreduce
	Rank int    // of the calling process in its Comm
	Code int    // what the call returned
	Text string // MPI_Error_string of it
}

// Error says which call failed, on which rank, and MPI's own words.
func (e *Error) Error() string {
	return fmt.Sprintf("mpi: %s on rank %d: %s", e.Call, e.Rank, e.Text)
}

// Comm is a group of ranks that compute together: an MPI communicator.
type Comm struct {
	w          *world
	handle     handle
	rank, size int
}

// Init loads an MPI library, calls MPI_Init_thread and returns the communicator
// of all ranks. A process may do so once. A failure inside MPI_Init_thread ends
// the process with the library's own words.
//
// The error has ErrMissing in its chain where there is no MPI library.
func Init(o Options) (*Comm, error) {
	defer keepSignals()()
	l, err := findLibrary(o)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	c, err := start(l)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return c, nil
}

// Run is Init, main and Finalize. When main returns an error, panics or ends
// its goroutine, Run writes that to standard error and ends the processes of
// all ranks with exit code 1; where there is one rank only, it returns the
// error, or lets the panic go on.
func Run(o Options, main func(world *Comm) error) error {
	c, err := Init(o)
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended && c.size > 1 {
			c.Abort(1, unfinished(recover()))
		}
	}()
	err = main(c)
	ended = true
	if err != nil && c.size > 1 {
		c.Abort(1, err)
	}
	return errors.Join(err, c.Finalize())
}

// unfinished says how a function ended that did not return; cause is what
// recover gave.
func unfinished(cause any) error {
	if cause == nil {
		return errors.New("the goroutine ended by runtime.Goexit")
	}
	return fmt.Errorf("panic: %v\n\n%s", cause, debug.Stack())
}

// Finalize ends MPI; all ranks call it, each in the goroutine that called Init.
// Nothing of this package can be called after it, and Init not again.
func (c *Comm) Finalize() error {
	w := c.w
	err := w.do("MPI_Finalize", c, func() int32 { return w.fn.finalize() })
	if err == nil {
		w.mu.Lock()
		w.ended = true
		w.mu.Unlock()
		runtime.UnlockOSThread()
	}
	return err
}

// Abort writes why to standard error and ends the processes of all ranks with
// an exit code, as far as the library and mpirun can. It does not return, and
// may be called while another goroutine waits in MPI.
func (c *Comm) Abort(code int, why error) {
	fmt.Fprintf(os.Stderr, "mpi: rank %d of %d ends the job: %v\n", c.rank, c.size, why)
	time.Sleep(lastWords)
	c.w.fn.abort(c.w.abi.world, int32(code))
	os.Exit(code)
}

// lastWords is how long mpirun has to pass on what a rank has written before
// the rank ends the job: MPICH's drops what it has not read by then.
const lastWords = 200 * time.Millisecond

// Rank returns the number of this process among the ranks of c: 0 … Size−1.
func (c *Comm) Rank() int { return c.rank }

// Size returns the number of ranks.
func (c *Comm) Size() int { return c.size }

// Library says which MPI library was loaded.
func (c *Comm) Library() Library { return c.w.info }

// Barrier returns when all ranks have called it.
func (c *Comm) Barrier() error {
	return c.w.do("MPI_Barrier", c, func() int32 { return c.w.fn.barrier(c.handle) })
}

// Split divides the ranks of c into new groups: those that give the same color
// are one, ordered by key and then by their rank in c. A rank that gives a
// negative color belongs to none, and gets nil. All ranks of c call it. Free
// gives a group back.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if color < 0 {
		color = undefined
	}
	h := new(handle)
	err := c.w.do("MPI_Comm_split", c, func() int32 {
		return c.w.fn.split(c.handle, int32(color), int32(key), h)
	})
	if err != nil || color == undefined {
		return nil, err
	}
	return c.w.comm(c.w.abi.read(h))
}

// Free gives a group that Split has made back to the library; all its ranks
// call it.
func (c *Comm) Free() error {
	if c.handle == c.w.abi.world {
		return errors.New("mpi: the communicator of all ranks cannot be freed: call Finalize at " +
			"the end")
	}
	h := new(handle)
	*h = c.handle
	return c.w.do("MPI_Comm_free", c, func() int32 { return c.w.fn.commFree(h) })
}
