package widesum_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/widesum"
)

// TestAnalyzer compares the findings and the fixes with the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), widesum.Analyzer, "a")
	analysistest.Run(t, analysistest.TestData(), widesum.Analyzer, "tagged")
}

// TestModules compares the findings in modules with different go lines.
func TestModules(t *testing.T) {
	require.Program(t, "go")
	for _, c := range []struct {
		line string
		want int
	}{
		{"", 1}, {"go 1.9", 1}, {"go 1.15", 1}, {"go 1.18", 1}, {"go 1.19", 0}, {"go 1.21.3", 0},
		{"go 1.25.0", 0},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\n"+c.line+"\n")
		write(t, filepath.Join(dir, "m.go"), "package m\n\nfunc F(x []float32) (s float32) {\n"+
			"\tfor _, v := range x {\n\t\ts += v\n\t}\n\treturn s\n}\n")
		config := &packages.Config{Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule}
		pkgs, err := packages.Load(config, ".")
		if err != nil {
			t.Fatal(err)
		}
		graph, err := checker.Analyze([]*analysis.Analyzer{widesum.Analyzer}, pkgs, nil)
		if err != nil || graph.Roots[0].Err != nil {
			t.Fatal(err, graph.Roots[0].Err)
		}
		if got := len(graph.Roots[0].Diagnostics); got != c.want {
			t.Errorf("%q: %d findings, want %d", c.line, got, c.want)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
