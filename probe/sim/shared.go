package sim

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
	"github.com/lastbit/lastbit/probe/internal/ranks"
)

// defaultRanks is the number of ranks that nobody has chosen, one machine's
// accelerators; maxRanks bounds it.
const (
	defaultRanks = 8
	maxRanks     = 1024
)

// sharedFormats are the formats that accelerators exchange.
var sharedFormats = []fp.Format{fp.Binary32, fp.BFloat16, fp.Binary16, fp.Binary64}

// sharedOps are the operations whose summands ranks share.
var sharedOps = []probe.Op{probe.Gemm, probe.Gemv, probe.Dot, probe.Sum}

func (c collective) address() string { return prefix + c.name }

func (c collective) listing() probe.Listing {
	return probe.Listing{Address: c.address(), Ops: sharedOps, DTypes: sharedFormats,
		Library: "model of " + c.full, Ranks: defaultRanks}
}

func (c collective) fault(id, cause, cure string) error {
	return &probe.Fault{ID: id, Thing: c.address(), Cause: cause, Cure: cure}
}

// findCollective returns the collective of that name.
func findCollective(name string) (collective, bool) {
	all := collectives()
	i := slices.IndexFunc(all, func(c collective) bool { return c.name == name })
	if i < 0 {
		return collective{}, false
	}
	return all[i], true
}

// readRanks stores the number of ranks of an address in a Spec.
func (c collective) readRanks(number string, s *probe.Spec) error {
	if number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return c.fault("bad-spec", fmt.Sprintf("%q is not a number of ranks", number),
				fmt.Sprintf("write %s:%d", c.address(), defaultRanks))
		}
		if s.Ranks != 0 && s.Ranks != n {
			return c.fault("bad-spec",
				fmt.Sprintf("its address has %d ranks, and %d were asked for", n, s.Ranks),
				"leave one of the numbers out")
		}
		s.Ranks = n
	}
	if s.Ranks == 0 {
		s.Ranks = defaultRanks
	}
	most := maxRanks
	if c.maxRanks > 0 {
		most = c.maxRanks
	}
	if s.Ranks < 1 || s.Ranks > most {
		return c.fault("bad-spec", fmt.Sprintf("%d ranks", s.Ranks),
			fmt.Sprintf("use 1 to %d", most))
	}
	return nil
}

// open opens a sum that ranks share. The accumulator of a rank is binary32, or
// binary64 for inputs of that format; the result has the format of the inputs.
func (c collective) open(number string, s probe.Spec) (probe.Target, error) {
	if err := c.readRanks(number, &s); err != nil {
		return nil, err
	}
	if s.Op == "" {
		s.Op = probe.Gemm
	}
	if s.DType == 0 {
		s.DType = fp.Binary32
	}
	switch {
	case !slices.Contains(sharedOps, s.Op):
		return nil, c.fault("unsupported-op", fmt.Sprintf("it does not compute %s", s.Op),
			"use "+prose.List(sharedOps, "or"))
	case !slices.Contains(sharedFormats, s.DType):
		return nil, c.fault("unsupported-dtype", fmt.Sprintf("it does not take %s", s.DType),
			"use "+prose.List(sharedFormats, "or"))
	case s.N < 1:
		return nil, c.fault("bad-n", fmt.Sprintf("a sum of %d summands", s.N),
			"ask for at least one with -n")
	}
	s, err := s.Restrict(c.address(), sharedOptions(s.Op))
	if err != nil {
		return nil, err
	}
	if err := c.checkShape(&s); err != nil {
		return nil, err
	}
	key := s.Key(c.address())
	key.Library = "model of " + c.full
	t := &shared{collective: c, key: key}
	t.plan()
	if s.Op == probe.Gemm {
		return &sharedMatrix{t}, nil
	}
	return t, nil
}

// sharedOptions returns the fields of a Spec that a collective honours in an
// operation.
func sharedOptions(op probe.Op) probe.Options {
	switch op {
	case probe.Gemm:
		return probe.WithRanks | probe.WithRows | probe.WithCols | probe.WithOutIndex
	case probe.Dot:
		return probe.WithRanks
	}
	return probe.WithRanks | probe.WithRows | probe.WithOutIndex
}

// checkShape fills in the shape of the array that the ranks reduce: M rows,
// for gemm with Cols columns.
func (c collective) checkShape(s *probe.Spec) error {
	if s.Op == probe.Dot {
		if s.N > maxProducts {
			return c.fault("bad-shape", fmt.Sprintf("n = %d is too much for a model", s.N),
				"ask for fewer summands")
		}
		return nil
	}
	if s.M == 0 {
		s.M = 1
	}
	if s.M < 1 || s.Cols < 0 {
		return c.fault("bad-shape", fmt.Sprintf("%d rows and %d columns", s.M, s.Cols),
			"use at least one of each")
	}
	first := []int{0}
	if s.Op == probe.Gemm {
		s.Cols = max(s.Cols, 1)
		first = []int{0, 0}
	}
	if s.OutIndex == nil {
		s.OutIndex = first
	}
	o := s.OutIndex
	if len(o) != len(first) || o[0] < 0 || o[0] >= s.M ||
		len(o) == 2 && (o[1] < 0 || o[1] >= s.Cols) {
		return c.fault("bad-out-index",
			fmt.Sprintf("there is no output %v in %d rows and %d columns", o, s.M, max(s.Cols, 1)),
			"counting begins at 0")
	}
	if float64(s.M)*float64(max(s.N, s.Cols)) > maxProducts {
		return c.fault("bad-shape",
			fmt.Sprintf("%d rows and %d columns, n = %d, are too many for a model", s.M,
				max(s.Cols, 1), s.N), "ask for fewer summands, rows or columns")
	}
	return nil
}

