package probetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Exception is a check of the suite that a target fails by its nature.
type Exception uint8

// The exceptions.
const (
	Varies    Exception = iota + 1 // equal calls may give different results
	NotFinite                      // an infinity or a NaN among the summands does not come through
	Rooted                         // the result is the root of a sum of squares
)

// Run checks a driver's target against the contract of probe.Target: the key,
// the sizes of a batch, each lane as the sum of its own summands, unchanged
// inputs, equal bits from equal calls, with and without the hint of
// Batch.Changed, sums of moved operands, and the end of the target. open opens
// it anew, every time with the same key.
func Run(t *testing.T, open func() (probe.Target, error), except ...Exception) {
	t.Helper()
	for _, c := range checks {
		if slices.Contains(except, c.unless) && c.unless != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := check(open, c, slices.Contains(except, Rooted)); err != nil {
				t.Error(err)
			}
		})
	}
}

// patience bounds the time of a call that has to end.
const patience = time.Minute

var checks = []namedCheck{
	{"key", checkKey, 0, false},
	{"sizes", checkSizes, 0, false},
	{"zeros", checkZeros, 0, true},
	{"small integers", checkIntegers, 0, true},
	{"one summand", checkOneHot, 0, true},
	{"lanes are independent", checkLanes, 0, true},
	{"largest value", checkLargest, 0, true},
	{"not finite", checkNotFinite, NotFinite, true},
	{"inputs unchanged", checkInputs, 0, false},
	{"repeated", checkRepeated, Varies, false},
	{"changed", checkChanged, Varies, false},
	{"opened anew", checkOpenedAnew, Varies, false},
	{"cells", checkCells, 0, false},
	{"moved", checkMoved, 0, true},
	{"cancelled", checkCancelled, 0, false},
	{"closed", checkClosed, 0, false},
}

type namedCheck struct {
	name   string
	run    func(s *subject) error
	unless Exception
	sums   bool // knows the result, which is a sum, a mean, or a sum of squares
}

// subject is a target under the suite.
type subject struct {
	probe.Target
	open   func() (probe.Target, error)
	rng    *rand.Rand
	rooted bool
}

func check(open func() (probe.Target, error), c namedCheck, rooted bool) error {
	target, err := open()
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	s := &subject{target, open, rand.New(rand.NewPCG(11, 13)), rooted}
	if s.isSum() || !c.sums {
		err = c.run(s)
	}
	return errors.Join(err, target.Close())
}

// call calls the target under a watchdog, and checks that its error is a Fault.
func (s *subject) call(ctx context.Context, b *probe.Batch) error {
	return watched(func() error { return s.Call(ctx, b) })
}

func watched(call func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("the call panics: %v", p)
			}
		}()
		done <- call()
	}()
	select {
	case err := <-done:
		return isFault(err)
	case <-time.After(patience):
		return errors.New("the call does not end")
	}
}

// isFault returns err, or another error where it is not a complete
// *probe.Fault.
func isFault(err error) error {
	var f *probe.Fault
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &f):
		return fmt.Errorf("the error is not a *probe.Fault: %w", err)
	case f.ID == "" || f.Thing == "" || f.Cause == "":
		return fmt.Errorf("the fault does not name its id, the thing and the cause: %w", err)
	}
	return err
}

// expect computes one batch and compares every lane with its true result.
func (s *subject) expect(b *probe.Batch, want func(lane int) float64) error {
	for i := range b.Out {
		b.Out[i] = math.Inf(-1) // a lane that is not written shows
	}
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	for r, got := range b.Out {
		if w := want(r); got != w && (got == got || w == w) {
			return fmt.Errorf("lane %d is %v, want %v", r, got, w)
		}
	}
	return nil
}

// isSum reports whether a result is a sum, or the root of one.
func (s *subject) isSum() bool {
	op := s.Key().Op
	return op != probe.RMSNorm && op != probe.Softmax
}

// result returns the result of a target for the exact sum x.
func (s *subject) result(x float64) float64 {
	k := s.Key()
	if s.rooted {
		x = math.Sqrt(x)
	}
	if k.Mean {
		x /= float64(k.N)
	}
	return k.Out.Round(x, fp.NearestEven)
}

func (s *subject) lane(b *probe.Batch, r int) []float64 {
	n := s.Key().N
	return b.X[r*n : (r+1)*n]
}

