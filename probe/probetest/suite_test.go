package probetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

func opener(target func() probe.Target) func() (probe.Target, error) {
	return func() (probe.Target, error) { return target(), nil }
}

func TestSuite(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		for _, shape := range Shapes() {
			tree := RandomTree(rng, 33, shape)
			t.Run(fmt.Sprintf("%v/%v/sum", dtype, shape), func(t *testing.T) {
				Run(t, opener(func() probe.Target { return FromTree(tree, Options{DType: dtype}) }))
			})
			if dtype == fp.Binary64 && !shape.Binary() {
				continue
			}
			t.Run(fmt.Sprintf("%v/%v/gemm", dtype, shape), func(t *testing.T) {
				Run(t, opener(func() probe.Target {
					return FromTree(tree,
						Options{Op: probe.Gemm, DType: dtype, Lanes: 5, Cols: 3, Col: 1, FMA: true})
				}))
			})
		}
	}
}

// broken wraps a target that is right and spoils one thing.
type broken struct {
	probe.Target
	key   func(calls int, k probe.Key) probe.Key
	call  func(ctx context.Context, t probe.Target, b *probe.Batch, calls int) error
	close func(calls int) error
	calls int
}

func (b *broken) Key() probe.Key {
	if b.key == nil {
		return b.Target.Key()
	}
	return b.key(b.calls, b.Target.Key())
}

func (b *broken) Call(ctx context.Context, batch *probe.Batch) error {
	b.calls++
	if b.call == nil {
		return b.Target.Call(ctx, batch)
	}
	return b.call(ctx, b.Target, batch, b.calls)
}

func (b *broken) Close() error {
	if b.close == nil {
		return b.Target.Close()
	}
	b.calls++
	return b.close(b.calls)
}

// TestSuiteFails gives the suite a broken target for each of its checks.
func TestSuiteFails(t *testing.T) {
	after := func(change func(b *probe.Batch, calls int)) func(context.Context, probe.Target,
		*probe.Batch, int) error {
		return func(ctx context.Context, target probe.Target, b *probe.Batch, calls int) error {
			err := target.Call(ctx, b)
			if err == nil {
				change(b, calls)
			}
			return err
		}
	}
	type call = func(context.Context, probe.Target, *probe.Batch, int) error
	tests := []struct {
		name, check string
		b           broken
	}{
		{"key changes", "key",
			broken{key: func(calls int, k probe.Key) probe.Key { k.Align = calls; return k }}},
		{"no format", "key",
			broken{key: func(_ int, k probe.Key) probe.Key { k.Out = 0; return k }}},
		{"adds one", "zeros", broken{call: after(func(b *probe.Batch, _ int) { b.Out[1]++ })}},
		{"rounds integers", "small integers",
			broken{call: after(func(b *probe.Batch,
				_ int) {
				b.Out[0] = math.Trunc(b.Out[0]/2) * 2
			})}},
		{"drops the last", "one summand",
			broken{call: after(func(b *probe.Batch,
				_ int) {
				b.Out[2] -= b.X[len(b.X)-1] * b.Y[len(b.Y)-1]
			})}},
		{"ignores y", "one summand",
			broken{call: func(ctx context.Context, target probe.Target, b *probe.Batch,
				_ int) error {
				c := probe.NewBatch(target)
				copy(c.X, b.X)
				defer copy(b.Out, c.Out)
				return target.Call(ctx, c)
			}}},
		{"lanes swapped", "lanes are independent",
			broken{call: after(func(b *probe.Batch, _ int) {
				b.Out[0], b.Out[2] = b.Out[2],
					b.Out[0]
			})}},
		{"lane adds its neighbour", "lanes are independent",
			broken{call: after(func(b *probe.Batch, _ int) { b.Out[0] += b.Out[1] })}},
		{"lane not written", "zeros",
			broken{call: after(func(b *probe.Batch, _ int) { b.Out[2] = math.Inf(-1) })}},
		{"saturates", "largest value",
			broken{call: after(func(b *probe.Batch, _ int) { b.Out[0] = min(b.Out[0], 1e30) })}},
		{"swallows NaN", "not finite", broken{call: after(func(b *probe.Batch, _ int) {
			for i, v := range b.Out {
				if v != v {
					b.Out[i] = 0
				}
			}
		})}},
		{"writes X", "inputs unchanged",
			broken{call: after(func(b *probe.Batch, _ int) { b.X[3] = 0 })}},
		{"writes Y", "inputs unchanged",
			broken{call: after(func(b *probe.Batch, _ int) { b.Y[3] = 0 })}},
		{"varies", "repeated",
			broken{call: after(func(b *probe.Batch,
				calls int) {
				b.Out[0] += float64(calls % 2)
			})}},
		{"misses a change", "changed",
			broken{call: func(ctx context.Context, target probe.Target, b *probe.Batch,
				_ int) error {
				c := probe.NewBatch(target)
				copy(c.X, b.X)
				copy(c.Y, b.Y)
				for _, i := range b.Changed {
					c.X[i] = 0
				}
				defer copy(b.Out, c.Out)
				return target.Call(ctx, c)
			}}},
		{"ignores the context", "cancelled",
			broken{call: func(_ context.Context, target probe.Target, b *probe.Batch, _ int) error {
				return target.Call(context.Background(), b)
			}}},
		{"breaks when cancelled", "cancelled",
			broken{call: call(func(ctx context.Context, target probe.Target, b *probe.Batch,
				calls int) error {
				if calls == 2 {
					return &probe.Fault{ID: "x", Thing: "x", Cause: "x"}
				}
				return target.Call(ctx, b)
			})}},
		{"no fault", "closed",
			broken{call: func(ctx context.Context, target probe.Target, b *probe.Batch,
				_ int) error {
				if target.Call(ctx, b) != nil {
					return errors.New("closed")
				}
				return nil
			}}},
		{"answers after Close", "closed", broken{close: func(int) error { return nil }}},
		{"panics after Close", "closed",
			broken{call: func(ctx context.Context, target probe.Target, b *probe.Batch,
				_ int) error {
				if err := target.Call(ctx, b); err != nil {
					panic(err)
				}
				return nil
			}}},
		{"second Close fails", "closed", broken{close: func(calls int) error {
			if calls > 2 {
				return errors.New("closed")
			}
			return nil
		}}},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		seen[tt.check] = true
		open := func() (probe.Target, error) {
			b := tt.b
			b.Target = FromTree(Chain(9),
				Options{Op: probe.Gemv, Lanes: 3, Key: func(k probe.Key) probe.Key { return k }})
			return &b, nil
		}
		for _, c := range checks {
			if c.name == tt.check && check(open, c, false) == nil {
				t.Errorf("%s: the check %q does not see it", tt.name, tt.check)
			}
		}
	}
	for _, c := range checks {
		over := []string{"sizes", "cells", "opened anew", "moved"}
		if !seen[c.name] && !slices.Contains(over, c.name) {
			t.Errorf("no broken target for the check %q", c.name)
		}
	}
}

