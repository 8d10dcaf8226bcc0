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
	// Init takes the environment variable LASTBIT_MPI_LIBRARY; if that is empty
	// too, the library of the mpirun that started this process, or any library
	// if none did.
	Library string
}

// ErrMissing is in the chain of Init's error if no MPI library was found.
var ErrMissing = errors.New("no MPI library was found")

// Error is the failure of an MPI call.
type Error struct {
	Call string // MPI_Allreduce
	Rank int    // of the calling process in its Comm
	Code int    // result of the call
	Text string // MPI_Error_string of it
}

// Error returns the call that failed, its rank, and MPI's own words.
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
// The error has ErrMissing in its chain if no MPI library was found.
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

// Run calls Init, main and Finalize. If main returns an error, panics or ends
// its goroutine, Run writes that to standard error and ends the processes of
// all ranks with exit code 1. With one rank only, it returns the error or lets
// the panic go on.
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

// unfinished returns how a function ended that did not return. cause is the
// result of recover.
func unfinished(cause any) error {
	if cause == nil {
		return errors.New("the goroutine ended by runtime.Goexit")
	}
	return fmt.Errorf("panic: %v\n\n%s", cause, debug.Stack())
}

// Finalize ends MPI; all ranks call it, each in the goroutine that called Init.
// Nothing in this package may be called after it, Init included.
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
// an exit code, as far as the library and mpirun can. It does not return. It
// may be called while another goroutine waits in MPI.
func (c *Comm) Abort(code int, why error) {
	fmt.Fprintf(os.Stderr, "mpi: rank %d of %d ends the job: %v\n", c.rank, c.size, why)
	time.Sleep(lastWords)
	c.w.fn.abort(c.w.abi.world, int32(code))
	os.Exit(code)
}

// lastWords is the time that mpirun has to pass on a rank's output before the
// rank ends the job: MPICH's drops output that it has not read by then.
const lastWords = 200 * time.Millisecond

// Rank returns the number of this process among the ranks of c: 0 … Size−1.
func (c *Comm) Rank() int { return c.rank }

// Size returns the number of ranks.
func (c *Comm) Size() int { return c.size }

// Library returns the MPI library that was loaded.
func (c *Comm) Library() Library { return c.w.info }

// Barrier returns once all ranks have called it.
func (c *Comm) Barrier() error {
	return c.w.do("MPI_Barrier", c, func() int32 { return c.w.fn.barrier(c.handle) })
}

// Split divides the ranks of c into new groups, one for each color, ordered by
// key and then by their rank in c. A rank with a negative color belongs to no
// group and gets nil. All ranks of c call it. Free gives a group back.
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

// Free gives a group of Split back to the library. All its ranks call it.
func (c *Comm) Free() error {
	if c.handle == c.w.abi.world {
		return errors.New("mpi: the communicator of all ranks cannot be freed: call Finalize at " +
			"the end")
	}
	h := new(handle)
	*h = c.handle
	return c.w.do("MPI_Comm_free", c, func() int32 { return c.w.fn.commFree(h) })
}
