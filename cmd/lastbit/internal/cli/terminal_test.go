//go:build unix

package cli

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal/terminaltest"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// runOnTerminal runs a command line on a terminal, and returns the output to
// the screen.
func runOnTerminal(t *testing.T, columns int, args ...string) string {
	t.Helper()
	tty, screen := terminaltest.Open(t, columns)
	got := make(chan string)
	go func() {
		all, _ := io.ReadAll(screen) // which ends with an error when tty is closed
		got <- string(all)
	}()
	if code := Run(t.Context(), strings.NewReader(""), tty, tty, args); code == failed {
		t.Errorf("%q: exit code %d", args, code)
	}
	_ = tty.Close()
	return strings.ReplaceAll(<-got, "\r\n", "\n")
}

var (
	reveals  = []string{"reveal", "go:naive", "-n", "4"}
	refuses  = []string{"reveal", "go:kahan", "-n", "20"}
	compares = []string{"compare", "go:naive", "go:pairwise", "-n", "50"}
)

// TestColoursOnTerminals checks that the output to a wide terminal differs from
// a file only in its colours.
func TestColoursOnTerminals(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm-256color")
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{reveals, []string{"\x1b[1;32mtree, verified\x1b[0m: ", "\x1b[2mfamily "}},
		{refuses, []string{"\x1b[1;33mcompensated\x1b[0m: ", "\x1b[2m  seen "}},
		{compares, []string{
			"\x1b[1;31mdifferent\x1b[0m: ", "  \x1b[1;36mA\x1b[0m  ",
			"\x1b[1;35mB\x1b[0m differ on",
		}},
		{[]string{"compare", "go:naive", "go:naive"}, []string{"\x1b[1;32mthe same\x1b[0m: "}},
		{append([]string{"--json"}, reveals...), nil},
		{append([]string{"--color", "never"}, reveals...), nil},
	} {
		_, file, _ := runLine(t, c.args...)
		got := runOnTerminal(t, 200, c.args...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q: the screen lacks %q:\n%q", c.args, want, got)
			}
		}
		if c.want == nil && strings.Contains(got, "\x1b") {
			t.Errorf("%q has colours:\n%q", c.args, got)
		}
		if plain := colours.ReplaceAllString(got, ""); plain != file {
			t.Errorf("%q: without colours the screen has\n%s\nand a file\n%s", c.args, plain, file)
		}
	}
	t.Setenv("NO_COLOR", "1")
	if got := runOnTerminal(t, 80, reveals...); strings.Contains(got, "\x1b") {
		t.Errorf("NO_COLOR does not prevent colours: %q", got)
	}
	got := runOnTerminal(t, 80, append([]string{"--color=always"}, reveals...)...)
	if !strings.Contains(got, "\x1b") {
		t.Errorf("--color always has no effect: %q", got)
	}
}

// TestNarrowTerminals checks that output for people fits a terminal.
func TestNarrowTerminals(t *testing.T) {
	for _, columns := range []int{80, 50} {
		for _, args := range [][]string{
			{}, {"help", "reveal"}, {"help", "compare"}, {"help", "replay"},
			{"completion"}, {"version"},
			reveals, {"compare", "go:naive", "go:naive"},
		} {
			got := runOnTerminal(t, columns, args...)
			for line := range strings.Lines(got) {
				line = strings.TrimRight(line, "\r\n")
				// A slow command shows its progress on the line before.
				line = line[strings.LastIndex(line, "\r")+1:]
				example := columns < 80 && strings.HasPrefix(line, "  ") &&
					strings.Contains(line, "lastbit ")
				if n := text.Width(line); n > columns && !example {
					t.Errorf("%q, %d columns: %q has %d", args, columns, line, n)
				}
			}
		}
	}
}

// TestErrorsNameTheProgramOnce runs command lines with mistakes at every level.
func TestErrorsNameTheProgramOnce(t *testing.T) {
	for _, args := range [][]string{
		{"revael"}, {"--bogus"}, {"reveal"}, {"reveal", "--bogus"}, {"bench", "sums", "--bogus"},
	} {
		code, _, message := runLine(t, args...)
		rest, ok := strings.CutPrefix(message, "lastbit: ")
		if code != failed || !ok || strings.HasPrefix(rest, "lastbit") {
			t.Errorf("%q: exit code %d, %s", args, code, message)
		}
	}
}