// shared is a sum whose summands ranks share.
type shared struct {
	collective
	key    probe.Key
	size   int             // partial sums
	orders map[int][]merge // by class
	sums   []float64       // partial sums, for use by an order
	closed bool
}

// sharedMatrix is a shared with a matrix of outputs.
type sharedMatrix struct{ *shared }

// plan prepares the orders of all elements.
func (t *shared) plan() {
	t.size = t.key.Ranks
	if t.parts != nil {
		t.size = t.parts(t.key.Ranks)
	}
	t.sums = make([]float64, t.size)
	t.orders = map[int][]merge{}
	for i := range t.elements() {
		class := t.classOf(i)
		if _, known := t.orders[class]; !known {
			t.orders[class] = t.merges(t.size, class)
		}
	}
}

// elements returns the length of the array that the ranks reduce.
func (t *shared) elements() int { return max(t.key.M, 1) * max(t.key.Cols, 1) }

// classOf returns the order of an element.
func (t *shared) classOf(i int) int {
	if t.class == nil {
		return 0
	}
	return t.class(t.key.DType, t.key.Ranks, i, t.elements())
}

// Key returns the key.
func (t *shared) Key() probe.Key { return t.key }

// Lanes returns the number of rows, 1 for a dot product.
func (t *shared) Lanes() int { return max(t.key.M, 1) }

// OtherThreads returns 0: one goroutine computes for all ranks.
func (t *shared) OtherThreads() (time.Duration, bool) { return 0, true }

// Close makes further calls fail. It never fails itself.
func (t *shared) Close() error {
	t.closed = true
	return nil
}

// Call computes every lane.
func (t *shared) Call(ctx context.Context, b *probe.Batch) error {
	column := 0
	if len(t.key.OutIndex) == 2 {
		column = t.key.OutIndex[1]
	}
	return t.rows(ctx, b, func(row int, partial []float64) {
		b.Out[row] = t.combine(partial, row*max(t.key.Cols, 1)+column)
	})
}

// Cells returns the shape of the matrix of outputs.
func (t *sharedMatrix) Cells() (rows, cols int) { return t.key.M, t.key.Cols }

// CallCells computes all results. All columns of B are the same, and what the
// ranks add differs from one column to the next in its order alone.
func (t *sharedMatrix) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	cols := t.key.Cols
	return t.rows(ctx, b, func(row int, partial []float64) {
		for j := range cols {
			all[row*cols+j] = t.combine(partial, row*cols+j)
		}
		b.Out[row] = all[row*cols+t.key.OutIndex[1]]
	})
}

// rows calls do with the partial sums of each row.
func (t *shared) rows(
	ctx context.Context, b *probe.Batch, do func(row int, partial []float64),
) error {
	if t.closed {
		return t.fault("target-closed", "it has been closed", "open it again")
	}
	partial := make([]float64, t.size)
	for row := range t.Lanes() {
		if row%max(1, callProducts/t.key.N) == 0 {
			if err := ctx.Err(); err != nil {
				return cancelled(t.key.Target, err)
			}
		}
		x := b.X[row*t.key.N : (row+1)*t.key.N]
		for k := range partial {
			partial[k] = t.partial(k, x, b.Y)
		}
		do(row, partial)
	}
	return nil
}

// partial returns the sum of part k, as it enters the sum over ranks.
func (t *shared) partial(k int, x, y []float64) float64 {
	from, to := ranks.Cut(len(x), t.size, k)
	if y != nil {
		y = y[from:to]
	}
	s := ranks.Partial(t.accumulator(), x[from:to], y)
	if t.keeps {
		return s
	}
	return t.key.DType.Round(s, fp.NearestEven)
}

// accumulator returns the format of a rank's sum.
func (t *shared) accumulator() fp.Format {
	if t.key.DType == fp.Binary64 {
		return fp.Binary64
	}
	return fp.Binary32
}

// combine adds partial sums as the ranks do for one element.
func (t *shared) combine(partial []float64, element int) float64 {
	f := t.key.DType
	if t.wide {
		f = t.accumulator()
	}
	s, last := t.sums, 0
	copy(s, partial)
	for _, m := range t.orders[t.classOf(element)] {
		s[m.to] = f.Add(s[m.to], s[m.from], fp.NearestEven)
		last = m.to
	}
	return t.key.DType.Round(s[last], fp.NearestEven)
}
