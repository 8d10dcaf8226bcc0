package sums

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCompareKeys(t *testing.T) {
	want := []string{"-Inf", "-3", "0", "-0", "2", "2.0", "10", "1e3", "", "A", "B", "a", "ä"}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(3, 3)).Shuffle(len(got),
		func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, compareKeys)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
