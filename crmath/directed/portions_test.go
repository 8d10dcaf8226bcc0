package directed_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

// portion is a number of arguments that are finished, or not, together.
const portion = 1_000_000

// portions has a function tried with random arguments: try takes a generator
// and the number of arguments of a portion. Where LASTBIT_PROGRESS names a
// file, portions that it lists are left out, and those that find no failure are
// added to it, so that a run that is stopped goes on where it was.
func portions(t *testing.T, name string, try func(rng *rand.Rand, n int)) {
	t.Helper()
	file, finished := os.Getenv("LASTBIT_PROGRESS"), map[string]bool{}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			finished[line] = true
		}
	}
	n := sampleSize(t)
	for i := 0; i*portion < n; i++ {
		count := min(portion, n-i*portion)
		seed := os.Getenv("LASTBIT_SEED")
		line := fmt.Sprintf("%s, seed %q, portion %d: %d\n", name, seed, i, count)
		if finished[line] {
			continue
		}
		rng := args.Generator(fmt.Sprintf("stress %s %d", name, i))
		try(rng, count)
		if file != "" && !t.Failed() {
			record(t, file, line)
		}
	}
}

// record adds a line to a file, in one write, as others do at the same time.
func record(t *testing.T, file, line string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPortions stops after a portion, and goes on: every argument is tried
// once, and none again in a third run.
func TestPortions(t *testing.T) {
	t.Setenv("LASTBIT_STRESS", "2500000")
	t.Setenv("LASTBIT_PROGRESS", t.TempDir()+"/progress")
	count := 0
	stopped := func() {
		defer func() { _ = recover() }()
		portions(t, "f", func(_ *rand.Rand, n int) {
			if count == portion {
				panic("stop")
			}
			count += n
		})
	}
	stopped()
	portions(t, "f", func(_ *rand.Rand, n int) { count += n })
	if count != 2_500_000 {
		t.Errorf("%d arguments", count)
	}
	portions(t, "f", func(*rand.Rand, int) { t.Error("again") })
}
