package mpi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// messages holds what ranks receive against what others have sent.
func messages(c *Comm) error {
	return errors.Join(
		passOn[float64](c, 1000), passOn[float32](c, 1), passOn[int64](c, 50000),
		passOn[byte](c, 0), alongLine(c), inPieces7(c), toNobody(c))
}

// passOn passes an array on in a ring of ranks, both ways round.
func passOn[T Number](c *Comm, n int) error {
	mine := make([]T, n)
	for i := range mine {
		mine[i] = value[T](c.Rank(), i)
	}
	for _, step := range []int{1, c.Size() - 1} {
		from := (c.Rank() + c.Size() - step) % c.Size()
		got := make([]T, n)
		if err := SendReceive(c, mine, (c.Rank()+step)%c.Size(), got, from); err != nil {
			return err
		}
		for i, v := range got {
			if v != value[T](from, i) {
				return fmt.Errorf("element %d of rank %d is %v in rank %d", i, from, v, c.Rank())
			}
		}
	}
	return nil
}

// alongLine sends to the next rank, in a line with two ends.
func alongLine(c *Comm) error {
	to, from := c.Rank()+1, c.Rank()-1 // the first receives from None
	if to == c.Size() {
		to = None
	}
	got := []int64{-7}
	if err := SendReceive(c, []int64{int64(c.Rank())}, to, got, from); err != nil {
		return err
	}
	want := int64(from)
	if from == None {
		want = -7
	}
	if got[0] != want {
		return fmt.Errorf("rank %d got %d, want %d", c.Rank(), got[0], want)
	}
	return nil
}

// inPieces7 sends arrays that are longer than the maximum of one call of MPI,
// here 7 elements, of another length each way.
func inPieces7(c *Comm) error {
	defer func(n int) { c.w.maxCall = n }(c.w.maxCall)
	c.w.maxCall = 7
	for _, n := range []int{6, 7, 8, 14, 22} {
		if err := passOn[float64](c, n); err != nil {
			return err
		}
	}
	length := func(rank int) int { return 5 + 9*rank }
	next, before := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	mine, got := make([]byte, length(c.Rank())), make([]byte, length(before))
	for i := range mine {
		mine[i] = byte(c.Rank() + 1)
	}
	if err := SendReceive(c, mine, next, got, before); err != nil {
		return err
	}
	if slices.ContainsFunc(got, func(b byte) bool { return b != byte(before+1) }) {
		return fmt.Errorf("rank %d got %v", c.Rank(), got)
	}
	return nil
}

// toNobody holds that a call that sends and receives nothing returns, and that
// a rank that does not exist is an error.
func toNobody(c *Comm) error {
	x := []float32{3}
	if err := SendReceive(c, x, None, nil, None); err != nil {
		return err
	}
	for _, rank := range []int{c.Size(), -2, math.MaxInt32} {
		if SendReceive(c, x, rank, nil, None) == nil || SendReceive(c, nil, None, x, rank) == nil {
			return fmt.Errorf("there is a rank %d", rank)
		}
	}
	return nil
}

// shortMessage lets every rank send fewer values than the next has room for.
func shortMessage(c *Comm) error {
	ring := (c.Rank() + 1) % c.Size()
	before := (c.Rank() + c.Size() - 1) % c.Size()
	return SendReceive(c, make([]int64, 2), ring, make([]int64, 3), before)
}

func TestMessages(t *testing.T) {
	eachMPI(t, func(t *testing.T, mpirun string) {
		for _, n := range []int{1, 2, 3} {
			if _, stderr, err := launch(t, mpirun, n, "messages"); err != nil || stderr != "" {
				t.Errorf("%d ranks: %v\n%s", n, err, stderr)
			}
		}
	})
}