// exactly returns the sum of a lane whose partial sums are all small integers.
func (s *subject) exactly(b *probe.Batch, r int) float64 {
	sum := 0.0
	for i, x := range s.lane(b, r) {
		switch {
		case b.Y != nil:
			x = float64(x * b.Y[i])
		case s.Key().Op == probe.SumSq:
			x = float64(x * x)
		}
		sum += x
	}
	return sum
}

// integers returns a batch whose lanes have at most eight summands that are not
// zero: integers whose sums every format holds.
func (s *subject) integers() *probe.Batch {
	b := probe.NewBatch(s)
	for r := range b.Out {
		x := s.lane(b, r)
		for range 8 {
			x[s.rng.IntN(len(x))] = float64(s.rng.IntN(9) - 4)
		}
	}
	for i := range b.Y {
		b.Y[i] = float64(int(1) << s.rng.IntN(3))
	}
	return b
}

// normals returns a batch of normally distributed values of the input format.
func (s *subject) normals() *probe.Batch {
	b := probe.NewBatch(s)
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			//lastbit:ignore libm random inputs
			v[i] = s.Key().DType.Round(s.rng.NormFloat64(), fp.NearestEven)
		}
	}
	return b
}

func checkKey(s *subject) error {
	k := s.Key()
	switch _, err := probe.ParseOp(string(k.Op)); {
	case err != nil:
		return err
	case k.Target == "":
		return errors.New("the key has no target")
	case !k.DType.Valid() || !k.Out.Valid():
		return fmt.Errorf("formats %v in, %v out", k.DType, k.Out)
	case k.N < 1 || k.Threads == 0:
		return fmt.Errorf("n = %d, threads = %d", k.N, k.Threads)
	}
	if err := s.call(context.Background(), s.normals()); err != nil {
		return err
	}
	if after := s.Key(); !reflect.DeepEqual(k, after) {
		return fmt.Errorf("the key changes from %v to %v", k, after)
	}
	other, err := s.open()
	if err != nil {
		return err
	}
	defer other.Close()
	if !reflect.DeepEqual(k, other.Key()) {
		return fmt.Errorf("opened anew, the key changes from %v to %v", k, other.Key())
	}
	return nil
}

func checkSizes(s *subject) error {
	k := s.Key()
	if s.Lanes() < 1 {
		return fmt.Errorf("%d lanes", s.Lanes())
	}
	if (k.Op == probe.Gemv || k.Op == probe.Gemm) && k.M != s.Lanes() {
		return fmt.Errorf("%d lanes of %d rows", s.Lanes(), k.M)
	}
	b := probe.NewBatch(s)
	if len(b.X) != k.N*s.Lanes() || len(b.Out) != s.Lanes() || (b.Y != nil) != k.Op.Products() {
		return fmt.Errorf("a batch of %d, %d and %d values", len(b.X), len(b.Y), len(b.Out))
	}
	return nil
}

func checkZeros(s *subject) error {
	return s.expect(probe.NewBatch(s), func(int) float64 { return 0 })
}

func checkIntegers(s *subject) error {
	for range 20 {
		b := s.integers()
		if err := s.expect(b,
			func(r int) float64 { return s.result(s.exactly(b, r)) }); err != nil {
			return err
		}
	}
	return nil
}

// checkOneHot puts one summand at every position (at 4096 of them where there
// are more), another one in every lane.
func checkOneHot(s *subject) error {
	n, lanes := s.Key().N, s.Lanes()
	positions := min(n, 4096)
	for from := 0; from < positions; from += lanes {
		b := probe.NewBatch(s)
		for i := range b.Y {
			b.Y[i] = float64(int(1) << (i % 3))
		}
		for r := range lanes {
			at := (from + r) % positions * (n / positions)
			s.lane(b, r)[at] = float64(1 + at%7)
		}
		if err := s.expect(b,
			func(r int) float64 { return s.result(s.exactly(b, r)) }); err != nil {
			return fmt.Errorf("one summand at %d and on: %w", from, err)
		}
	}
	return nil
}

// checkLanes changes one lane and checks the others.
func checkLanes(s *subject) error {
	b := s.integers()
	want := func(r int) float64 { return s.result(s.exactly(b, r)) }
	lanes := s.Lanes()
	for _, r := range []int{0, lanes / 2, lanes - 1} {
		x := s.lane(b, r)
		clear(x)
		x[s.rng.IntN(len(x))] = float64(5 + r%3)
		if err := s.expect(b, want); err != nil {
			return fmt.Errorf("after lane %d has changed: %w", r, err)
		}
	}
	for r := range lanes { // the order of lanes: each has its own number, in pieces small enough
		x := s.lane(b, r)
		clear(x)
		x[r%len(x)] = float64(1 + r/len(x)%100)
	}
	return s.expect(b, want)
}

