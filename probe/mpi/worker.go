package mpi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mpi"
	"github.com/lastbit/lastbit/probe/internal/process"
	"github.com/lastbit/lastbit/probe/internal/ranks"
	"github.com/lastbit/lastbit/probe/wire"
)

// Fields of a hello: the name of the reduction, and the number of ranks that
// share the summands, 0 where each has one.
const (
	fieldFunction = "mpi-function"
	fieldRanks    = "mpi-ranks"
)

// ServeIfWorker takes part in the job and never returns if this process belongs
// to a job that Open has started. Otherwise it does nothing.
//
// The ranks are this program again. Every program that opens a target of this
// package has to call ServeIfWorker first thing in main (in TestMain, if it is
// a test), before it reads its arguments or writes anything. Programs that open
// targets by package probe/open call ServeIfWorker of that package instead.
func ServeIfWorker() {
	var serve func() error
	switch {
	case process.TakeRole(guardRole):
		serve = guard
	case process.TakeRole(jobRole):
		serve = job
	case process.TakeRole(rankRole):
		serve = rank
	default:
		return
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// rank runs a rank. Rank 0 answers the host.
func rank() error {
	if !isJobRunning() {
		return errors.New("the job is over")
	}
	go exitWithJob(os.Getppid())
	started := make(chan struct{})
	if firstRank(os.Getenv) {
		go noteSegmentsUntil(started, filepath.Dir(os.Getenv(socketVariable)))
	}
	begun := false
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		begun = true
		close(started)
		if world.Rank() == 0 {
			return lead(world)
		}
		return follow(world)
	})
	if !begun && firstRank(os.Getenv) {
		return errors.Join(err,
			answer(func(wire.Hello) (*wire.Session, error) {
				return nil,
					&refusal{mpiLibrary, err.Error()}
			}))
	}
	return err
}

// answer serves the host from rank 0.
func answer(open func(wire.Hello) (*wire.Session, error)) error {
	conn, err := net.Dial("unix", os.Getenv(socketVariable))
	if err != nil {
		return err
	}
	defer conn.Close()
	return wire.Serve(conn, conn, open, fieldFunction, fieldRanks)
}

// firstRank reports whether this is rank 0, by mpirun's variables, for when MPI
// does not work.
func firstRank(getenv func(string) string) bool {
	return getenv("OMPI_COMM_WORLD_RANK") == "0" || getenv("PMI_RANK") == "0"
}

// exitWithJob ends this process when its job is over: when the job has removed
// its socket, or when mpirun is gone, perhaps without having ended its ranks. A
// rank that waits in MPI would otherwise wait for ever.
func exitWithJob(mpirun int) {
	for os.Getppid() == mpirun && isJobRunning() {
		time.Sleep(watchPeriod)
	}
	os.Exit(1)
}

// isJobRunning reports whether the job's socket is there.
func isJobRunning() bool {
	_, err := os.Stat(os.Getenv(socketVariable))
	return err == nil
}

