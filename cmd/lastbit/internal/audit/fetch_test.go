package audit

import (
	"context"
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
