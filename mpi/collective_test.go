package mpi

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
)

// collectives holds the results that the ranks of a job compute together
// against those that one of them computes alone.
func collectives(c *Comm) error {
	for _, check := range []func(*Comm) error{
		checkLibrary, checkBuiltins, checkPieces, checkBcast, checkMatrices, checkWidth, checkSplit,
		checkErrors, checkOnce, checkFaults, checkGoroutines,
	} {
		if err := check(c); err != nil {
			return err
		}
		if err := c.Barrier(); err != nil {
			return err
		}
	}
	return nil
}

func checkLibrary(c *Comm) error {
	l := c.Library()
	if l.Name != "Open MPI" && l.Name != "MPICH" || !versionNumber.MatchString(l.Version) ||
		!strings.HasPrefix(l.File, "/") {
		return fmt.Errorf("the library is %+v", l)
	}
	return nil
}

// value is element i of a rank's array: small, so that the order does not
// matter.
func value[T Number](rank, i int) T { return T((rank*7+i*3)%5 + 1) }

func checkBuiltins(c *Comm) error {
	return errors.Join(
		builtinsOf[float64](c, 3, 1000, 0, 1), builtinsOf[float32](c, 50000, 3, 1000, 1),
		builtinsOf[int64](c, 1, 50000, 3, 1000), builtinsOf[byte](c, 1000, 1, 50000, 3))
}

// builtinsOf reduces by each operation an array of one of the lengths: more
// would take long where ranks wait for a processor.
func builtinsOf[T Number](c *Comm, lengths ...int) error {
	ops := map[Builtin]func(x, y T) T{
		Sum:  func(x, y T) T { return x + y },
		Prod: func(x, y T) T { return x * y },
		Max:  func(x, y T) T { return max(x, y) },
		Min:  func(x, y T) T { return min(x, y) },
	}
	for op := range builtins {
		n := lengths[op]
		mine, want := make([]T, n), make([]T, n)
		for i := range n {
			mine[i], want[i] = value[T](c.Rank(), i), value[T](0, i)
			for r := 1; r < c.Size(); r++ {
				want[i] = ops[op](want[i], value[T](r, i))
			}
		}
		if err := holdReduction(c, mine, want, op); err != nil {
			return fmt.Errorf("operation %d on %d values of type %T: %w", op, n, *new(T), err)
		}
	}
	return nil
}

// holdReduction reduces mine by Allreduce, and by Reduce in the last rank.
func holdReduction[T Number](c *Comm, mine, want []T, op Op) error {
	x := slices.Clone(mine)
	if err := Allreduce(c, x, op); err != nil {
		return err
	}
	if !slices.Equal(x, want) {
		return fmt.Errorf("Allreduce gives rank %d %v, want %v", c.Rank(), first(x), first(want))
	}
	copy(x, mine)
	root := c.Size() - 1
	if err := Reduce(c, x, op, root); err != nil {
		return err
	}
	if c.Rank() != root {
		want = mine
	}
	if !slices.Equal(x, want) {
		return fmt.Errorf("Reduce gives rank %d %v, want %v", c.Rank(), first(x), first(want))
	}
	return nil
}

func first[T any](x []T) []T { return x[:min(len(x), 10)] }

// checkPieces reduces and broadcasts arrays longer than the maximum of one call
// of MPI, here 7 elements.
func checkPieces(c *Comm) error {
	defer func(n int) { c.w.maxCall = n }(c.w.maxCall)
	c.w.maxCall = 7
	return errors.Join(builtinsOf[int64](c, 6, 7, 8, 22), bcasts(c, 30), elements(c, 7))
}

func checkBcast(c *Comm) error { return bcasts(c, 1, 50000) }

func bcasts(c *Comm, lengths ...int) error {
	for _, root := range []int{0, c.Size() - 1} {
		for _, n := range lengths {
			x, want := make([]float64, n), make([]float64, n)
			for i := range n {
				x[i], want[i] = float64(c.Rank()), float64(root)
			}
			if err := Bcast(c, x, root); err != nil {
				return err
			}
			if !slices.Equal(x, want) {
				return fmt.Errorf("Bcast gives %v, want %v", first(x), first(want))
			}
		}
	}
	text := []byte(fmt.Sprintf("rank %d", c.Rank()))
	if err := Bcast(c, text, 0); err != nil || string(text) != "rank 0" {
		return fmt.Errorf("Bcast gives %q (%v)", text, err)
	}
	return nil
}

// checkMatrices multiplies a matrix of every rank: in the order of the ranks,
// for the product does not commute.
func checkMatrices(c *Comm) error {
	multiply := func(dst, src []int64) {
		for i := 0; i < len(dst); i += 4 {
			a, b := src[i:i+4], [4]int64(dst[i:i+4])
			dst[i], dst[i+1] = a[0]*b[0]+a[1]*b[2], a[0]*b[1]+a[1]*b[3]
			dst[i+2], dst[i+3] = a[2]*b[0]+a[3]*b[2], a[2]*b[1]+a[3]*b[3]
		}
	}
	op, err := NewOp(c, 4, false, multiply)
	if err != nil {
		return err
	}
	const n = 1000
	matrices := func(rank int) []int64 {
		x := make([]int64, 4*n)
		for i := range x {
			x[i] = int64(rank*31 + i*i + 1)
		}
		return x
	}
	want := matrices(c.Size() - 1)
	for r := c.Size() - 2; r >= 0; r-- {
		multiply(want, matrices(r))
	}
	return errors.Join(holdReduction(c, matrices(c.Rank()), want, op), op.Free())
}

