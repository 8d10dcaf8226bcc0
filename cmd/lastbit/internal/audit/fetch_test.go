package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestTargetsOpenTogether audits targets that open only when all targets of
// their table are being opened: one after the other they would wait for ever,
// which ends the test.
func TestTargetsOpenTogether(t *testing.T) {
	const targets = 5
	synctest.Test(t, func(t *testing.T) {
		waiting := make(chan struct{})
		all := make(chan struct{})
		go func() {
			for range targets {
				<-waiting
			}
			close(all)
		}()
		driver := open.Driver{
			Schemes: []string{"slow"},
			Open: func(context.Context, string, probe.Spec) (probe.Target, error) {
				waiting <- struct{}{}
				<-all
				return probetest.FromTree(probetest.Chain(4), probetest.Options{}), nil
			},
			List: func(context.Context) []probe.Listing {
				var list []probe.Listing
				for i := range targets {
					list = append(list, probe.Listing{
						Address: fmt.Sprint("slow:", i),
						Ops:     []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary64},
					})
				}
				return list
			},
		}
		q := Request{Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary64}, N: 4}
		var shown []string
		report, err := Run(t.Context(), open.Table{driver}, q,
			func(target string, _, _ int) { shown = append(shown, target) })
		if err != nil {
			t.Fatal(err)
		}
		g := report.Tables[0].Groups
		if len(g) != 1 || len(g[0].Members) != targets {
			t.Fatalf("groups %+v", g)
		}
		for i, m := range g[0].Members {
			if want := fmt.Sprint("slow:", i); m.address != want || !slices.Contains(shown, want) {
				t.Errorf("row %d is %s, and the progress showed %v", i, m.address, shown)
			}
		}
	})
}

// failing is a target that fails after some calls.
type failing struct {
	probe.Target
	left int
}

func (f *failing) Call(ctx context.Context, b *probe.Batch) error {
	if f.left--; f.left < 0 {
		return &probe.Fault{ID: "worker-died", Thing: "the target", Cause: "it ended"}
	}
	return f.Target.Call(ctx, b)
}

// TestOthersGoOn audits several targets. One fails while others are revealed.
func TestOthersGoOn(t *testing.T) {
	const targets, bad = 5, 2
	driver := open.Driver{
		Schemes: []string{"some"},
		Open: func(_ context.Context, address string, _ probe.Spec) (probe.Target, error) {
			target := probetest.FromTree(probetest.Chain(4), probetest.Options{})
			if address == fmt.Sprint("some:", bad) {
				return &failing{target, 7}, nil
			}
			return target, nil
		},
		List: func(context.Context) []probe.Listing {
			var list []probe.Listing
			for i := range targets {
				list = append(list, probe.Listing{
					Address: fmt.Sprint("some:", i),
					Ops:     []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary64},
				})
			}
			return list
		},
	}
	q := Request{Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary64}, N: 4}
	last := 0
	report, err := Run(t.Context(), open.Table{driver}, q, func(_ string, done, expected int) {
		if last++; done != last || expected != targets {
			t.Errorf("%d targets done of %d, not %d of %d", done, expected, last, targets)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	table := report.Tables[0]
	if len(table.Failed) != 1 || table.Failed[0].Target != fmt.Sprint("some:", bad) {
		t.Errorf("failed are %+v", table.Failed)
	}
	if len(table.Groups) != 1 || len(table.Groups[0].Members) != targets-1 {
		t.Errorf("groups %+v", table.Groups)
	}
}

// closing is a target that ends ctx when it is closed.
type closing struct {
	probe.Target
	end context.CancelFunc
}

func (c closing) Close() error {
	c.end()
	return c.Target.Close()
}

// hanging is a target that answers when ctx ends.
type hanging struct{ probe.Target }

func (hanging) Call(ctx context.Context, _ *probe.Batch) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestInterrupted keeps the tables that were done before an interrupt.
func TestInterrupted(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	defer end()
	formats := []fp.Format{fp.Binary32, fp.Binary64}
	driver := open.Driver{
		Schemes: []string{"t"},
		Open: func(_ context.Context, _ string, s probe.Spec) (probe.Target, error) {
			o := probetest.Options{DType: s.DType}
			target := probetest.FromTree(probetest.Chain(4), o)
			if s.DType == fp.Binary64 {
				return hanging{target}, nil
			}
			return closing{target, end}, nil
		},
		List: func(context.Context) []probe.Listing {
			return []probe.Listing{{Address: "t:x", Ops: []probe.Op{probe.Sum}, DTypes: formats}}
		},
	}
	q := Request{Ops: []probe.Op{probe.Sum}, DTypes: formats, N: 4}
	report, err := Run(ctx, open.Table{driver}, q, func(string, int, int) {})
	if !errors.Is(err, context.Canceled) || report == nil {
		t.Fatal(report, err)
	}
	if len(report.Tables) != 1 || report.Tables[0].DType != fp.Binary32 ||
		len(report.Tables[0].Groups) != 1 || report.Summary.Ways != 1 {
		t.Errorf("tables %+v, summary %+v", report.Tables, report.Summary)
	}
}
