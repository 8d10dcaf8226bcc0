//go:build linux && cgo

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/footer"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// run runs a command and returns its output.
func run(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// mustRun is run for a command that has to succeed.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, nil, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// built returns the path of the extension.
func built(t *testing.T) string {
	t.Helper()
	require.Program(t, "gcc")
	file := filepath.Join(t.TempDir(), footer.File)
	mustRun(t, "go", "run", "./build", "-o", file)
	return file
}

// TestExtension runs check.py: sums, types, groups, windows, refusals, and the
// digests of lastbit sum.
func TestExtension(t *testing.T) {
	python := pyenv.Python(t)
	command := filepath.Join(t.TempDir(), "lastbit")
	mustRun(t, "go", "build", "-o", command, "../../cmd/lastbit")
	out := mustRun(t, python, "check.py", built(t), command, t.TempDir())
	if !strings.HasSuffix(out, "held\n") {
		t.Error(out)
	}
}

// TestPython loads the extension by the Python package, and without leave.
func TestPython(t *testing.T) {
	python := pyenv.Python(t)
	env := []string{"PYTHONPATH=../../python", "LASTBIT_DUCKDB=" + built(t)}
	const examples = "import doctest, lastbit.duckdb as d, sys; r = doctest.testmod(d); " +
		"sys.exit(r.failed or not r.attempted)"
	out, err := run(t, env, python, "-c", examples)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = run(t, env, python, "-c",
		"import duckdb, lastbit.duckdb; lastbit.duckdb.load(duckdb.connect())")
	if err == nil || !strings.Contains(out, "[duckdb-unsigned]") {
		t.Errorf("a database that allows no unsigned extensions: %v\n%s", err, out)
	}
	out, err = run(t, []string{"PYTHONPATH=../../python", "LASTBIT_DUCKDB=/nowhere"}, python, "-c",
		"import lastbit.duckdb; lastbit.duckdb.path()")
	if err == nil || !strings.Contains(out, "[duckdb-extension]") {
		t.Errorf("without the extension: %v\n%s", err, out)
	}
}

// TestVersion asks for an API that no DuckDB has: it refuses, and names it.
func TestVersion(t *testing.T) {
	python := pyenv.Python(t)
	file := built(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := len(b) - 512 // the footer
	changed := strings.Replace(string(b[at:]), footer.APIVersion, "v9.9.9", 1)
	if changed == string(b[at:]) {
		t.Fatal("the footer lacks the version of the API")
	}
	if err := os.WriteFile(file, append(b[:at], changed...), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, nil, python, "-c", "import duckdb, sys; duckdb.connect(config="+
		"{'allow_unsigned_extensions': 'true'}).execute(f\"LOAD '{sys.argv[1]}'\")", file)
	if err == nil || !strings.Contains(out, "v9.9.9") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSlots compares the places of functions in capi.h with the names that
// DuckDB's library has at these addresses.
func TestSlots(t *testing.T) {
	python := pyenv.Python(t)
	gcc := require.Program(t, "gcc")
	dir := t.TempDir()
	code, library := filepath.Join(dir, "slots.c"), filepath.Join(dir, "slots.so")
	file, names := filepath.Join(dir, "slots.duckdb_extension"), filepath.Join(dir, "names")
	source := fmt.Sprintf(slotsProgram, names)
	if err := os.WriteFile(code, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, gcc, "-shared", "-fPIC", "-I", ".", "-o", library, code)
	b, err := os.ReadFile(library)
	if err == nil {
		b, err = footer.Append(b, runtime.GOOS, runtime.GOARCH)
	}
	if err == nil {
		err = os.WriteFile(file, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, python, "-c", "import duckdb, sys; duckdb.connect(config="+
		"{'allow_unsigned_extensions': 'true'}).execute(f\"LOAD '{sys.argv[1]}'\")", file)
	found, err := os.ReadFile(names)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(found)), "\n")
	if len(lines) < 30 {
		t.Fatalf("only %d functions", len(lines))
	}
	pair := regexp.MustCompile(`^(\w+) duckdb_(\w+)$`)
	for _, line := range lines {
		if m := pair.FindStringSubmatch(line); m == nil || m[1] != m[2] {
			t.Errorf("a place has %q: our name, and DuckDB's", line)
		}
	}
}

// slotsProgram is an extension that writes our name and DuckDB's for each place
// of capi.h.
const slotsProgram = `
#define _GNU_SOURCE
#include "capi.h"
#include <dlfcn.h>
#include <stdio.h>

bool slots_init_c_api(handle info, struct duckdb_extension_access *access) {
	void *const *api = access->get_api(info, LB_API_VERSION);
	FILE *f = fopen("%s", "w");
	if (!api || !f)
		return false;
	Dl_info d;
#define SHOW(place, result, name, parameters) \
	fprintf(f, #name " %%s\n", dladdr(api[place], &d) && d.dli_sname ? d.dli_sname : "?");
	FUNCTIONS(SHOW)
	return !fclose(f);
}
`