// checkLargest sends the largest value of the input format through each lane.
func checkLargest(s *subject) error {
	b := probe.NewBatch(s)
	f := s.Key().DType
	if !s.Key().Out.Contains(f.Max()) || s.Key().Mean || s.Key().Op.Positive() {
		return nil
	}
	for r := range b.Out {
		s.lane(b, r)[r%s.Key().N] = math.Copysign(f.Max(), float64(1-r%2*2))
	}
	return s.expect(b, func(r int) float64 { return math.Copysign(f.Max(), float64(1-r%2*2)) })
}

func checkNotFinite(s *subject) error {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		b := s.integers()
		bad := s.rng.IntN(s.Lanes())
		s.lane(b, bad)[s.rng.IntN(s.Key().N)] = v
		err := s.expect(b, func(r int) float64 {
			if r == bad && s.Key().Op == probe.SumSq {
				return v * v
			}
			if r == bad {
				return v
			}
			return s.result(s.exactly(b, r))
		})
		if err != nil {
			return fmt.Errorf("%v in lane %d: %w", v, bad, err)
		}
	}
	return nil
}

func checkInputs(s *subject) error {
	b := s.normals()
	x, y := slices.Clone(b.X), slices.Clone(b.Y)
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	if !slices.Equal(x, b.X) {
		return errors.New("X has changed")
	}
	if !slices.Equal(y, b.Y) {
		return errors.New("Y has changed")
	}
	return nil
}

func sameBits(a, b []float64) error {
	for r := range a {
		//lastbit:ignore nankey the bits themselves are compared
		if math.Float64bits(a[r]) != math.Float64bits(b[r]) {
			return fmt.Errorf("lane %d is %v and then %v", r, a[r], b[r])
		}
	}
	return nil
}

func checkRepeated(s *subject) error {
	b := s.normals()
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	first := slices.Clone(b.Out)
	for i := range 6 {
		for range i % 3 { // other calls between
			if err := s.call(context.Background(), s.normals()); err != nil {
				return err
			}
		}
		if err := s.call(context.Background(), b); err != nil {
			return err
		}
		if err := sameBits(first, b.Out); err != nil {
			return err
		}
	}
	return nil
}

func checkOpenedAnew(s *subject) error {
	b := s.normals()
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	first := slices.Clone(b.Out)
	other, err := s.open()
	if err != nil {
		return err
	}
	defer other.Close()
	if err := watched(func() error { return other.Call(context.Background(), b) }); err != nil {
		return err
	}
	return sameBits(first, b.Out)
}

func checkCells(s *subject) error {
	target, ok := s.Target.(probe.CellTarget)
	if !ok {
		return nil
	}
	rows, cols := target.Cells()
	column := 0
	k := s.Key()
	if len(k.OutIndex) == 2 {
		column = k.OutIndex[1]
	}
	if len(k.OutIndex) == 0 || rows != s.Lanes() || column < 0 || column >= cols {
		return fmt.Errorf("output %v of %d×%d cells with %d lanes", k.OutIndex, rows, cols,
			s.Lanes())
	}
	all := make([]float64, rows*cols)
	for _, b := range []*probe.Batch{s.normals(), s.integers()} {
		if err := watched(func() error {
			return target.CallCells(context.Background(), b,
				all)
		}); err != nil {
			return err
		}
		col := make([]float64, rows)
		for r := range rows {
			col[r] = all[r*cols+column]
		}
		if err := sameBits(b.Out, col); err != nil {
			return fmt.Errorf("lane and cell: %w", err)
		}
		first := slices.Clone(b.Out)
		if err := s.call(context.Background(), b); err != nil {
			return err
		}
		if err := sameBits(first, b.Out); err != nil {
			return fmt.Errorf("CallCells and Call: %w", err)
		}
	}
	b := s.integers()
	if err := watched(func() error {
		return target.CallCells(context.Background(), b,
			all)
	}); err != nil {
		return err
	}
	for i, got := range all {
		if want := s.result(s.exactly(b, i/cols)); got != want {
			return fmt.Errorf("cell [%d %d] is %v, want %v", i/cols, i%cols, got, want)
		}
	}
	return nil
}
