package mpi

import (
	"fmt"
	"runtime"
	"unsafe"
)

// None is the rank of nobody: SendReceive sends nothing to it, and receives
// nothing from it.
const None = -1

// SendReceive sends an array to rank to, and replaces receive with the array
// that rank from sends to this one. Either rank may be None, and both may be
// this one. The arrays must not overlap. Ranks that pass arrays on in a ring or
// along a line do not wait for each other in a circle: MPI sends and receives
// at once.
//
// It returns an error if a rank does not exist, or if the array that came has
// another length than receive; receive may hold anything then. Longer arrays
// than 2^30 values go in pieces of that length. Ranks that disagree on the
// number of pieces may wait forever.
func SendReceive[T Number](c *Comm, send []T, to int, receive []T, from int) error {
	if err := c.checkRanks(to, from); err != nil {
		return err
	}
	for {
		out, in := piece(&send, to, c.w.maxCall), piece(&receive, from, c.w.maxCall)
		if len(out) == 0 && len(in) == 0 {
			return nil
		}
		if err := c.sendReceive(kindOf[T](), message(out, to), message(in, from)); err != nil {
			return err
		}
		runtime.KeepAlive(out)
		runtime.KeepAlive(in)
	}
}

// checkRanks returns an error if one of the ranks is neither None nor in c.
func (c *Comm) checkRanks(ranks ...int) error {
	for _, r := range ranks {
		if r != None && (r < 0 || r >= c.size) {
			return fmt.Errorf("mpi: SendReceive with rank %d: there are ranks 0 to %d, and None",
				r, c.size-1)
		}
	}
	return nil
}

// piece cuts the next piece of at most maxLength values off x. There are none
// for None.
func piece[T Number](x *[]T, rank, maxLength int) []T {
	if rank == None {
		return nil
	}
	n := min(len(*x), maxLength)
	p := (*x)[:n]
	*x = (*x)[n:]
	return p
}

// An envelope is an array and the rank that it comes from or goes to.
type envelope struct {
	p    unsafe.Pointer
	n    int32
	rank int
}

// message returns the envelope of a piece. A side that has no more pieces sends
// or receives nothing.
func message[T Number](x []T, rank int) envelope {
	if len(x) == 0 {
		return envelope{rank: None}
	}
	return envelope{unsafe.Pointer(&x[0]), int32(len(x)), rank}
}

// sendReceive sends and receives one piece, and compares the length of the one
// that came with the room for it.
func (c *Comm) sendReceive(k kind, out, in envelope) error {
	const tag = 0
	dtype, s, came := c.w.abi.datatypes[k], new(status), new(int32)
	err := c.w.do("MPI_Sendrecv", c, func() int32 {
		return c.w.fn.sendrecv(out.p, out.n, dtype, c.rankOf(out), tag,
			in.p, in.n, dtype, c.rankOf(in), tag, c.handle, s)
	})
	if err != nil || in.rank == None {
		return err
	}
	err = c.w.do("MPI_Get_count", c, func() int32 { return c.w.fn.getCount(s, dtype, came) })
	if err == nil && *came != in.n {
		return fmt.Errorf("mpi: rank %d has sent %d values, and rank %d expects %d: pass arrays "+
			"of one length", in.rank, *came, c.rank, in.n)
	}
	return err
}

// rankOf returns the rank of an envelope as MPI counts.
func (c *Comm) rankOf(e envelope) int32 {
	if e.rank == None {
		return c.w.abi.procNull
	}
	return int32(e.rank)
}
