package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

const prefix = "sim:"

// model is one generation of accelerators: its units that take no scales, one
// for each input format.
type model struct {
	units []mma.Unit
}

func (m model) name() string { return m.units[0].Name }

func (m model) dtypes() []fp.Format {
	var all []fp.Format
	for _, u := range m.units {
		all = append(all, u.In)
	}
	return all
}

// unit returns the unit for inputs of a format.
func (m model) unit(f fp.Format) (mma.Unit, bool) {
	for _, u := range m.units {
		if u.In == f {
			return u, true
		}
	}
	return mma.Unit{}, false
}

// models returns all generations in the order of the table.
func models() []model {
	var all []model
	for _, u := range mma.Units() {
		if u.Block > 0 || u.In == fp.E2M1 {
			continue
		}
		at := slices.IndexFunc(all, func(m model) bool { return m.name() == u.Name })
		if at < 0 {
			all = append(all, model{})
			at = len(all) - 1
		}
		all[at].units = append(all[at].units, u)
	}
	return all
}

// Options are the fields of a Spec that a model honours. The accumulator of
// every matrix unit is binary32, so Acc may be that.
const Options = probe.WithAcc | probe.WithRows | probe.WithCols | probe.WithOutIndex |
	probe.WithRanks | probe.ShortFormats

// Names returns the address of every model, in the order of List.
func Names() []string {
	var names []string
	for _, m := range models() {
		names = append(names, prefix+m.name())
	}
	for _, c := range collectives() {
		names = append(names, c.address())
	}
	return names
}

// List returns the models. They run anywhere.
func List(context.Context) []probe.Listing {
	var l []probe.Listing
	for _, m := range models() {
		l = append(l,
			probe.Listing{Address: prefix + m.name(), Ops: []probe.Op{probe.Gemm, probe.Dot},
				DTypes: m.dtypes(), Library: "model of " + m.units[0].Full})
	}
	for _, c := range collectives() {
		l = append(l, c.listing())
	}
	return l
}

// Bounds of a gemm whose rows the caller leaves open, and of any call.
const (
	defaultRows     = 256
	defaultProducts = 1 << 20
	maxProducts     = 1 << 27
	callProducts    = 1 << 18 // between looks at the context
)

// Open opens the model of that name, with or without "sim:".
//
// For a matrix unit, where s leaves it open, Op is gemm, DType binary16, or the
// first that the unit takes, and a gemm has 256 rows, fewer above n = 4096, and
// one column. All outputs of a gemm are computed alike.
//
// For a sum over ranks, Op is gemm, DType binary32, and the array has one row
// and one column. Ranks is the number after a colon, or 8.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := strings.TrimPrefix(strings.ToLower(address), prefix)
	if err := ctx.Err(); err != nil {
		return nil, cancelled(prefix+name, err)
	}
	base, number, _ := strings.Cut(name, ":")
	if c, ok := findCollective(base); ok {
		return c.open(number, s)
	}
	for _, m := range models() {
		if m.units[0].Is(name) {
			return m.open(s)
		}
	}
	cause := "there is no model of that name"
	if slices.ContainsFunc(models(), func(m model) bool { return m.units[0].Is(base) }) {
		cause = base + " is one accelerator, and has no number of ranks"
	}
	return nil, &probe.Fault{ID: "unknown-target", Thing: prefix + name, Cause: cause,
		Cure: "there are " + strings.Join(Names(), ", ")}
}

func (m model) fault(id, cause, cure string) error {
	return &probe.Fault{ID: id, Thing: prefix + m.name(), Cause: cause, Cure: cure}
}

func (m model) open(s probe.Spec) (probe.Target, error) {
	if s.Op == "" {
		s.Op = probe.Gemm
	}
	if s.DType == 0 {
		s.DType = m.units[0].In
		if _, ok := m.unit(fp.Binary16); ok {
			s.DType = fp.Binary16
		}
	}
	if err := m.checkOp(&s); err != nil {
		return nil, err
	}
	s, err := s.Restrict(prefix+m.name(), m.options(s.Op))
	if err != nil {
		return nil, err
	}
	if err := m.checkShape(&s); err != nil {
		return nil, err
	}
	unit, _ := m.unit(s.DType)
	key := s.Key(prefix + m.name())
	key.Library, key.Out = "model of "+unit.Full, fp.Binary32
	t := &target{model: m, unit: unit, key: key}
	if s.Op == probe.Gemm {
		return &matrixTarget{t}, nil
	}
	return t, nil
}