// TestSuiteFailsOverOpenings checks faults that only several targets or cells
// show.
func TestSuiteFailsOverOpenings(t *testing.T) {
	opened := 0
	trees := []Shape{Uniform, Caterpillar}
	for _, tt := range []struct {
		check string
		open  func() (probe.Target, error)
	}{
		{"opened anew", func() (probe.Target, error) {
			opened++
			return FromTree(RandomTree(rand.New(rand.NewPCG(1, 1)), 200, trees[opened%2]),
				Options{Lanes: 20}), nil
		}},
		{"sizes", opener(func() probe.Target {
			return FromTree(Chain(4),
				Options{Op: probe.Gemv, Lanes: 3,
					Key: func(k probe.Key) probe.Key { k.M = 4; return k }})
		})},
		{"cells", opener(func() probe.Target {
			return FromTree(Chain(4),
				Options{Op: probe.Gemm, Lanes: 3, Cols: 3, Col: 1,
					Key: func(k probe.Key) probe.Key { k.OutIndex = []int{0, 3}; return k }})
		})},
		{"cells", opener(func() probe.Target {
			return &wrongCells{FromTree(Chain(4),
				Options{Op: probe.Gemm, Lanes: 3, Cols: 3}).(probe.CellTarget)}
		})},
		{"moved", opener(func() probe.Target {
			return &movable{Target: FromTree(Chain(9), Options{}), moved: true}
		})},
		{"moved", opener(func() probe.Target {
			return &movable{Target: FromTree(Chain(9), Options{}), after: true}
		})},
	} {
		for _, c := range checks {
			if c.name == tt.check && check(tt.open, c, false) == nil {
				t.Errorf("the check %q does not see it", tt.check)
			}
		}
	}
}

// wrongCells transposes the matrix of outputs.
type wrongCells struct{ probe.CellTarget }

func (w *wrongCells) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	err := w.CellTarget.CallCells(ctx, b, all)
	all[1], all[3] = all[3], all[1]
	return err
}

// movable is a target whose operand moves, or seems to.
type movable struct {
	probe.Target
	moved, after bool // a call that loses its first summand: of a moved operand, or the next one
	last         int  // the offset of the last call
}

func (m *movable) Reach() probe.Placement { return probe.Placement{X: 4096} }

func (m *movable) CallAt(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	err := m.Target.Call(ctx, b)
	if err == nil && (m.moved && at.X > 0 || m.after && at.X == 0 && m.last > 0) {
		b.Out[0] -= b.X[slices.IndexFunc(b.X, func(v float64) bool { return v != 0 })]
	}
	m.last = at.X
	return err
}

func (m *movable) Call(ctx context.Context, b *probe.Batch) error {
	return m.CallAt(ctx, b, probe.Placement{})
}

// TestDifferingSetting compares two orders of the same summands under settings
// that leave the second one out, fail, or let it in.
func TestDifferingSetting(t *testing.T) {
	open := func(setting string, variant int) (probe.Target, error) {
		family := sumtree.Family{Kind: sumtree.Chain}
		if setting == "fails" && variant == 1 {
			return nil, errors.New("not on this processor")
		}
		if setting == "reversed" && variant == 1 {
			family.Kind = sumtree.ReverseChain
		}
		return FromTree(family.Tree(40), Options{DType: fp.Binary32}), nil
	}
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{[]string{"none", "fails"}, ""},
		{[]string{"none", "fails", "reversed", "more"}, "reversed"},
	} {
		got, found := DifferingSetting(t, c.settings, open)
		if got != c.want || found != (c.want != "") {
			t.Errorf("of %v it found %q, %v", c.settings, got, found)
		}
	}
}
