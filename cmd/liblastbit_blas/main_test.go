//go:build linux && cgo

package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// programs are lastbit and its library, built for the tests.
type programs struct{ lastbit, library string }

var folder string // of the programs

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "liblastbit"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build builds lastbit and the library side by side, once.
func build(t *testing.T) programs {
	t.Helper()
	require.Program(t, "gcc")
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return places()
}

func places() programs {
	return programs{
		filepath.Join(folder, "lastbit"), filepath.Join(folder, "liblastbit_blas.so"),
	}
}

var built = sync.OnceValue(func() error {
	p := places()
	for _, args := range [][]string{
		{"build", "-o", p.lastbit, "../lastbit"},
		{"build", "-buildmode=c-shared", "-o", p.library, "."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
		if args[len(args)-1] == "../lastbit" {
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
})

// compile compiles a program of testdata against a library.
func compile(t *testing.T, source, library string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("gcc", "-Wall", "-o", path, filepath.Join("testdata", source), library,
		"-lm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return path
}

// run runs a command and returns its two outputs.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s\n%s", env, strings.Join(args, " "), err, out.String(),
			talk.String())
	}
	return out.String(), talk.String()
}
