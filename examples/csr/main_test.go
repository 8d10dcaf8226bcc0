package main

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/examples/internal/demo"
)

const golden = "6d0f6eb6a707f3a5"

// TestGolden assembles the elements in several orders by several workers.
func TestGolden(t *testing.T) {
	for workers := range 4 {
		for order := range 4 {
			args := fmt.Sprintf("-n 50 -elements 300 -workers %d -order %d", workers+1, order)
			var out strings.Builder
			err := run(strings.Fields(args), &out)
			if err != nil || !strings.HasPrefix(out.String(), golden+" ") {
				t.Errorf("%s: %q (%v), want hash %s", args, out.String(), err, golden)
			}
		}
	}
}

// TestSums holds each value against a sum of 2000 bits, wide enough for all
// contributions.
func TestSums(t *testing.T) {
	const n, count = 20, 100
	want := map[[2]int]*big.Float{}
	for _, e := range elements(n, count) {
		for k, v := range e.value {
			place := [2]int{e.at[k/corners], e.at[k%corners]}
			if want[place] == nil {
				want[place] = new(big.Float).SetPrec(2000)
			}
			want[place].Add(want[place], big.NewFloat(v))
		}
	}
	m := assemble(n, count, 3, 5)
	for place, sum := range want {
		if v, _ := sum.Float64(); m.At(place[0], place[1]) != v {
			t.Errorf("element %v is %g, want %g", place, m.At(place[0], place[1]), v)
		}
	}
	if len(m.Values) != len(want) {
		t.Errorf("%d values, want %d", len(m.Values), len(want))
	}
}

// TestNaive shows the need: += in the order of arrival gives other bits for
// each order.
func TestNaive(t *testing.T) {
	const n, count, orders = 50, 300, 8
	all := elements(n, count)
	hashes := map[string]bool{}
	for order := range uint64(orders) {
		dense := make([]float64, n*n)
		for _, e := range demo.Random(order).Perm(count) {
			for k, v := range all[e].value {
				dense[all[e].at[k/corners]*n+all[e].at[k%corners]] += v
			}
		}
		hashes[demo.NewHash().Floats(dense).String()] = true
	}
	t.Logf("+= in the order of arrival: %d different hashes for %d orders", len(hashes), orders)
	if len(hashes) == 1 {
		t.Error("the order makes no difference: the elements prove nothing")
	}
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-n 3":         "csr: -n 3: it must be from 4 to 1000000; csr -h lists the flags",
		"-elements -1": "csr: -elements -1: it must be from 0 to 10000000; csr -h lists the flags",
	} {
		if err := run(strings.Fields(args), t.Output()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	if err := run([]string{"-n", "4", "-elements", "0"}, t.Output()); err != nil {
		t.Errorf("a matrix without elements: %v", err)
	}
}
