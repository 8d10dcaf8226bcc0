package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/lockfile"
)

// folder writes files to a folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// uncommented returns a lastbit.toml whose keys in comments are active.
func uncommented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "# "); ok &&
			(strings.HasPrefix(rest, "[[") || strings.Contains(rest, " = ")) {
			line = rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestConfig checks that each file that Config writes can be read, with and
// without its comments, and what is active in it.
func TestConfig(t *testing.T) {
	for _, c := range []struct {
		files    map[string]string
		requests []string // targets
		sweeps   int
	}{
		{nil, nil, 0},
		{map[string]string{"a.py": "import numpy as np\n", "b/b.py": "from torch import nn\n"},
			[]string{"py:numpy.sum", "py:numpy.matmul", "py:torch.sum", "py:torch.matmul"}, 2},
		{map[string]string{"a.py": "# import numpy\nimport numpyro\n"}, nil, 0},
		{map[string]string{"a.py": "import jax\n", "lastbit.lock": "x"}, nil, 1},
		{map[string]string{"go.mod": "module m\n\nrequire gonum.org/v1/gonum v0.17.0\n",
			"main.go": "package main\n", "x\ny.py": "import jax\n"},
			[]string{"py:jax.numpy.sum", "py:jax.numpy.matmul", "gonum:floats.Sum",
				"gonum:blas64.Gemm"}, 2},
	} {
		found, err := Find(t.Context(), folder(t, c.files))
		if err != nil {
			t.Fatal(err)
		}
		config, err := lockfile.ParseConfig("x", found.Config())
		if err != nil {
			t.Errorf("%v\n%s", err, found.Config())
			continue
		}
		var targets []string
		for _, r := range config.Requests {
			targets = append(targets, r.Target)
		}
		if !slices.Equal(targets, c.requests) || len(config.Report.Invariant) != c.sweeps {
			t.Errorf("%v: %v, %d sweeps", c.files, targets, len(config.Report.Invariant))
		}
		if len(config.Report.Digits) > 0 {
			t.Error("a program would run that nobody has named")
		}
		if all, err := lockfile.ParseConfig("x", uncommented(found.Config())); err != nil ||
			len(all.Report.Digits) == 0 || len(all.Report.Explain) == 0 || len(all.Requests) == 0 {
			t.Errorf("without comments: %v\n%s", err, uncommented(found.Config()))
		}
	}
}
