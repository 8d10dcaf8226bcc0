package reveal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestFewReplays asks for fewer replays than Reveal makes calls for them.
func TestFewReplays(t *testing.T) {
	chain := probetest.Chain(20)
	for _, o := range []probetest.Options{
		{}, {DType: fp.Binary16}, {DType: fp.BFloat16, Lanes: 5}, {Products: true, Lanes: 5},
	} {
		for _, replays := range []int{1, 2, 3, 7, 9} {
			t.Run(fmt.Sprintf("%v/%d lanes/%d", o.DType, o.Lanes, replays), func(t *testing.T) {
				opt := reveal.Options{Replays: replays}
				f := revealtest.Must(t, probetest.FromTree(chain, o), opt, chain)
				if f.Evidence.ReplayTried < replays {
					t.Errorf("%d replays, %d asked for", f.Evidence.ReplayTried, replays)
				}
			})
		}
	}
}

// TestAlgorithmsAreACopy holds that a caller cannot change the list, and that
// every name on it is accepted.
func TestAlgorithmsAreACopy(t *testing.T) {
	names := reveal.Algorithms()
	if names[0] != "auto" {
		t.Errorf("the first algorithm is %q", names[0])
	}
	names[0] = "changed"
	if again := reveal.Algorithms(); again[0] != "auto" {
		t.Errorf("a caller changed the first algorithm to %q", again[0])
	}
	target := func() probe.Target {
		return probetest.FromTree(probetest.Chain(6), probetest.Options{})
	}
	for _, name := range reveal.Algorithms() {
		revealtest.Must(t, target(), reveal.Options{Algorithm: name}, nil)
	}
	_, err := reveal.Reveal(context.Background(), target(), reveal.Options{Algorithm: "changed"})
	var fault *probe.Fault
	if !errors.As(err, &fault) || fault.ID != "bad-algorithm" {
		t.Errorf("an unknown algorithm gives %v", err)
	}
}
