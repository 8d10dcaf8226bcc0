package explainfiles

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/probe/python"
)

// TestPairs explains pairs of results that NumPy, PyTorch, OpenBLAS and loops
// in Python computed, half of them every day. None may get a wrong cause.
func TestPairs(t *testing.T) {
	interpreter := pyenv.Python(t)
	dir := t.TempDir()
	out, err := exec.Command(interpreter, "testdata/pairs.py", dir).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	driver := &python.Driver{Python: interpreter}
	causes, unexplained, leastCauses, leastUnexplained := 0, 0, 40, 10
	everyday := os.Getenv("LASTBIT_SWEEP") != "all"
	if everyday {
		leastCauses, leastUnexplained = 20, 4
	}
	for k, line := range slices.Collect(strings.Lines(string(out))) {
		if everyday && k%2 == 1 {
			continue
		}
		words := strings.Fields(line)
		name, want := words[0], words[1]
		q := &Question{Axis: AllAxes, Python: driver.Script}
		for i := 4; i < len(words); i += 2 {
			switch value := words[i+1]; words[i] {
			case "--op":
				q.Op = value
			case "--axis":
				q.Axis, _ = strconv.Atoi(value)
			default:
				q.Inputs = append(q.Inputs, filepath.Join(dir, value))
			}
		}
		x, err := q.Answer(t.Context(), Place{File: filepath.Join(dir, words[2])},
			Place{File: filepath.Join(dir, words[3])})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := causesOf(x)
		certain, library := strings.CutSuffix(want, "?")
		switch {
		case got == "unexplained" && (library || want == got):
			unexplained++
		case !slices.Contains(strings.Split(certain, "|"), got):
			t.Errorf("%s: %s instead of %s; a is %q, b is %q; %s", name, got, want, x.A.Model,
				x.B.Model, x.Reason)
		default:
			causes++
		}
	}
	if causes < leastCauses || unexplained < leastUnexplained {
		t.Errorf("%d pairs are explained, and %d are not", causes, unexplained)
	}
}

func causesOf(x *explain.Explanation) string {
	if !x.Explained {
		return "unexplained"
	}
	var names []string
	for _, c := range x.Causes {
		names = append(names, string(c))
	}
	return strings.Join(names, "+")
}
