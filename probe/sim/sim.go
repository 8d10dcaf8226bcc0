package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

const prefix = "sim:"

// model is one generation of accelerators.
type model struct {
	name    string
	aliases []string
	full    string
	group   int
	bits    int // F
	dtypes  []fp.Format
	kind    kind
	flush   bool // subnormals are zeros
}

// kind selects the sum of a group of products and the accumulator.
type kind uint8

const (
	fused    kind = iota // all at once
	twoStage             // the products at once, then the accumulator
	pairwise             // rounded after every addition
)

func models() []model {
	f16, both := []fp.Format{fp.Binary16}, []fp.Format{fp.Binary16, fp.BFloat16}
	return []model{
		{name: "v100", aliases: []string{"volta"}, full: "NVIDIA Volta", group: 4, bits: 23,
			dtypes: f16},
		{name: "turing", aliases: []string{"t4"}, full: "NVIDIA Turing", group: 8, bits: 24,
			dtypes: f16},
		{name: "a100", aliases: []string{"ampere"}, full: "NVIDIA Ampere", group: 8, bits: 24,
			dtypes: both},
		{name: "ada", aliases: []string{"l40"}, full: "NVIDIA Ada Lovelace", group: 8, bits: 24,
			dtypes: both},
		{name: "h100", aliases: []string{"hopper", "h200"}, full: "NVIDIA Hopper", group: 16,
			bits: 25, dtypes: both},
		{name: "b200", aliases: []string{"blackwell"}, full: "NVIDIA Blackwell", group: 16,
			bits: 25, dtypes: both},
		{name: "cdna1", aliases: []string{"mi100"}, full: "AMD CDNA1", group: 4, dtypes: both,
			kind: pairwise},
		{name: "cdna2", aliases: []string{"mi250"}, full: "AMD CDNA2", group: 4, dtypes: both,
			kind: pairwise, flush: true},
		{name: "cdna3", aliases: []string{"mi300"}, full: "AMD CDNA3", group: 8, bits: 24,
			dtypes: both, kind: twoStage},
	}
}

// Options are the fields of a Spec that a model honours. The accumulator of
// every model is binary32, so Acc may be that.
const Options = probe.WithAcc | probe.WithRows | probe.WithCols | probe.WithOutIndex

// Names returns the address of every model, in the order of List.
func Names() []string {
	var names []string
	for _, m := range models() {
		names = append(names, prefix+m.name)
	}
	return names
}

// List returns the models. They run anywhere.
func List(context.Context) []probe.Listing {
	var l []probe.Listing
	for _, m := range models() {
		l = append(l,
			probe.Listing{Address: prefix + m.name, Ops: []probe.Op{probe.Gemm, probe.Dot},
				DTypes: m.dtypes, Library: "model of " + m.full})
	}
	return l
}

// Bounds of a gemm whose rows the caller leaves open, and of any call.
const (
	defaultRows     = 256
	defaultProducts = 1 << 20
	maxProducts     = 1 << 27
)

// Open opens the model of that name, with or without "sim:". Where s leaves it
// open, Op is gemm, DType binary16, and a gemm has 256 rows, fewer above
// n = 4096, and one column. All outputs of a gemm are computed alike.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := strings.TrimPrefix(strings.ToLower(address), prefix)
	if err := ctx.Err(); err != nil {
		return nil, cancelled(prefix+name, err)
	}
	var known []string
	for _, m := range models() {
		if m.name == name || slices.Contains(m.aliases, name) {
			return m.open(s)
		}
		known = append(known, prefix+m.name)
	}
	return nil, &probe.Fault{ID: "unknown-target", Thing: prefix + name,
		Cause: "there is no model of that name", Cure: "there are " + strings.Join(known, ", ")}
}

func (m model) fault(id, cause, cure string) error {
	return &probe.Fault{ID: id, Thing: prefix + m.name, Cause: cause, Cure: cure}
}

func (m model) open(s probe.Spec) (probe.Target, error) {
	if s.Op == "" {
		s.Op = probe.Gemm
	}
	if s.DType == 0 {
		s.DType = fp.Binary16
	}
	if err := m.checkOp(&s); err != nil {
		return nil, err
	}
	s, err := s.Restrict(prefix+m.name, m.options(s.Op))
	if err != nil {
		return nil, err
	}
	if err := m.checkShape(&s); err != nil {
		return nil, err
	}
	if m.kind == pairwise && s.DType == fp.BFloat16 && m.name == "cdna1" {
		m.group = 2
	}
	key := s.Key(prefix + m.name)
	key.Library, key.Out = "model of "+m.full, fp.Binary32
	t := &target{model: m, key: key, y: make([]factor, s.N), x: make([]factor, s.N)}
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
	case !slices.Contains(m.dtypes, s.DType):
		return m.fault("unsupported-dtype", fmt.Sprintf("it does not take %s", s.DType),
			"use "+prose.List(m.dtypes, "or"))
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
		return 0
	}
	return probe.WithRows | probe.WithCols | probe.WithOutIndex
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
	key    probe.Key
	x, y   []factor
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
	decode(t.y, b.Y, t.key.DType)
	n := t.key.N
	for r := range b.Out {
		if err := ctx.Err(); err != nil {
			return cancelled(t.key.Target, err)
		}
		decode(t.x, b.X[r*n:(r+1)*n], t.key.DType)
		b.Out[r] = t.sum(t.x, t.y)
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
