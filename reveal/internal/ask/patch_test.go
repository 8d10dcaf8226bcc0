package ask

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestPatches asks patches and whole inputs in random turns, and compares every
// answer with the answer of a channel that asks whole inputs only. A target
// that gets a wrong hint fails.
func TestPatches(t *testing.T) {
	const n, lanes = 9, 4
	target := func() probe.Target {
		return probetest.FromTree(probetest.Chain(n), probetest.Options{
			Op: probe.Dot, DType: fp.Binary64, Lanes: lanes})
	}
	hinted := NewChannel(context.Background(), probetest.Hints(target()), Options{})
	whole := NewChannel(context.Background(), target(), Options{})
	rng := rand.New(rand.NewPCG(41, 42))
	random := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	bases := [][]float64{nil, random(), random()}
	for turn := range 2000 {
		pool := []int{2, 0, 3}[:1+rng.IntN(3)]
		base := bases[rng.IntN(len(bases))]
		var patches []Patch
		var fills []Fill
		for range 1 + rng.IntN(5) {
			p := Patch{Base: base}
			for range rng.IntN(4) {
				p.Set(rng.IntN(n), rng.NormFloat64()) // some twice
			}
			patches, fills = append(patches, p), append(fills, p.Fill())
		}
		want, err := whole.AskIn(pool, nil, fills...)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		switch rng.IntN(8) {
		case 0:
			y := random()
			if want, err = whole.AskIn(pool, y, fills...); err == nil {
				got, err = hinted.AskIn(pool, y, fills...)
			}
		case 1:
			if want, err = whole.AskAll(nil, fills[0]); err == nil {
				got, err = hinted.AskAll(nil, fills[0])
			}
		default:
			got, err = hinted.AskPatched(pool, patches...)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("turn %d: %v, want %v (%v)", turn, got, want, err)
		}
	}
}

// TestFewLanesOfMany asks few lanes and all of them in random turns: a target
// that gets a wrong hint, or a fault between, fails.
func TestFewLanesOfMany(t *testing.T) {
	const n, lanes = 5, 16
	target := func() probe.Target {
		return probetest.FromTree(probetest.Chain(n), probetest.Options{Lanes: lanes})
	}
	flaky := &failing{Target: probetest.Hints(target())}
	hinted := NewChannel(context.Background(), flaky, Options{})
	plain := NewChannel(context.Background(), target(), Options{})
	rng := rand.New(rand.NewPCG(43, 44))
	hints := 0
	for turn := range 1000 {
		pool := rng.Perm(lanes)[:1+rng.IntN(1+turn%lanes)]
		fills := make([]Fill, 1+rng.IntN(6))
		for k := range fills {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			fills[k] = Values(x)
		}
		want, err := plain.AskIn(pool, nil, fills...)
		if err != nil {
			t.Fatal(err)
		}
		if flaky.fails = turn%50 == 49; flaky.fails {
			if _, err := hinted.AskIn(pool, nil, fills...); err == nil {
				t.Fatal("no error")
			}
			flaky.fails = false
		}
		got, err := hinted.AskIn(pool, nil, fills...)
		if hinted.batch.Changed != nil {
			hints++
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("turn %d: %v, want %v (%v)", turn, got, want, err)
		}
	}
	if hints < 100 {
		t.Errorf("%d hints", hints)
	}
}

// TestPatchesWithin asks patches of a few summands between patches of all.
func TestPatchesWithin(t *testing.T) {
	inner := probetest.FromTree(probetest.Chain(9), probetest.Options{})
	c := NewChannel(context.Background(), probetest.Hints(inner), Options{})
	sum := func(c *Channel, i int, v float64) {
		var p Patch
		p.Set(i, v)
		if out, err := c.AskPatched(c.Pool(), p); err != nil || out[0] != v {
			t.Errorf("%v (%v), want %v", out, err, v)
		}
	}
	for round := range 3 {
		sum(c, 8, 1)
		sum(c, round, 2)
		_ = c.Within([]int{3, 5, 7}, func(part *Channel) error {
			sum(part, 2, 3)
			out, err := part.AskPatched(part.Pool(), Patch{Base: []float64{1, 2, 4}})
			if err != nil || out[0] != 7 {
				t.Errorf("%v (%v), want 7", out, err)
			}
			return nil
		})
	}
}

// TestPatchAfterAFault holds that a call after one that failed gives no hint:
// the target may not have seen the batch.
func TestPatchAfterAFault(t *testing.T) {
	inner := probetest.FromTree(probetest.Chain(5), probetest.Options{})
	flaky := &failing{Target: probetest.Hints(inner)}
	c := NewChannel(context.Background(), flaky, Options{})
	for k := range 6 {
		var p Patch
		p.Set(k%5, float64(k))
		flaky.fails = k == 2
		out, err := c.AskPatched(c.Pool(), p)
		if flaky.fails {
			if err == nil {
				t.Fatal("no error")
			}
			continue
		}
		if err != nil || fmt.Sprint(out) != fmt.Sprint([]float64{float64(k)}) {
			t.Errorf("call %d: %v (%v)", k, out, err)
		}
	}
}

// failing is a target whose calls fail at times.
type failing struct {
	probe.Target
	fails bool
}

func (f *failing) Call(ctx context.Context, b *probe.Batch) error {
	if f.fails {
		return &probe.Fault{ID: "worker-died", Thing: "a target", Cause: "it was asked to fail"}
	}
	return f.Target.Call(ctx, b)
}
