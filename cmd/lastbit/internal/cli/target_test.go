package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/open"
)

// mine is a driver that only this file names.
func mine() open.Driver {
	return open.Driver{
		Package:  "example/mine",
		Summary:  "a function of mine",
		Schemes:  []string{"mine"},
		Examples: []string{"mine:chain"},
		Yours:    []string{"mine:anything"},
		Open: func(_ context.Context, address string, s probe.Spec) (probe.Target, error) {
			chain := func(x []float64) (sum float64) {
				for _, v := range x {
					sum += v
				}
				return sum
			}
			return gofunc.New(address, chain, s.N), nil
		},
		List: func(context.Context) []probe.Listing {
			return []probe.Listing{{
				Address: "mine:chain", Library: "mine",
				Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary64},
			}}
		},
		Names: func() []string { return []string{"mine:chain"} },
	}
}

// TestNewDriver adds one row to the table of drivers, and finds it in every
// verb that is about targets.
func TestNewDriver(t *testing.T) {
	row := mine()
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"reveal mine:chain -n 4 --dtype f64 --format brackets", same, "(((0 1) 2) 3)"},
		{"reveal --help", same, "or mine:chain."},
		{"reveal mine:chian -n 4 --dtype f64", same, "tree"}, // its Open takes any name
		{"reveal mine:chain -n 4 --axis 0", failed, "leave --axis out"},
		{"reveal chain -n 4", failed, "did you mean mine:chain?"},
		{"compare mine:chain go:naive -n 8 --dtype f64", same, "mine:chain"},
	} {
		var out, err bytes.Buffer
		table := append(drivers(io.Discard), row)
		args := strings.Fields(test.args)
		code := run(t.Context(), strings.NewReader(""), &out, &err, args, table)
		text := strings.Join(strings.Fields(out.String()+err.String()), " ") // on one line
		if code != test.code || !strings.Contains(text, test.want) {
			t.Errorf("lastbit %s: exit code %d, want %d and %q:\n%s", test.args, code, test.code,
				test.want, text)
		}
	}
}

// TestNewDriverIsListed runs the verbs that list all targets, over a small
// table.
func TestNewDriverIsListed(t *testing.T) {
	var out, err bytes.Buffer
	table := open.Table{mine()}
	if code := run(t.Context(), strings.NewReader(""), &out, &err, []string{"targets"},
		table); code != same {
		t.Fatalf("exit code %d: %s", code, &err)
	}
	if text := out.String(); !strings.Contains(text, "mine:chain") ||
		!strings.Contains(text, "code of your own: mine:anything\n") {
		t.Errorf("targets prints %s", text)
	}
	out.Reset()
	if code := run(t.Context(), strings.NewReader(""), &out, &err,
		strings.Fields("audit --json -n 8 --dtype f64 --ops sum"), table); code != same {
		t.Fatalf("exit code %d: %s", code, &err)
	}
	var page struct {
		Tables []struct {
			Groups []struct {
				Members []struct {
					Finding struct {
						Key probe.Key `json:"key"`
					} `json:"finding"`
				} `json:"members"`
			} `json:"groups"`
		} `json:"tables"`
	}
	if e := json.Unmarshal(out.Bytes(), &page); e != nil {
		t.Fatal(e)
	}
	if len(page.Tables) != 1 || len(page.Tables[0].Groups) != 1 ||
		page.Tables[0].Groups[0].Members[0].Finding.Key.Target != "mine:chain" {
		t.Errorf("audit prints %s", out.String())
	}
}
