package digits

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

// TestCriteria blames each kind of fault on the line of the corpus that causes
// it.
func TestCriteria(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, corpusFolder)
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ngrep -q above\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Criterion{
		"exit":   OtherExit,
		"match":  OtherMatch(regexp.MustCompile("ab.ve")),
		"script": Script(t.Context(), script),
	} {
		a, err := Analyze(context.Background(), p, instrument.Input{Args: []string{"branch"}},
			Options{Seed: 1, Blame: true, Criterion: c})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Blame) == 0 || !isMarked(t, name, a.Blame) {
			t.Errorf("%s: %v", name, a.Blame)
		}
	}
	_, err := Analyze(context.Background(), p, instrument.Input{Args: []string{"branch"}},
		Options{Seed: 1, Blame: true, Criterion: OtherMatch(regexp.MustCompile("nothing"))})
	var none *NoFaultError
	if !errors.As(err, &none) || none.Plain {
		t.Errorf("a fault that no run shows: %v", err)
	}
}

// TestVarying marks words that differ between runs with the same roundings, and
// keeps their lines out of the profile.
func TestVarying(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, corpusFolder)
	a, err := Analyze(context.Background(), p, instrument.Input{Args: []string{"clock"}},
		Options{Seed: 1, Blame: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Tokens) != 2 || a.Tokens[0].Varies || !a.Tokens[1].Varies || len(a.Blame) > 0 {
		t.Errorf("%+v, %v", a.Tokens, a.Blame)
	}
}
