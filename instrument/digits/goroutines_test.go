package digits

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

const goroutines = "testdata/goroutines"

// TestGoroutines examines a program whose goroutines compute apart, or take
// jobs from a channel: the lines that lose digits are the same on any number of
// processors, each time. A program whose goroutines take turns at an operation
// is found out.
func TestGoroutines(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, goroutines)
	examine := func(args ...string) *Analysis {
		t.Helper()
		a, err := Analyze(context.Background(), p, instrument.Input{Args: args},
			Options{Seed: 1, Runs: 4})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	at := Place{"main.go", markedLine(t, goroutines, "// apart")}
	for _, mode := range []string{"apart", "jobs"} {
		var first *Analysis
		for _, processors := range []string{"1", "2", "4", "4"} {
			a := examine(mode, processors)
			if len(a.Unordered) > 0 {
				t.Errorf("%s, %s processors: the schedule changes %v", mode, processors,
					a.Unordered)
			}
			if !slices.ContainsFunc(a.Lines, func(l Line) bool {
				return Place{l.File, l.Line} == at && l.Lost >= 3
			}) {
				t.Errorf("%s, %s processors: no loss at %v, but %v", mode, processors, at, a.Lines)
			}
			if first == nil {
				first = a
			}
			if !slices.EqualFunc(a.Lines, first.Lines, equalLines) {
				t.Errorf("%s, %s processors: lines %v, not %v", mode, processors, a.Lines,
					first.Lines)
			}
		}
	}
	at.Line = markedLine(t, goroutines, "// turns")
	for _, processors := range []string{"1", "4"} {
		if a := examine("turns", processors); !slices.Equal(a.Unordered, []Place{at}) {
			t.Errorf("%s processors: the schedule changes %v, not %v", processors, a.Unordered, at)
		}
	}
}

// markedLine returns the number of the line that ends with a comment.
func markedLine(t *testing.T, folder, comment string) int {
	t.Helper()
	src, err := os.ReadFile(folder + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		if strings.HasSuffix(line, comment) {
			return i + 1
		}
	}
	t.Fatalf("no line ends with %s", comment)
	return 0
}

func equalLines(x, y Line) bool { return reflect.DeepEqual(x, y) }
