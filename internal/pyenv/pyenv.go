package pyenv

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

//go:embed requirements.txt
var requirements []byte

// interpreter is the path of the interpreter within an environment.
var interpreter = filepath.Join("bin", "python3")

// hashDigits is the number of digits of the hash in a folder's name.
const hashDigits = 12

// Dir returns the folder of the environment, which need not exist.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(requirements))
	return filepath.Join(cache, "lastbit", "python-"+hash[:hashDigits]), nil
}

// Python returns the interpreter of the environment, or ends the test by
// require.Missing.
func Python(t testing.TB) string {
	t.Helper()
	dir, err := Dir()
	if err == nil {
		python := filepath.Join(dir, interpreter)
		if _, err = os.Stat(python); err == nil {
			return python
		}
	}
	require.Missing(t, "a Python with current libraries ("+err.Error()+")")
	return ""
}

// Create makes the environment with an interpreter, unless it exists, and
// returns its folder. Pip reports its progress on log. The environment grows
// under a temporary name beside its own, and is renamed when it is complete:
// one that was interrupted is never taken for whole, and of several that are
// made at the same time, one stays.
func Create(ctx context.Context, python string, log io.Writer) (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	if exists(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	if err := removeAbandoned(dir); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+temporary)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := install(ctx, python, temp, log); err != nil {
		return "", err
	}
	if err := os.Rename(temp, dir); err != nil && !exists(dir) {
		return "", err
	}
	return dir, nil
}

// exists reports whether a folder holds an environment.
func exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, interpreter))
	return err == nil
}

// install makes an environment in an empty folder.
func install(ctx context.Context, python, dir string, log io.Writer) error {
	list := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(list, requirements, 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{python, "-m", "venv", dir},
		{filepath.Join(dir, interpreter), "-m", "pip", "install", "--progress-bar", "off",
			"-r", list},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// temporary is in the name of an environment that is being made.
const temporary = ".part-"

// abandoned is the age from which an environment that is being made is one that
// was interrupted.
const abandoned = 24 * time.Hour

// removeAbandoned removes the environments whose making was interrupted.
func removeAbandoned(dir string) error {
	parts, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "python-*"+temporary+"*"))
	if err != nil {
		return err
	}
	for _, part := range parts {
		info, err := os.Stat(part)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another has removed it, or renamed it
		}
		if err != nil {
			return err
		}
		if time.Since(info.ModTime()) > abandoned {
			if err := os.RemoveAll(part); err != nil {
				return err
			}
		}
	}
	return nil
}
