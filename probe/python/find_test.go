package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// fakePython makes an executable of a shell script in a folder of its own.
func fakePython(t *testing.T, script string) string {
	t.Helper()
	require.Program(t, "sh")
	path := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMissingModule(t *testing.T) {
	real := interpreterWith(t, "numpy")
	// -S leaves the folder of installed modules out.
	bare := fakePython(t, `exec "`+real+`" -S -E "$@"`)
	sum := probe.Spec{DType: fp.Binary32, N: 4}
	_, err := (&Driver{Python: bare}).Open(t.Context(), "numpy.sum", sum)
	drivertest.Fault(t, err, "module-missing", "no module numpy", bare, "LASTBIT_PYTHON")

	broken := fakePython(t, "echo it is broken >&2; exit 127\n")
	_, err = (&Driver{Python: broken}).Open(t.Context(), "numpy.sum", sum)
	drivertest.Fault(t, err, "module-missing", "it is broken", broken)

	t.Setenv("LASTBIT_PYTHON", bare)
	_, err = Open(t.Context(), "numpy.sum", sum)
	drivertest.Fault(t, err, "module-missing", bare)
	for _, l := range List(t.Context()) {
		if absent := !strings.HasPrefix(l.Library, "Python "); absent != (l.Absent != "") ||
			absent && !strings.Contains(l.Absent, bare) {
			t.Errorf("listing %+v", l)
		}
	}
	t.Setenv("LASTBIT_PYTHON", filepath.Join(t.TempDir(), "nothing"))
	_, err = Open(t.Context(), "numpy.sum", sum)
	drivertest.Fault(t, err, "module-missing", "cannot be started")
}

// TestSilentInterpreter checks that a silent interpreter is abandoned long
// before a slowly loading library would be, and that the message names the
// cause.
func TestSilentInterpreter(t *testing.T) {
	silent := fakePython(t, "sleep 1000\n")
	d := Driver{Python: silent, patience: time.Millisecond, limit: 100 * time.Millisecond}
	_, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	drivertest.Fault(t, err, "module-missing", silent+" did not answer within 100ms")
	for _, l := range d.List(t.Context()) {
		if l.Absent != silent+" did not answer within 100ms" {
			t.Errorf("listing %+v", l)
		}
	}
	if runtime.GOOS == "linux" {
		if left := workers(t); len(left) != 0 {
			t.Errorf("workers %v are left", left)
		}
	}
}

// A library that takes its time is waited for if the interpreter answers.
func TestSlowLibrary(t *testing.T) {
	real := interpreterWith(t, "numpy")
	// Only the worker knows the word; the survey does not.
	slow := fakePython(t, `case "$2" in
*b64decode*) while ! test -e "$0.asked"; do sleep 0.01; done; sleep 0.1;;
*) : > "$0.asked";;
esac
exec "`+real+`" "$@"`)
	d := Driver{Python: slow, patience: time.Millisecond, limit: time.Hour}
	target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
}

// An interpreter that has answered a survey is not asked again while a library
// takes its time.
func TestAskedOnce(t *testing.T) {
	real := interpreterWith(t, "numpy")
	slow := fakePython(t, `case "$2" in
*b64decode*) sleep 0.1;;
*) echo >> "$0.asked";;
esac
exec "`+real+`" "$@"`)
	d := Driver{Python: slow, patience: time.Millisecond, limit: time.Hour}
	d.List(t.Context())
	target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
	if asked, err := os.ReadFile(slow + ".asked"); err != nil || string(asked) != "\n" {
		t.Errorf("surveys %q, %v", asked, err)
	}
}

// An interpreter that dies when it is asked is not one that lacks a module.
func TestDeadInterpreter(t *testing.T) {
	dead, broken := fakePython(t, "kill -9 $$\n"), fakePython(t, "exit 5\n")
	for python, want := range map[string]string{dead: "signal: killed", broken: "exit status 5"} {
		d := Driver{Python: python}
		for _, l := range d.List(t.Context()) {
			if l.Absent != python+" died while listing its modules ("+want+")" {
				t.Errorf("listing %+v", l)
			}
		}
		_, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
		drivertest.Fault(t, err, "module-missing", want, "run it by hand")
	}
}

// Of several interpreters on PATH the first that has the module is taken.
func TestFirstThatHasTheModule(t *testing.T) {
	real := interpreterWith(t, "numpy")
	bare, good := fakePython(t, `exec "`+real+`" -S -E "$@"`), fakePython(t, `exec "`+real+`" "$@"`)
	t.Setenv("PATH",
		strings.Join([]string{filepath.Dir(bare), filepath.Dir(good), os.Getenv("PATH")},
			string(filepath.ListSeparator)))
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	var d Driver
	for range 2 {
		target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
		if err != nil {
			t.Fatal(err)
		}
		target.Close()
		if d.found["numpy"] != good {
			t.Errorf("taken was %q, want %q", d.found["numpy"], good)
		}
	}
	if got := candidates(); len(got) < 2 || got[0] != bare || got[1] != good {
		t.Errorf("candidates %q", got)
	}
}

// A module in the working directory is not imported.
func TestWorkingDirectoryIsNotImported(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	t.Chdir(t.TempDir())
	for _, name := range []string{"numpy.py", "ctypes.py", "mmap.py", "json.py", "zlib.py",
		"base64.py"} {
		if err := os.WriteFile(name, []byte("raise SystemExit('a trap')\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
	if l := d.List(t.Context()); l[2].Absent != "" {
		t.Errorf("listing %+v", l[2])
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 6 {
		t.Errorf("files %v, %v", left, err)
	}
}

func TestNatural(t *testing.T) {
	v := []string{"3.10.1", "3.9.18", "3.12.0", "3.12", "3.8"}
	slices.SortFunc(v, natural)
	if want := []string{"3.8", "3.9.18", "3.10.1", "3.12", "3.12.0"}; !slices.Equal(v, want) {
		t.Errorf("%q, want %q", v, want)
	}
}

// An active virtual environment comes before every other interpreter, and
// LASTBIT_PYTHON before that. The key has the one that was taken.
func TestVirtualEnvironmentComesFirst(t *testing.T) {
	python := require.Program(t, "python3")
	run := `exec "` + python + `" "$@"`
	onPath, chosen := fakePython(t, run), fakePython(t, run)
	t.Setenv("PATH", filepath.Dir(onPath)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Run(variable, func(t *testing.T) {
			for _, other := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "LASTBIT_PYTHON"} {
				t.Setenv(other, "")
			}
			root := t.TempDir()
			environment := exec.CommandContext(t.Context(), python, "-m", "venv", "--without-pip",
				root)
			if out, err := environment.CombinedOutput(); err != nil {
				require.Missing(t, "venv of Python: "+string(out))
			}
			t.Setenv(variable, root)
			active := filepath.Join(root, "bin", "python3")
			if got := candidates(); len(got) < 2 || got[0] != active || got[1] != onPath {
				t.Fatalf("candidates %q, want first %q and %q", got, active, onPath)
			}
			taken := func() string {
				target, err := Open(t.Context(), "math.fsum", probe.Spec{N: 4})
				if err != nil {
					t.Fatal(err)
				}
				defer target.Close()
				return target.Key().Runtime
			}
			if got := taken(); !strings.HasPrefix(got, active+" 3.") {
				t.Errorf("the runtime is %q, want %q", got, active)
			}
			t.Setenv("LASTBIT_PYTHON", chosen)
			if got := taken(); strings.HasPrefix(got, active) {
				t.Errorf("with LASTBIT_PYTHON the runtime is %q", got)
			}
		})
	}
}

// TestShim checks that a shim is started once, and other programs that start an
// interpreter every time.
func TestShim(t *testing.T) {
	real := interpreterWith(t, "builtins")
	for folder, want := range map[string]int{"shims": 1, "bin": 2} {
		dir := filepath.Join(t.TempDir(), folder)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		starts := filepath.Join(dir, "starts")
		script := "#!/bin/sh\necho >>'" + starts + "'\nexec '" + real + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("VIRTUAL_ENV", filepath.Dir(dir))
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		d := &Driver{}
		for range 2 {
			target, err := d.Open(t.Context(), "builtins.sum", probe.Spec{DType: fp.Binary64, N: 4})
			if err != nil {
				t.Fatal(err)
			}
			_ = target.Close()
		}
		lines, err := os.ReadFile(starts)
		if err != nil || len(lines) != want {
			t.Errorf("%s: started %d times and not %d: %v", folder, len(lines), want, err)
		}
	}
}
