package python

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/process"
)

// candidates returns the interpreters of this machine, each once, in the order
// of preference: in an active virtual environment, on PATH, in the system's
// folders, and in pyenv's.
func candidates() []string {
	var dirs []string
	for _, root := range []string{os.Getenv("VIRTUAL_ENV"), os.Getenv("CONDA_PREFIX")} {
		if root != "" {
			dirs = append(dirs, filepath.Join(root, "bin"), root, filepath.Join(root, "Scripts"))
		}
	}
	dirs = append(dirs, filepath.SplitList(os.Getenv("PATH"))...)
	if runtime.GOOS != "windows" {
		dirs = append(dirs, "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
	}
	dirs = append(dirs, pyenvFolders()...)
	seen := make(map[string]bool)
	var found []string
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue // programs in the working directory must not run by surprise
		}
		// /bin may be /usr/bin by another name; a virtual environment's
		// interpreter is a link too, but its place makes it different.
		if real, err := filepath.EvalSymlinks(dir); err == nil && !seen[real] {
			seen[real] = true
			if p := interpreter(dir); p != "" {
				found = append(found, p)
			}
		}
	}
	return found
}

// pyenvFolders returns the folders of the interpreters that pyenv has
// installed, the newest first.
func pyenvFolders() []string {
	root := os.Getenv("PYENV_ROOT")
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		root = filepath.Join(home, ".pyenv")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "versions", "3.*", "bin"))
	if err != nil {
		return nil
	}
	slices.SortFunc(dirs, func(a, b string) int { return natural(b, a) })
	return dirs
}

// natural compares strings, runs of digits in them as numbers: 3.9 < 3.12.
func natural(a, b string) int {
	digits := func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		switch {
		case da != "" && db != "":
			if len(da) != len(db) {
				return len(da) - len(db)
			}
			if da != db {
				return strings.Compare(da, db)
			}
			a, b = a[len(da):], b[len(db):]
		case a[0] != b[0]:
			return int(a[0]) - int(b[0])
		default:
			a, b = a[1:], b[1:]
		}
	}
	return len(a) - len(b)
}

// interpreter returns the Python 3 in a folder, "" if there is none.
func interpreter(dir string) string {
	names := []string{"python3"}
	if runtime.GOOS == "windows" {
		names = []string{"python3.exe", "python.exe"}
	}
	for _, name := range names {
		if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return p
		}
	}
	return ""
}

// survey describes an interpreter in its own words.
type survey struct {
	Executable string
	Version    string
	Modules    map[string]string // to their versions, "" if not known
}

// surveyCode prints a survey. It imports none of the modules, which would take
// seconds.
const surveyCode = `
import sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
import importlib.util, json
def version(name):
    try:
        from importlib.metadata import version
        return version(name)
    except Exception:
        return ""
modules = {m: version(m) for m in sys.argv[1:] if importlib.util.find_spec(m)}
release = "%d.%d.%d" % sys.version_info[:3]
print(json.dumps({"Executable": sys.executable, "Version": release, "Modules": modules}))
`

// surveyTime bounds the time of a survey. One takes some 50 ms, and seconds on
// a busy machine.
const surveyTime = 25 * time.Second

// maxSurveys bounds the surveys that run at the same time.
const maxSurveys = 2

// errSilent is the error of an interpreter that does not answer in time.
var errSilent = errors.New("the interpreter did not answer")

// ask surveys one interpreter. The error is errSilent, the cause of ctx's end,
// or the exit of the interpreter.
func ask(ctx context.Context, python string, limit time.Duration) (*survey, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSilent)
	defer cancel()
	modules := slices.Sorted(maps.Keys(libraries))
	out, err := process.Output(ctx, append([]string{python, "-c", surveyCode}, modules...)...)
	if err != nil {
		return nil, err
	}
	s := new(survey)
	if err := json.Unmarshal(out, s); err != nil {
		return nil, fmt.Errorf("it is not a Python interpreter: %w", err)
	}
	return s, nil
}

// survey surveys one interpreter, and notes that it answered.
func (d *Driver) survey(ctx context.Context, python string) (*survey, error) {
	s, err := ask(ctx, python, d.surveyTime())
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.answered == nil {
			d.answered = make(map[string]bool)
		}
		d.answered[python] = true
	}
	return s, err
}

// hasAnswered reports whether an interpreter answered a survey.
func (d *Driver) hasAnswered(python string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answered[python]
}

// List returns each function with the interpreter that would run it and the
// version of its library, or the reason why none would. It starts each
// interpreter once.
func (d *Driver) List(ctx context.Context) []probe.Listing {
	pythons := d.interpreters("")
	surveys, errs := make([]*survey, len(pythons)), make([]error, len(pythons))
	free := make(chan struct{}, maxSurveys)
	var wg sync.WaitGroup
	for i, p := range pythons {
		free <- struct{}{}
		wg.Go(func() {
			surveys[i], errs[i] = d.survey(ctx, p)
			<-free
		})
	}
	wg.Wait()
	listings := make([]probe.Listing, len(functions))
	for i := range functions {
		listings[i] = d.listing(&functions[i], pythons, surveys, errs)
	}
	return listings
}

// surveyTime returns d's limit, or the default.
func (d *Driver) surveyTime() time.Duration {
	if d.limit > 0 {
		return d.limit
	}
	return surveyTime
}

// libraries maps modules to their names in print.
var libraries = map[string]string{
	"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "scipy": "SciPy", "pandas": "pandas",
	"polars": "Polars", "pyarrow": "PyArrow", "duckdb": "DuckDB",
}

// library returns the name of the library that has a function.
func (f *function) library() string {
	top, _, _ := strings.Cut(f.module, ".")
	if name, foreign := libraries[top]; foreign {
		return name
	}
	return "Python"
}

// listing describes a function on this machine.
func (d *Driver) listing(f *function, pythons []string, surveys []*survey,
	errs []error) probe.Listing {
	l := probe.Listing{
		Address: f.address(), Ops: slices.Clone(f.ops), DTypes: slices.Clone(f.dtypes),
		Library: f.library(), Mean: f.isMean(),
	}
	top, _, _ := strings.Cut(f.module, ".")
	_, foreign := libraries[top]
	var absent refusals
	for i, s := range surveys {
		if s == nil {
			absent.add(pythons[i], d.silence(errs[i]))
			continue
		}
		version, ok := s.Modules[top]
		if !foreign {
			version, ok = s.Version, true
		}
		if ok {
			l.Library = strings.TrimSpace(l.Library + " " + version)
			l.Where = s.Executable + " " + s.Version
			return l
		}
		absent.add(pythons[i], reason{before: "no module " + top + " in "})
	}
	l.Absent = "there is no python3"
	if len(pythons) > 0 {
		l.Absent = absent.String()
	}
	return l
}

// silence returns the reason for the error of a survey.
func (d *Driver) silence(err error) reason {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, errSilent):
		return reason{after: fmt.Sprintf(" did not answer within %v", d.surveyTime())}
	case errors.As(err, &exit):
		return reason{after: " died while listing its modules (" + exit.Error() + ")"}
	}
	return reason{after: ": " + err.Error()}
}
