package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestReportGoesOn makes the report of a machine whose libraries fail: one dies
// and one cannot be opened. The others are there, and the first screen names
// the failures.
func TestReportGoesOn(t *testing.T) {
	lib := require.Library(t, dying)
	table := listing("go:naive", "clib:"+lib+":dying", "go:pairwise", "clib:"+lib+":missing")
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	args := []string{"report", "--sections", "audit", "--ops", "sum", "--dtype", "f32", "-n", "50"}
	code := run(t.Context(), strings.NewReader(""), &out, &errs, args, table)
	if code != same || errs.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	page, err := os.ReadFile("lastbit.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{out.String(), "• These 2 ways to add give 2 different results here."},
		{out.String(), "• 2 targets could not be run."},
		{string(page), filepath.Base(lib) + ":dying</b> could not be run: "},
		{string(page), filepath.Base(lib) + ":missing</b> could not be run: "},
		{string(page), ">2 targets could not be run.</a>"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q is missing", c.want)
		}
	}
}

// TestSweepLines derives sweeps from the operations of a project.
func TestSweepLines(t *testing.T) {
	for m, want := range map[int]string{2: "1,2", 3: "1,2,3", 16: "1,2,4,8,16"} {
		if got := powers(m); got != want {
			t.Errorf("up to %d: %s, want %s", m, got, want)
		}
	}
}
