package preload

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// linux ends a test of the loader elsewhere.
func linux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the dynamic loader of Linux is elsewhere")
	}
}

// wantFault checks the heading and the cause of an error.
func wantFault(t *testing.T, err error, id, cause string) {
	t.Helper()
	var f *probe.Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is not a fault", err)
	}
	if f.ID != id || !strings.Contains(f.Cause, cause) || f.Cure == "" {
		t.Errorf("fault %q, cause %q, cure %q; want %q, %q", f.ID, f.Cause, f.Cure, id, cause)
	}
}

// compile compiles C with a compiler's flags, or ends the test.
func compile(t *testing.T, code string, flags ...string) string {
	t.Helper()
	gcc := require.Program(t, "gcc")
	dir := t.TempDir()
	source, out := filepath.Join(dir, "a.c"), filepath.Join(dir, "out")
	if err := os.WriteFile(source, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-o", out, source}, flags...)
	if talk, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, talk)
	}
	return out
}

func TestLibraryRefuses(t *testing.T) {
	linux(t)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := compile(t, "int f(void) { return 1; }", "-shared", "-fPIC")
	old := compile(t, "int lastbit_blas_interface = 1; void cblas_ddot(void) {}",
		"-shared", "-fPIC")
	blank := filepath.Join(t.TempDir(), "a library.so")
	if err := os.Link(other, blank); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, cause string }{
		{filepath.Join(t.TempDir(), "none.so"), "cannot be read"},
		{blank, "its path has a blank"},
		{text, "not a shared library"},
		{other, "it is not liblastbit_blas.so"},
		{old, "the symbol dgesv_ is missing"},
	} {
		_, err := Library(c.path)
		wantFault(t, err, "run-library", c.cause)
	}
	t.Setenv(Variable, text)
	_, err := Library("")
	wantFault(t, err, "run-library", "not a shared library")
	t.Setenv(Variable, "")
	_, err = Library("")
	wantFault(t, err, "run-library", "it is not in ")
}

func TestProgramRefuses(t *testing.T) {
	linux(t)
	code := "int main(void) { return 0; }"
	static := compile(t, code, "-static")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!"+static+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	setuid := compile(t, code)
	if err := os.Chmod(setuid, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, cause string }{
		{"lastbit-no-such-program", "not a program on PATH"},
		{"./lastbit-no-such-program", "it is not a program"},
		{plain, "no permission to be run"},
		{static, "statically linked"},
		{script, "statically linked"},
		{setuid, "changes its user"},
		{text, "neither a program nor a script"},
	} {
		_, err := Program(c.path)
		wantFault(t, err, "run-program", c.cause)
	}
	if _, err := Program(compile(t, code)); err != nil {
		t.Error(err)
	}
}

// TestRunExits returns the exit codes of programs, and an empty report where
// nothing was replaced.
func TestRunExits(t *testing.T) {
	linux(t)
	empty := compile(t, "int f(void) { return 1; }", "-shared", "-fPIC")
	for _, c := range []struct {
		script string
		code   int
	}{
		{"exit 0", 0},
		{"exit 3", 3},
		{"kill -TERM $$", 128 + 15},
	} {
		var out bytes.Buffer
		args := []string{"sh", "-c", "echo out; " + c.script}
		code, r, err := Run(t.Context(), empty, args, nil, &out, &out)
		if err != nil {
			t.Fatal(err)
		}
		if code != c.code || r.Calls != 0 || out.String() != "out\n" {
			t.Errorf("%s: exit code %d, %d calls, output %q", c.script, code, r.Calls, out.String())
		}
	}
}

func TestReport(t *testing.T) {
	lines := `used	0	-
ended	0	/lib/liblapack.so.3
used	0	-
used	0	-
ours	scipy_dgesv_64_	/np/_umath_linalg.so
kept	scipy_zgesdd_64_	/np/_umath_linalg.so
kept	scipy_cgesdd_64_	/np/_umath_linalg.so
kept	scipy_dgelsd_64_	/np/_umath_linalg.so
ours	scipy_dgesv_64_	/np/_umath_linalg.so
reference	dgelsd_	/other.so
used	0	-
ended	0	/lib/liblapack.so.3
called	dsyevr_	reference
called	dlangb_	kept
called	dsyevr_	reference
`
	got, err := readReport(strings.NewReader("\x00\x00" + lines))
	if err != nil {
		t.Fatal(err)
	}
	want := &Report{
		Used: true, Unlisted: 2, Reference: "/lib/liblapack.so.3",
		Objects: []Object{
			{
				"/np/_umath_linalg.so", []string{"scipy_dgesv_64_"}, []string{},
				[]string{"scipy_cgesdd_64_", "scipy_dgelsd_64_", "scipy_zgesdd_64_"},
			},
			{"/other.so", []string{}, []string{"dgelsd_"}, []string{}},
		},
		Kept: []Kept{
			{"svd, pinv, matrix_rank, cond", []string{"complex64", "complex128"}},
			{"lstsq", []string{"float64"}},
		},
		Called: []Called{
			{"dlangb", false, []string{}}, {"dsyevr", true, []string{"eigh", "pinvh"}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
