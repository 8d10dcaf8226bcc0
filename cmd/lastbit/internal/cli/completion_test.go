package cli

import (
	"slices"
	"strings"
	"testing"
)

// completions returns a shell's offers for the last of the words.
func completions(t *testing.T, words ...string) []string {
	t.Helper()
	_, stdout, _ := runLine(t, append([]string{"__complete"}, words...)...)
	var offered []string
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, ":") { // the directive
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			offered = append(offered, word)
		}
	}
	return offered
}

func TestCompletion(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // nothing is started
	for _, c := range []struct {
		words string // the last may be empty
		want  string
	}{
		{"rev", "reveal"},
		{"reveal go:na", "go:naive"},
		{"reveal py:numpy.su", "py:numpy.sum"},
		{"reveal cl", "clib:"},
		{"compare go:naive go:pair", "go:pairwise"},
		{"compare go:naive go:naive sim:h1", "sim:h100"},
		{"reveal go:naive --op ", "gemv"},
		{"reveal go:naive --dtype ", "bf16"},
		{"reveal go:naive --algorithm ", "fprev-binary"},
		{"reveal go:naive --format ", "brackets"},
		{"reveal go:naive --trans ", "ab"},
		{"compare go:naive go:naive --device ", "cuda"},
		{"replay --dtype ", "f32"},
		{"audit --ops ", "gemm"},
		{"sum --op ", "variance"},
		{"sum --algorithm ", "binned:algorithm3"},
		{"targets --color ", "never"},
		{"replay ", "json"},       // a file with this extension
		{"replay x.json ", "npy"}, // the same
		{"reveal --algo", "--algorithm"},
		{"completion f", "fish"},
	} {
		if got := completions(t, strings.Split(c.words, " ")...); !slices.Contains(got, c.want) {
			t.Errorf("%q offers %q, without %s", c.words, got, c.want)
		}
	}
	for _, words := range []string{"reveal go:naive go:", "targets ", "reveal nothing"} {
		if got := completions(t, strings.Split(words, " ")...); len(got) > 0 {
			t.Errorf("%q offers %q", words, got)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for shell, want := range map[string]string{
		"bash": "complete ", "zsh": "#compdef lastbit", "fish": "complete -c lastbit",
		"powershell": "Register-ArgumentCompleter",
	} {
		code, stdout, stderr := runLine(t, "completion", shell)
		if code != same || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d, %s%.80q", shell, code, stderr, stdout)
		}
	}
}
