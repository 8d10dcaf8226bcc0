package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
)

// dying is a sum that ends its process on the hundredth call, in the middle of
// the comparisons.
const dying = `#include <stdlib.h>
#include <stddef.h>
float dying(const float *x, size_t n) {
	static int calls;
	if (++calls > 99) abort();
	float s = 0;
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}
`

// listing returns the command's drivers. The first lists addresses, the others
// nothing.
func listing(addresses ...string) open.Table {
	table := drivers(io.Discard)
	for i := range table {
		table[i].List = nil
	}
	table[0].List = func(context.Context) (all []probe.Listing) {
		for _, address := range addresses {
			all = append(all, probe.Listing{
				Address: address, Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary32},
			})
		}
		return all
	}
	return table
}

// TestAuditGoesOn audits targets. Some cannot be opened, and one dies.
func TestAuditGoesOn(t *testing.T) {
	lib := require.Library(t, dying)
	table := listing(
		"go:naive",
		"go:nothing",
		"clib:"+lib+":dying",
		"go:pairwise",
		"clib:"+lib+":missing",
	)
	request := audit.Request{Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary32}, N: 50}
	seen := map[string]int{}
	report, err := audit.Run(
		t.Context(),
		table,
		request,
		func(target string, done, expected int) { seen[target]++ },
	)
	if err != nil {
		t.Fatal(err)
	}
	if seen["go:pairwise"] == 0 {
		t.Error("the progress did not hear of go:pairwise")
	}
	first := report.Tables[0]
	if len(first.Groups) != 2 || len(first.Failed) != 3 || len(first.Pairs) != 1 {
		t.Fatalf("%d groups, %d failures, %d differences; 2, 3 and 1 were expected",
			len(first.Groups), len(first.Failed), len(first.Pairs))
	}
	var b bytes.Buffer
	if err := audit.WriteText(&b, report); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#unknown-target]", "#worker-died]", "#symbol-missing]", "differs from A on",
		"3 more targets could not be run",
	} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("the report does not contain %q:\n%s", want, b.String())
		}
	}
}
