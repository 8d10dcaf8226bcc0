package explainfiles

import (
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/explain"
)

// TestSizes writes the errors of a side: NaN has no distance.
func TestSizes(t *testing.T) {
	for most, want := range map[uint64]string{
		3: "error up to 3 ULPs, median 1.5", math.MaxUint64: "NaN in the place of a number",
	} {
		got := sizes(&explain.Side{MaxError: most, MedianError: 1.5})
		if !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q, not %q", most, got, want)
		}
	}
}