func checkWidth(c *Comm) error { return elements(c, 1, 20000) }

// elements holds that an operation sees whole elements: of three values the
// sum, the number of the element, and how many ranks are in it.
func elements(c *Comm, lengths ...int) error {
	op, err := NewOp(c, 3, true, func(dst, src []float32) {
		if len(dst)%3 != 0 || len(dst) != len(src) {
			panic("a part of an element")
		}
		for i := 0; i < len(dst); i += 3 {
			if dst[i+1] != src[i+1] {
				panic("different elements are combined")
			}
			dst[i] += src[i]
			dst[i+2] += src[i+2]
		}
	})
	if err != nil {
		return err
	}
	for _, n := range lengths {
		mine, want := make([]float32, 3*n), make([]float32, 3*n)
		for i := range n {
			copy(mine[3*i:], []float32{float32(c.Rank()), float32(i), 1})
			copy(want[3*i:], []float32{float32(c.Size() * (c.Size() - 1) / 2), float32(i),
				float32(c.Size())})
		}
		if err := holdReduction(c, mine, want, op); err != nil {
			return fmt.Errorf("%d elements: %w", n, err)
		}
	}
	return op.Free()
}

func checkSplit(c *Comm) error {
	half, err := c.Split(c.Rank()%2, -c.Rank())
	if err != nil {
		return err
	}
	want := (c.Size() + 1 - c.Rank()%2) / 2
	if half.Size() != want || half.Rank() != want-1-c.Rank()/2 {
		return fmt.Errorf("rank %d of %d has become rank %d of %d", c.Rank(), c.Size(), half.Rank(),
			half.Size())
	}
	x := []int64{1}
	if err := Allreduce(half, x, Sum); err != nil || x[0] != int64(want) {
		return fmt.Errorf("a group of %d sums to %d (%v)", want, x[0], err)
	}
	if err := half.Free(); err != nil {
		return err
	}
	none, err := c.Split(min(0, c.Rank()-1), 0)
	switch {
	case err != nil:
		return err
	case c.Rank() == 0 && none != nil:
		return errors.New("a rank of no color has a group")
	case c.Rank() > 0 && none.Size() != c.Size()-1:
		return fmt.Errorf("all ranks but one are %d of %d", none.Size(), c.Size())
	}
	if c.Free() == nil {
		return errors.New("the communicator of all ranks can be freed")
	}
	return nil
}

// checkErrors holds that mistakes are errors in Go, in MPI's words.
func checkErrors(c *Comm) error {
	var e *Error
	err := Bcast(c, []int64{1}, 99)
	if !errors.As(err, &e) || e.Call != "MPI_Bcast" || e.Rank != c.Rank() || e.Code == 0 ||
		!strings.Contains(e.Text, "root") {
		return fmt.Errorf("a broadcast from rank 99: %v", err)
	}
	if err := Reduce(c, []int64{1}, Sum, -5); !errors.As(err, &e) {
		return fmt.Errorf("a reduction to rank -5: %v", err)
	}
	op, err := NewOp(c, 2, true, func(dst, src []float64) {})
	if err != nil {
		return err
	}
	mistakes := map[string]error{
		"odd":       Allreduce(c, make([]float64, 3), op),
		"type":      Allreduce(c, make([]int64, 2), op),
		"operation": Allreduce(c, make([]int64, 2), Builtin(17)),
	}
	if _, mistakes["width"] = NewOp(c, 0, true, func(dst, src []float64) {}); err != nil {
		return err
	}
	if err := op.Free(); err != nil {
		return err
	}
	mistakes["freed"] = Allreduce(c, make([]float64, 2), op)
	mistakes["twice"] = op.Free()
	for what, err := range mistakes {
		if err == nil || !strings.HasPrefix(err.Error(), "mpi: ") {
			return fmt.Errorf("%s: %v", what, err)
		}
	}
	return nil
}

func checkOnce(c *Comm) error {
	if _, err := Init(Options{}); err == nil || !strings.Contains(err.Error(), "once") {
		return fmt.Errorf("a second Init: %v", err)
	}
	return nil
}

// checkFaults holds that the library has left Go its signals.
func checkFaults(*Comm) (err error) {
	defer func() {
		if r, ok := recover().(runtime.Error); !ok || !strings.Contains(r.Error(), "nil pointer") {
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	var p *int
	*p = 1
	return nil
}

// checkGoroutines reduces in goroutines that take turns, while the garbage
// collector runs and stacks grow.
func checkGoroutines(c *Comm) error {
	op, err := NewOp(c, 1, true, func(dst, src []float64) {
		deep(100)
		runtime.GC()
		for i := range dst {
			dst[i] += src[i]
		}
	})
	if err != nil {
		return err
	}
	for range 5 {
		done := make(chan error)
		go func() {
			x := [3]float64{1, 2, math.Inf(1)}
			err := Allreduce(c, x[:], op)
			if n := float64(c.Size()); x[0] != n || x[1] != 2*n || !math.IsInf(x[2], 1) {
				err = errors.Join(err, fmt.Errorf("got %v", x))
			}
			done <- err
		}()
		if err := <-done; err != nil {
			return err
		}
	}
	return op.Free()
}

// deep uses stack.
func deep(n int) byte {
	var frame [512]byte
	frame[n] = 1
	if n > 0 {
		frame[0] = deep(n - 1)
	}
	return frame[n%7]
}
