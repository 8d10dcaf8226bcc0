package cli

import (
	"go/ast"
	"maps"
	"slices"
	"testing"
)

// unlisted are the environment variables that help leaves out, each with the
// reason.
var unlisted = map[string]string{
	"LASTBIT_WORKER":           "lastbit sets it for its own processes",
	"LASTBIT_MPI_LAUNCHER":     "lastbit sets it for its own processes",
	"LASTBIT_MPI_RANKS":        "lastbit sets it for its own processes",
	"LASTBIT_MPI_SOCKET":       "lastbit sets it for its own processes",
	"OMPI_COMM_WORLD_RANK":     "mpirun sets it",
	"OMPI_COMM_WORLD_SIZE":     "mpirun sets it",
	"PMI_RANK":                 "mpirun sets it",
	"PMI_SIZE":                 "mpirun sets it",
	"PMIX_RANK":                "mpirun sets it",
	"SLURM_PROCID":             "a batch system sets it",
	"PROCESSOR_IDENTIFIER":     "Windows sets it",
	"GODEBUG":                  "libm prints it, and it is Go's",
	"GOCACHE":                  "tests hand it on to the go command",
	"GOTMPDIR":                 "it is the go command's",
	"GLIBC_TUNABLES":           "libm prints it, and it is the C library's",
	"NPY_DISABLE_CPU_FEATURES": "libm prints it, and it is NumPy's",
	"NPY_ENABLE_CPU_FEATURES":  "libm prints it, and it is NumPy's",
	"ATEN_CPU_CAPABILITY":      "lock writes it, and it is a library's",
	"BLIS_ARCH_TYPE":           "lock writes it, and it is a library's",
	"BLIS_NUM_THREADS":         "lock writes it, and it is a library's",
	"DNNL_MAX_CPU_ISA":         "lock writes it, and it is a library's",
	"MKL_CBWR":                 "lock writes it, and it is a library's",
	"MKL_ENABLE_INSTRUCTIONS":  "lock writes it, and it is a library's",
	"MKL_NUM_THREADS":          "lock writes it, and it is a library's",
	"OMP_NUM_THREADS":          "lock writes it, and it is a library's",
	"ONEDNN_MAX_CPU_ISA":       "lock writes it, and it is a library's",
	"OPENBLAS_NUM_THREADS":     "lock writes it, and it is a library's",
	"VECLIB_MAXIMUM_THREADS":   "lock writes it, and it is a library's",
	"SOURCE_DATE_EPOCH":        "the help of the hidden verb man has it",
	"LASTBIT_PERTURB":          "lastbit digits sets it for the programs that it runs",
	"HOME":                     "portable --check hands it on to tests",
	"LANG":                     "portable --check hands it on to tests",
	"TMPDIR":                   "portable --check hands it on to tests",
	"TZ":                       "portable --check hands it on to tests",
	"USER":                     "portable --check hands it on to tests",
	"LASTBIT_CALLER":           "the Python package sets it for the command that it starts",
	"LASTBIT_RECORD":           "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_AFTER":     "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_ALONE":     "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_COUNTS":    "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_LIMIT":     "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_ONLY":      "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_SHOW":      "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_SKIP":      "portable --check sets it for the tests that it runs",
	"LASTBIT_RECORD_TOTAL":     "portable --check sets it for the tests that it runs",
	"LASTBIT_PORTABLE":         "for tests",
	"LASTBIT_REQUIRE":          "for tests",
	"LASTBIT_SEED":             "for tests",
	"LASTBIT_STRESS":           "for tests",
}

// TestEnvironmentListed compares the list of environment variables with those
// that the sources read.
func TestEnvironmentListed(t *testing.T) {
	read := variablesRead(t)
	if len(read) < 20 {
		t.Fatalf("only %d variables were found in the sources", len(read))
	}
	listed := map[string]bool{}
	for _, v := range environment {
		listed[v.name] = true
		if read[v.name] == "" && v.name != "PATH" { // os/exec reads it
			t.Errorf("help lists %s, which nothing reads", v.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(read)) {
		if !listed[name] && unlisted[name] == "" {
			t.Errorf("help does not list %s, which %s reads", name, read[name])
		}
	}
	for name := range unlisted {
		if read[name] == "" {
			t.Errorf("%s is left out of help, but nothing reads it", name)
		}
	}
}

// variablesRead returns the environment variables that the sources read, each
// with a file that does.
func variablesRead(t *testing.T) map[string]string {
	t.Helper()
	read := map[string]string{}
	eachSource(t, func(path string, f *ast.File, consts map[string]ast.Expr) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !readsEnvironment(call) {
				return true
			}
			names := variableNames(f, call, consts)
			if len(names) == 0 {
				t.Errorf("%s: which environment variable is read?", path)
			}
			for _, name := range names {
				read[name] = path
			}
			return true
		})
	})
	return read
}

// readsEnvironment reports whether a call is one of os.Getenv, os.LookupEnv, or
// a function getenv in their place.
func readsEnvironment(call *ast.CallExpr) bool {
	switch lastName(call.Fun) {
	case "Getenv", "LookupEnv", "getenv":
		return true
	}
	return false
}

// variableNames returns the names that the argument of a call may have: the
// value of a constant, or the strings of the list that a loop around the call
// goes through.
func variableNames(f *ast.File, call *ast.CallExpr, consts map[string]ast.Expr) []string {
	if name, ok := stringValue(call.Args[0], consts); ok {
		return []string{name}
	}
	variable, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return nil
	}
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value == nil || call.Pos() < loop.Pos() || call.End() > loop.End() {
			return true
		}
		if lastName(loop.Value) == variable.Name {
			names = append(names, stringsOf(f, loop.X)...)
		}
		return true
	})
	return names
}

// stringsOf returns the strings of a list, which may be the value of a variable
// in the file.
func stringsOf(f *ast.File, e ast.Expr) []string {
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, isSpec := n.(*ast.ValueSpec)
			if isSpec && len(spec.Values) == 1 && spec.Names[0].Name == lastName(e) {
				list, ok = spec.Values[0].(*ast.CompositeLit)
			}
			return !ok
		})
	}
	if !ok {
		return nil
	}
	var all []string
	for _, e := range list.Elts {
		if s, ok := stringValue(e, nil); ok {
			all = append(all, s)
		}
	}
	return all
}
