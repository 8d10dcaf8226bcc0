//go:build linux

package wheel

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/version"
)

// source is the root of the module.
const source = "../.."

// TestInstalled installs the wheel of this platform into an empty environment,
// and uses it there.
func TestInstalled(t *testing.T) {
	require.Program(t, "gcc")
	python := pyenv.Python(t)
	// Plain builds share their cache with other tests.
	b := &Builder{Source: source, Out: t.TempDir(), Log: os.Stderr}
	wheel, err := b.Build(t.Context(), Platform{OS: runtime.GOOS, Arch: runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	checkArchive(t, wheel)
	venv := filepath.Join(t.TempDir(), "venv")
	run(t, nil, python, "-m", "venv", "--without-pip", venv)
	own := filepath.Join(venv, "bin", "python")
	run(t, nil, python, "-m", "pip", "--python", own, "install", "--no-index", "--no-deps",
		"--quiet", wheel)

	command := filepath.Join(venv, "bin", "lastbit")
	if out := run(t, nil, command, "version"); !strings.Contains(out, version.Number) {
		t.Errorf("lastbit version prints %q", out)
	}
	if out := run(t, nil, command, "audit", "-n", "20"); !strings.Contains(out, "go:naive") {
		t.Errorf("lastbit audit prints %q", out)
	}
	run(t, nil, own, "-B", "-m", "unittest", "discover", "-s", absolute(t, "python/tests"),
		"-p", "test_docs.py")
	checkNumPy(t, python, venv)
}

// checkNumPy runs the command by another Python, whose NumPy it examines.
func checkNumPy(t *testing.T, python, venv string) {
	t.Helper()
	packages, err := filepath.Glob(filepath.Join(venv, "lib", "python*", "site-packages"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("the environment has the folders %q, %v", packages, err)
	}
	out := run(t, []string{"PYTHONPATH=" + packages[0]}, python, "-m", "lastbit", "reveal",
		"py:numpy.sum", "-n", "20", "--json")
	var finding struct{ Key struct{ Runtime string } }
	if err := json.Unmarshal([]byte(out), &finding); err != nil {
		t.Fatal(err)
	}
	if got := finding.Key.Runtime; !strings.HasPrefix(got, python+" ") {
		t.Errorf("the interpreter is %q, want %s", got, python)
	}
}

// run runs a command without any variable of lastbit's, and returns its output.
func run(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "LASTBIT_") && !strings.HasPrefix(v, "PYTHON") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// checkArchive checks the names, the modes and the record of a wheel.
func checkArchive(t *testing.T, path string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	c := content{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		c[f.Name] = file{b, f.Mode()&0o111 != 0}
	}
	const record = info + "/RECORD"
	got := c[record].content
	delete(c, record)
	if want := c.record(); !bytes.Equal(got, want) {
		t.Errorf("RECORD is\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"lastbit/bin/lastbit", "lastbit/lib/liblastbit.so",
		"lastbit/lib/liblastbit_blas.so", "lastbit/lib/lastbit.duckdb_extension"} {
		if !c[name].executable {
			t.Errorf("%s is missing, or not executable", name)
		}
	}
	for _, name := range []string{
		"lastbit/__init__.py", "lastbit/py.typed", info + "/METADATA", info + "/WHEEL",
		info + "/entry_points.txt", info + "/licenses/LICENSE",
	} {
		if len(c[name].content) == 0 && name != "lastbit/py.typed" || c[name].executable {
			t.Errorf("%s is missing, empty or executable", name)
		}
	}
	if tag := strings.TrimSuffix(filepath.Base(path), ".whl"); !strings.Contains(
		string(c[info+"/WHEEL"].content), tag[strings.LastIndex(tag, "-")+1:]) {
		t.Errorf("WHEEL lacks the tag of %s:\n%s", path, c[info+"/WHEEL"].content)
	}
}

// TestDeterministic writes a wheel twice.
func TestDeterministic(t *testing.T) {
	var wheels [2]bytes.Buffer
	for i := range wheels {
		c := content{}
		if err := c.addPackage(filepath.Join(source, "python", "lastbit")); err != nil {
			t.Fatal(err)
		}
		if err := c.addInfo(filepath.Join(source, "python", "README.md"),
			filepath.Join(source, "LICENSE"), []string{"any"}); err != nil {
			t.Fatal(err)
		}
		if err := c.write(&wheels[i]); err != nil {
			t.Fatal(err)
		}
	}
	if wheels[0].Len() == 0 || !bytes.Equal(wheels[0].Bytes(), wheels[1].Bytes()) {
		t.Error("two wheels of the same sources differ")
	}
}

// TestEnviron sets what changes the bytes of a build, in the environment and as
// go env -w does. The go command of a builder sees neither.
func TestEnviron(t *testing.T) {
	names := []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOWORK",
		"CGO_CFLAGS", "CGO_LDFLAGS"}
	values := func() string {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...)
		cmd.Env = Environ()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	for _, name := range append(names, "GOENV") {
		t.Setenv(name, "")
	}
	want := values()
	settings := "GOOS=plan9\nGOARCH=386\nGOAMD64=v3\nGOARM64=v9.0\nGOFLAGS=-tags=purego\n" +
		"GOWORK=/elsewhere/go.work\nCGO_CFLAGS=-O3\nCGO_LDFLAGS=-g3\n"
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", file)
	if got := values(); got != want {
		t.Errorf("with settings of go env -w, %v are\n%s\nand not\n%s", names, got, want)
	}
	for line := range strings.Lines(settings) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		t.Setenv(name, value)
	}
	if got := values(); got != want {
		t.Errorf("with variables, %v are\n%s\nand not\n%s", names, got, want)
	}
}

// TestVersion compares the version of the Python package with lastbit's.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(source, "python", "lastbit", "__init__.py"))
	if err != nil {
		t.Fatal(err)
	}
	line := "\n__version__ = \"" + version.Number + "\"\n"
	if !strings.Contains(string(text), line) {
		t.Errorf("lastbit/__init__.py lacks the line%s", line)
	}
}

// TestGlibc compiles a library that needs a symbol of glibc 2.34 or newer, or
// of an older one.
func TestGlibc(t *testing.T) {
	require.Program(t, "gcc")
	for _, c := range []struct {
		symbol string
		minor  int
	}{
		{"memcpy@GLIBC_2.2.5", 2},
		{"memcpy@GLIBC_2.14", 14},
	} {
		if runtime.GOARCH != "amd64" {
			t.Skip("the symbols are amd64's")
		}
		dir := t.TempDir()
		code := filepath.Join(dir, "code.c")
		text := "#include <string.h>\n__asm__(\".symver memcpy," + c.symbol + "\");\n" +
			"void *copy(void *a, void *b, long n) { return memcpy(a, b, n); }\n"
		if err := os.WriteFile(code, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		library := filepath.Join(dir, "code.so")
		run(t, nil, "gcc", "-shared", "-fPIC", "-O0", "-fno-builtin", "-nostartfiles",
			"-o", library, code)
		minor, err := newestGlibc(library)
		if err != nil || minor != c.minor {
			t.Errorf("%s: glibc 2.%d, %v", c.symbol, minor, err)
		}
	}
}

// TestSource builds a source distribution twice. Without Go, installing it ends
// in a message; with Go it installs.
func TestSource(t *testing.T) {
	git := require.Program(t, "git")
	if exec.CommandContext(t.Context(), git, "-C", source, "rev-parse").Run() != nil {
		require.Missing(t, "a checkout of lastbit")
	}
	python := pyenv.Python(t)
	var archives [2][]byte
	var path string
	for i := range archives {
		dir := t.TempDir()
		name := strings.TrimSpace(run(t, []string{"PYTHONPATH=" + absolute(t, "python")}, python,
			"-B", "-c", "import _build, sys; print(_build.build_sdist(sys.argv[1]))", dir))
		path = filepath.Join(dir, name)
		var err error
		if archives[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("two source distributions differ")
	}
	venv := filepath.Join(t.TempDir(), "venv")
	run(t, nil, python, "-m", "venv", "--without-pip", venv)
	install := []string{"-m", "pip", "--python", filepath.Join(venv, "bin", "python"), "install",
		"--no-index", "--no-deps", "--no-build-isolation", path}
	cmd := exec.CommandContext(t.Context(), python, install...)
	cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "needs Go 1.26") {
		t.Errorf("without Go: %v\n%s", err, out)
	}
	if os.Getenv("LASTBIT_WHEELS") != "all" {
		return
	}
	run(t, nil, append([]string{python}, install...)...)
	run(t, nil, filepath.Join(venv, "bin", "lastbit"), "version")
}

// absolute returns the absolute path of a folder of the module.
func absolute(t *testing.T, dir string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(source, dir))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestZig builds the wheels of Linux with Zig. Each needs glibc 2.17 or older,
// or none.
func TestZig(t *testing.T) {
	if os.Getenv("LASTBIT_WHEELS") != "all" {
		t.Skip("LASTBIT_WHEELS=all builds the wheels of Linux: minutes")
	}
	zig := FindZig(t.Context())
	if zig == "" {
		require.Missing(t, "zig, or Python's package ziglang")
	}
	var log bytes.Buffer
	b := &Builder{Source: source, Out: t.TempDir(), Zig: zig, Flags: Reproducible(), Log: &log}
	for _, p := range Platforms() {
		if p.OS != "linux" {
			continue
		}
		path, err := b.Build(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		if !strings.Contains(name, "manylinux_2_17_") && !p.Static || log.Len() > 0 {
			t.Errorf("%v: the wheel is %s\n%s", p, name, log.Bytes())
		}
	}
}

// TestTags checks the names of platforms.
func TestTags(t *testing.T) {
	for _, c := range []struct {
		p     Platform
		minor int
		want  string
	}{
		{Platform{OS: "linux", Arch: "amd64"}, 0, "manylinux_2_17_x86_64.manylinux2014_x86_64"},
		{Platform{OS: "linux", Arch: "arm64"}, 17, "manylinux_2_17_aarch64.manylinux2014_aarch64"},
		{Platform{OS: "linux", Arch: "arm64"}, 34, "manylinux_2_34_aarch64"},
		{Platform{OS: "linux", Arch: "arm64", Static: true}, 0, "musllinux_1_1_aarch64"},
		{Platform{OS: "darwin", Arch: "amd64"}, 0, "macosx_12_0_x86_64"},
		{Platform{OS: "darwin", Arch: "arm64"}, 0, "macosx_12_0_arm64"},
		{Platform{OS: "windows", Arch: "amd64"}, 0, "win_amd64"},
		{Platform{OS: "windows", Arch: "arm64"}, 0, "win_arm64"},
	} {
		if got := strings.Join(c.p.tags(c.minor), "."); got != c.want {
			t.Errorf("%v: %s, want %s", c.p, got, c.want)
		}
	}
}
