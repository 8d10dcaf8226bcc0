package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/internal/require"
)

// newManual writes the manual into a new folder.
func newManual(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "man")
	if code, _, stderr := runLine(t, "man", folder); code != same {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return folder
}

// TestManual checks that every verb has a page, with its flags, and that two
// runs write the same bytes.
func TestManual(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "")
	first, second := newManual(t), newManual(t)
	pages := 0
	root := (&app{drivers: drivers(io.Discard)}).root()
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.HasParent() && !cmd.IsAvailableCommand() {
			continue
		}
		pages++
		name := pageName(cmd) + ".1"
		a, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if b, _ := os.ReadFile(filepath.Join(second, name)); !bytes.Equal(a, b) {
			t.Errorf("%s is another in a second run", name)
		}
		if title := strings.SplitN(string(a), "\n", 2)[0]; !strings.Contains(title, ` "1" "" `) {
			t.Errorf("%s has a date: %s", name, title)
		}
		for _, want := range []string{".SH \"NAME\"\n", ".SH \"SEE ALSO\"\n", `\-\-help`} {
			if !bytes.Contains(a, []byte(want)) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	if pages < 10 {
		t.Errorf("there are only %d pages", pages)
	}
	page, _ := os.ReadFile(filepath.Join(first, "lastbit.1"))
	for _, v := range environment {
		if !strings.Contains(string(page), `\fB`+v.name+`\fR`) {
			t.Errorf("lastbit.1 lacks %s", v.name)
		}
	}
}

func TestManualDate(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	page, err := os.ReadFile(filepath.Join(newManual(t), "lastbit-reveal.1"))
	title := `.TH "LASTBIT\-REVEAL" "1" "2023\-11\-14" `
	if err != nil || !strings.HasPrefix(string(page), title) {
		t.Errorf("the page begins with %.60q: %v", page, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if code, _, _ := runLine(t, "man", t.TempDir()); code != failed {
		t.Errorf("exit code %d for a date that is not a number", code)
	}
}

// TestManualFormats formats every page with groff, with all warnings.
func TestManualFormats(t *testing.T) {
	require.Program(t, "groff")
	pages, err := filepath.Glob(filepath.Join(newManual(t), "*.1"))
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages", err)
	}
	for _, page := range pages {
		args := []string{"-ww", "-k", "-man", "-Tutf8", "-z", page}
		out, err := exec.CommandContext(t.Context(), "groff", args...).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", filepath.Base(page), err, out)
		}
	}
}

func TestEscapeRoff(t *testing.T) {
	var r roff
	r.text(".dot\n'quote\n--flag \\ \"x\"")
	want := "\\&.dot\n\\&'quote\n\\-\\-flag \\e \\(dqx\\(dq\n"
	if r.String() != want {
		t.Errorf("%q, not %q", r.String(), want)
	}
}