func (m model) checkOp(s *probe.Spec) error {
	switch {
	case s.Op != probe.Gemm && s.Op != probe.Dot:
		return m.fault("unsupported-op", fmt.Sprintf("it does not compute %s", s.Op),
			"use gemm or dot")
	case !slices.Contains(m.dtypes(), s.DType):
		return m.fault("unsupported-dtype", fmt.Sprintf("it does not take %s", s.DType),
			"use "+prose.List(m.dtypes(), "or"))
	case s.N < 1:
		return m.fault("bad-n", fmt.Sprintf("a sum of %d summands", s.N),
			"ask for at least one with -n")
	case s.Acc != 0 && s.Acc != fp.Binary32:
		return m.fault("unsupported-option", fmt.Sprintf("it accumulates in f32, not in %s", s.Acc),
			"leave --acc out")
	}
	s.Acc = 0
	return nil
}

// options returns the fields of a Spec that a model honours in an operation.
func (m model) options(op probe.Op) probe.Options {
	if op == probe.Dot {
		return probe.ShortFormats
	}
	return probe.WithRows | probe.WithCols | probe.WithOutIndex | probe.ShortFormats
}

func (m model) checkShape(s *probe.Spec) error {
	if s.Op == probe.Dot {
		return m.checkSize(s)
	}
	if s.M == 0 {
		s.M = max(1, min(defaultRows, defaultProducts/s.N))
	}
	if s.Cols == 0 {
		s.Cols = 1
	}
	if s.M < 0 || s.Cols < 0 {
		return m.fault("bad-shape", fmt.Sprintf("%d rows and %d columns", s.M, s.Cols),
			"use at least one of each")
	}
	if s.OutIndex == nil {
		s.OutIndex = []int{0, 0}
	}
	o := s.OutIndex
	if len(o) != 2 || o[0] < 0 || o[0] >= s.M || o[1] < 0 || o[1] >= s.Cols {
		return m.fault("bad-out-index",
			fmt.Sprintf("there is no output %v in %d rows and %d columns", o, s.M, s.Cols),
			"counting begins at 0")
	}
	return m.checkSize(s)
}

func (m model) checkSize(s *probe.Spec) error {
	if float64(max(s.M, 1))*float64(max(s.N, s.Cols)) > maxProducts {
		return m.fault("bad-shape",
			fmt.Sprintf("%d rows and %d columns, n = %d, are too many for a model", s.M, s.Cols,
				s.N), "ask for fewer summands, rows or columns")
	}
	return nil
}

func cancelled(thing string, err error) error {
	return &probe.Fault{ID: "target-cancelled", Thing: thing, Cause: "the call was cancelled",
		Err: err}
}

type target struct {
	model
	unit   mma.Unit
	key    probe.Key
	closed bool
}

// matrixTarget is a target with a matrix of outputs.
type matrixTarget struct{ *target }

// Key returns the key.
func (t *target) Key() probe.Key { return t.key }

// Lanes returns the number of rows, 1 for a dot product.
func (t *target) Lanes() int { return max(t.key.M, 1) }

// OtherThreads returns 0: one goroutine computes.
func (t *target) OtherThreads() (time.Duration, bool) { return 0, true }

// Close makes further calls fail. It never fails itself.
func (t *target) Close() error {
	t.closed = true
	return nil
}

// Call computes every lane.
func (t *target) Call(ctx context.Context, b *probe.Batch) error {
	if t.closed {
		return t.fault("target-closed", "it has been closed", "open it again")
	}
	n, lanes := t.key.N, len(b.Out)
	for from := 0; from < lanes; {
		if err := ctx.Err(); err != nil {
			return cancelled(t.key.Target, err)
		}
		to := min(from+max(1, callProducts/n), lanes)
		t.unit.Multiply(b.Out[from:to], b.X[from*n:to*n], b.Y, nil, to-from, 1, n)
		from = to
	}
	return nil
}

// Cells returns the shape of the matrix of outputs.
func (t *matrixTarget) Cells() (rows, cols int) { return t.key.M, t.key.Cols }

// CallCells computes every lane. All columns of B are the same and computed
// alike, so all columns of the result are the same too.
func (t *matrixTarget) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	if err := t.Call(ctx, b); err != nil {
		return err
	}
	for i := range all {
		all[i] = b.Out[i/t.key.Cols]
	}
	return nil
}
