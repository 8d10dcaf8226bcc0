//go:build linux && cgo

package engines

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/footer"
	"github.com/lastbit/lastbit/internal/pgserver"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// modules are the engines for Python.
const modules = "duckdb, chdb, pyspark, datafusion, pyarrow, numpy"

// TestOneFile sums one Parquet file in every engine: see onefile/check.py.
// LASTBIT_ENGINES is the number of rows, with ten runs each, and
// LASTBIT_ENGINES_ONLY names some engines: make engines.
func TestOneFile(t *testing.T) {
	rows, runs, tags := 4000, 2, ""
	if s := os.Getenv("LASTBIT_ENGINES"); s != "" {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		// The direct runner of Beam would keep all rows.
		rows, runs, tags = int(n), 10, "prism"
	}
	python := pyenv.Python(t)
	if exec.CommandContext(t.Context(), python, "-c", "import "+modules).Run() != nil {
		require.Missing(t, "a Python with "+modules)
	}
	require.Program(t, "gcc")
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	goTool(t, "build", "-o", in("lastbit"), "../cmd/lastbit")
	goTool(t, "run", "./duckdb/build", "-o", in(footer.File))
	requireBeam(t, "-tags", tags)
	if out, err := beam(t, "build", "-tags", tags, "-o", in("beam"), "./onefile"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	request, err := json.Marshal(map[string]any{
		"rows": rows, "runs": runs, "folder": folder, "lastbit": in("lastbit"),
		"mpirun": require.Program(t, "mpirun"), "extension": in(footer.File),
		"jar": sparkJar(t, python), "beam": in("beam"), "postgres": pgserver.Start(t),
		"engines": strings.Fields(os.Getenv("LASTBIT_ENGINES_ONLY")),
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("onefile", "check.py"),
		string(request))
	ranks := require.Ranks(t.Context(), "", 1, "")
	cmd.Env = append(ranks.Env, "SPARK_LOCAL_IP=127.0.0.1", "TMPDIR="+folder,
		"PYTHONDONTWRITEBYTECODE=1")
	var progress strings.Builder
	cmd.Stdout, cmd.Stderr = os.Stdout, &progress
	if tags != "" {
		cmd.Stderr = os.Stderr
	}
	if err := cmd.Run(); err != nil {
		t.Errorf("%v\n%s", err, &progress)
	}
}

// goTool runs the go command.
func goTool(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), require.Program(t, "go"), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
