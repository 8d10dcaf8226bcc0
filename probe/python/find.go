package python

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// candidates returns the interpreters of this machine, each once, in the order
// in which they are tried: an active virtual environment, those on PATH, those
// of the system, those that pyenv has installed.
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
	dirs = append(dirs, pyenv()...)
	seen := make(map[string]bool)
	var found []string
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue // what lies in the working directory is not to be run by surprise
		}
		// /bin may be /usr/bin by another name; a virtual environment's
		// interpreter is a link too, but where it lies makes it another.
		if real, err := filepath.EvalSymlinks(dir); err == nil && !seen[real] {
			seen[real] = true
			if p := interpreter(dir); p != "" {
				found = append(found, p)
			}
		}
	}
	return found
}

// pyenv returns the folders of the interpreters that pyenv has installed, the
// newest first.
func pyenv() []string {
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

// survey is what an interpreter says of itself.
type survey struct {
	Executable string
	Version    string
	Modules    map[string]string // to their versions, "" if not known
}

// surveyCode prints a survey. It imports none of the modules, which takes
// seconds for some.
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
modules = {m: version(m) for m in ("numpy", "torch", "jax") if importlib.util.find_spec(m)}
print(json.dumps({"Executable": sys.executable, "Version": "%d.%d.%d" % sys.version_info[:3], "Modules": modules}))
`

// surveyTime bounds how long an interpreter may take to answer.
const surveyTime = 20 * time.Second

// ask surveys one interpreter.
func ask(ctx context.Context, python string) (*survey, error) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c", surveyCode)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	s := new(survey)
	return s, json.Unmarshal(out, s)
}

// List tells of each function which interpreter would run it and in which
// version of its library, or why none would. It starts each interpreter once.
func (d *Driver) List(ctx context.Context) []probe.Listing {
	pythons := d.interpreters("")
	surveys := make([]*survey, len(pythons))
	var wg sync.WaitGroup
	for i, p := range pythons {
		wg.Go(func() {
			if s, err := ask(ctx, p); err == nil {
				surveys[i] = s
			}
		})
	}
	wg.Wait()
	listings := make([]probe.Listing, len(functions))
	for i := range functions {
		listings[i] = functions[i].listing(pythons, surveys)
	}
	return listings
}

// libraries give the names of modules in print.
var libraries = map[string]string{"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX"}

// listing describes a function on this machine.
func (f *function) listing(pythons []string, surveys []*survey) probe.Listing {
	l := probe.Listing{Address: f.address(), Ops: slices.Clone(f.ops), DTypes: slices.Clone(f.dtypes), Library: "Python"}
	top, _, _ := strings.Cut(f.module, ".")
	name, foreign := libraries[top]
	if foreign {
		l.Library = name
	}
	for _, s := range surveys {
		if s == nil {
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
	}
	l.Absent = "there is no python3"
	if len(pythons) > 0 {
		l.Absent = fmt.Sprintf("no module %s in %s", top, strings.Join(pythons, ", "))
	}
	return l
}
