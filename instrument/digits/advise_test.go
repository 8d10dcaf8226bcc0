package digits

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

const advice = "testdata/advice"

// TestAdvice asks for six digits of programs where float32 changes a word, the
// number of lines, the exit code, a file or an infinity: the line that decides
// needs more. float32 is enough where numbers keep six digits.
func TestAdvice(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, advice)
	src, err := os.ReadFile(advice + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	for _, mode := range []string{"word", "lines", "exit", "file", "infinite", "number"} {
		in := instrument.Input{Args: []string{mode, filepath.Join(t.TempDir(), "out.txt")}}
		a, err := Analyze(context.Background(), p, in, Options{Seed: 1, Advise: 6})
		if err != nil {
			t.Fatal(err)
		}
		from := slices.IndexFunc(lines, func(s string) bool {
			return strings.Contains(s, `case "`+mode+`"`)
		})
		line := from + 1
		for !strings.Contains(lines[line], "// ") {
			line++
		}
		enough := slices.Contains(a.Advice, Advice{"main.go", line + 1, FloatIsEnough})
		if want := strings.HasSuffix(lines[line], "// keeps six digits"); enough != want {
			t.Errorf("%s: float32 is enough in line %d: %v; all advice: %v", mode, line+1, enough,
				a.Advice)
		}
	}
}

// TestAdviceOnOwnLines narrows no lines of the standard library.
func TestAdviceOnOwnLines(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, "testdata/programs")
	a, err := Analyze(context.Background(), p, instrument.Input{Args: []string{"complex"}},
		Options{Seed: 1, Advise: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range a.Advice {
		if x.Precision == FloatIsEnough && x.File != "main.go" {
			t.Errorf("%v", x)
		}
	}
}
