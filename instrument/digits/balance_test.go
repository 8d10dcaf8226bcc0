package digits

import (
	"context"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

// TestDurations holds that the hours of a duration are rounded numbers: their
// difference keeps few digits.
func TestDurations(t *testing.T) {
	t.Parallel()
	a, err := Analyze(context.Background(), buildProgram(t, "testdata/durations"),
		instrument.Input{}, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0.00361111111111111111", "7.5", "13.25"} {
		if i >= len(a.Tokens) {
			t.Fatalf("the tokens are %+v", a.Tokens)
		}
		printed, got := a.Tokens[i].Plain, a.Tokens[i].Digits
		if got == nil {
			t.Fatalf("%s has no digits", printed)
		}
		if right := trueDigits(t, printed, want); *got > right+1.5 {
			t.Errorf("%s has %.1f digits by the estimate, and %.1f that are right", printed, *got,
				right)
		}
		if i > 0 && *got < 2 {
			t.Errorf("%s is exact, and has %.1f digits by the estimate", printed, *got)
		}
	}
}

// TestBalance examines a program that computes the errors of its sums and does
// not correct them: the digits that these cost are not right. Sums of math/big
// round by themselves, and the report names them.
func TestBalance(t *testing.T) {
	t.Parallel()
	a, err := Analyze(context.Background(), buildProgram(t, "testdata/balance"),
		instrument.Input{}, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Tokens) == 0 || a.Tokens[0].Digits == nil {
		t.Fatalf("the tokens are %+v", a.Tokens)
	}
	got, want := *a.Tokens[0].Digits, trueDigits(t, a.Tokens[0].Plain, "39999.9")
	if got > want+1.5 {
		t.Errorf("%s has %.1f digits by the estimate, and %.1f that are right",
			a.Tokens[0].Plain, got, want)
	}
	at := markedLine(t, "testdata/balance", "SetPrec(24)")
	if !slices.ContainsFunc(a.Omitted, func(o instrument.Omission) bool {
		return o.Why == instrument.BigFloat && o.Reached && o.Line == at
	}) {
		t.Errorf("omitted are %+v, and not the roundings in line %d", a.Omitted, at)
	}
}