// lead answers the host's requests in rank 0 until the last one, and then ends
// the other ranks.
func lead(world *mpi.Comm) error {
	var a *array
	err := answer(func(h wire.Hello) (_ *wire.Session, err error) {
		if h.Key.Ranks, err = strconv.Atoi(h.Extra[fieldRanks]); err != nil {
			return nil, err
		}
		if n := rankCount(h.Key); n != world.Size() {
			return nil, &refusal{mpiLibrary,
				fmt.Sprintf("mpirun has started %d ranks, not %d", world.Size(), n)}
		}
		if a, err = announce(world, h); err != nil {
			return nil, err
		}
		k, lib := h.Key, world.Library()
		k.Library, k.Version, k.Runtime = lib.Name, lib.Version, lib.File
		k.Kernel = kernel(lib.Device)
		return &wire.Session{Key: k, Call: a.call}, nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // the host has gone; the ranks are in step, and end so
	}
	if a == nil {
		return mpi.Bcast(world, make([]int64, terms), 0)
	}
	a.message[0] = stop
	return mpi.Bcast(world, a.message, 0)
}

// follow carries out rank 0's announcements in the other ranks.
func follow(world *mpi.Comm) error {
	t := make([]int64, terms)
	if err := mpi.Bcast(world, t, 0); err != nil || t[0] == 0 {
		return err
	}
	a := newArray(world, t)
	for {
		if err := mpi.Bcast(world, a.message, 0); err != nil || a.message[0] == stop {
			return err
		}
		if err := a.reduce(); err != nil {
			return err
		}
	}
}

// terms is the length of the first message of rank 0: the length of the arrays,
// or 0 if there is nothing to do; their format; 1 for allreduce, 0 for reduce;
// the number of summands; 1 where they are products.
const terms = 5

// The first byte of a message from rank 0 to the others; the summands follow.
const (
	stop = iota
	compute
)

// array holds a rank's part of the summands.
type array struct {
	world   *mpi.Comm
	toAll   bool // allreduce
	m, n    int  // elements of an array, and summands of each
	product bool
	message []byte
	f64     []float64 // this rank's array, of the format agreed on
	f32     []float32
}

// announce sends the terms of a hello to the other ranks.
func announce(world *mpi.Comm, h wire.Hello) (*array, error) {
	t := []int64{int64(h.Key.M), int64(h.Key.DType), 0, int64(h.Key.N), 0}
	if h.Extra[fieldFunction] == allreduce {
		t[2] = 1
	}
	if h.Key.Op.Products() {
		t[4] = 1
	}
	if err := mpi.Bcast(world, t, 0); err != nil {
		return nil, err
	}
	return newArray(world, t), nil
}

func newArray(world *mpi.Comm, t []int64) *array {
	format := fp.Format(t[1])
	a := &array{world: world, m: int(t[0]), n: int(t[3]), toAll: t[2] == 1, product: t[4] == 1}
	values := a.m * a.n
	if a.product {
		values += a.n
	}
	a.message = make([]byte, 1+values*format.Bytes())
	if format == fp.Binary32 {
		a.f32 = make([]float32, a.m)
	} else {
		a.f64 = make([]float64, a.m)
	}
	return a
}

// call computes the sums of a batch, whose lanes are the elements of the ranks'
// arrays.
func (a *array) call(x, y, out []byte) error {
	a.message[0] = compute
	copy(a.message[1+copy(a.message[1:], x):], y)
	if err := mpi.Bcast(a.world, a.message, 0); err != nil {
		return err
	}
	if err := a.reduce(); err != nil {
		return err
	}
	for i := range a.m {
		if a.f32 != nil {
			//lastbit:ignore nankey bits pass unchanged
			binary.NativeEndian.PutUint32(out[4*i:], math.Float32bits(a.f32[i]))
		} else {
			//lastbit:ignore nankey bits pass unchanged
			binary.NativeEndian.PutUint64(out[8*i:], math.Float64bits(a.f64[i]))
		}
	}
	return nil
}

// reduce takes this rank's array from a message and reduces it.
func (a *array) reduce() error {
	from, to := ranks.Cut(a.n, a.world.Size(), a.world.Rank())
	x, y := make([]float64, to-from), []float64(nil)
	format := fp.Binary64
	if a.f32 != nil {
		format = fp.Binary32
	}
	if a.product {
		y = make([]float64, to-from)
		wire.Decode(format, y, a.values(a.m*a.n+from, to-from))
	}
	for i := range a.m {
		own := a.values(i*a.n+from, to-from)
		if len(x) == 1 && y == nil { // it is sent as it is, a NaN too
			a.take(i, own)
			continue
		}
		wire.Decode(format, x, own)
		s := ranks.Partial(format, x, y)
		if a.f32 != nil {
			a.f32[i] = float32(s)
		} else {
			a.f64[i] = s
		}
	}
	if a.f32 != nil {
		return sum(a, a.f32)
	}
	return sum(a, a.f64)
}

// values returns the bytes of count values of the message, from value i on.
func (a *array) values(i, count int) []byte {
	size := 8
	if a.f32 != nil {
		size = 4
	}
	return a.message[1+i*size:][:count*size]
}

// take makes one value element i of this rank's array.
func (a *array) take(i int, value []byte) {
	if a.f32 != nil {
		a.f32[i] = math.Float32frombits(binary.NativeEndian.Uint32(value))
		return
	}
	a.f64[i] = math.Float64frombits(binary.NativeEndian.Uint64(value))
}

func sum[T mpi.Number](a *array, x []T) error {
	if a.toAll {
		return mpi.Allreduce(a.world, x, mpi.Sum)
	}
	return mpi.Reduce(a.world, x, mpi.Sum, 0)
}
