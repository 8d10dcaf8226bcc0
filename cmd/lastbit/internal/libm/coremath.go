package libm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
)

// coreMathVariable names the folder of CORE-MATH's sources.
const coreMathVariable = "LASTBIT_CORE_MATH"

// coreMathFlags are the compiler's, which the measurements are for.
var coreMathFlags = []string{"-O3", "-march=native", "-fPIC", "-shared"}

// CoreMath is the library of Zimmermann and others, compiled here.
//
// References:
//   - [Sibidanov2022] Alexei Sibidanov, Paul Zimmermann and Stéphane Glondu.
//     The CORE-MATH Project. Proceedings of the 29th IEEE Symposium on Computer
//     Arithmetic (ARITH 2022), pages 26–34, 2022.
type CoreMath struct {
	sources  string // the folder src of its repository
	compiled string // a folder for the shared libraries
}

// Missing is a function that a library lacks, with the reason.
type Missing struct {
	Function string `json:"function"`
	Why      string `json:"why"`
}

// OpenCoreMath returns CORE-MATH with its sources in a folder that has the
// layout of its repository, src/binary64/exp/exp.c and so on.
func OpenCoreMath(folder string) (*CoreMath, error) {
	sources := filepath.Join(folder, "src") + string(filepath.Separator)
	refused := func(cause, cure string, err error) error {
		return &probe.Fault{
			ID: "bad-usage", Thing: coreMathVariable + "=" + folder, Cause: cause, Cure: cure,
			Err: err,
		}
	}
	if _, err := os.Stat(filepath.Join(sources, "binary64")); err != nil {
		return nil, refused("it is not a folder with CORE-MATH's sources: it has no src/binary64",
			"name the root of CORE-MATH's repository, or unset the variable", nil)
	}
	if _, err := exec.LookPath("cc"); err != nil {
		return nil, refused("CORE-MATH cannot be compiled", "install a C compiler named cc", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, refused("there is no folder for the compiled functions", "set HOME", err)
	}
	return &CoreMath{sources, filepath.Join(cache, "lastbit", "core-math")}, nil
}

// CoreMathLibrary compiles functions of CORE-MATH, each to a shared library
// that is kept for the next time. It returns those that it could not compile,
// too.
func CoreMathLibrary[T Float](ctx context.Context, c *CoreMath,
	functions []*Function[T]) (Library[T], []Missing, error) {
	loops, missing := map[string]Loop[T]{}, []Missing{}
	for _, f := range functions {
		if f.C == "" {
			missing = append(missing, Missing{f.Name, "functions of an integer are not called"})
			continue
		}
		source := c.source(FormatOf[T](), f.C, cName(f))
		library, err := c.compile(ctx, source)
		if ctx.Err() != nil {
			return Library[T]{}, nil, ctx.Err()
		}
		if err != nil {
			missing = append(missing, Missing{f.Name, err.Error()})
			continue
		}
		lib, err := dl.Open(library)
		if err == nil {
			loops[f.Name], err = symbolLoop(lib, "cr_"+cName(f), f)
		}
		if err != nil {
			delete(loops, f.Name)
			missing = append(missing, Missing{f.Name, err.Error()})
		}
	}
	return Library[T]{
		Name: "core-math", Version: "CORE-MATH",
		Find:  func(f *Function[T]) (Loop[T], error) { return loops[f.Name], nil },
		Timed: func(f *Function[T]) bool { return dl.Loops && f.Results == 1 },
	}, missing, nil
}

// source returns the path of a function's source.
func (c *CoreMath) source(format fp.Format, function, name string) string {
	folder := "binary64"
	if format == fp.Binary32 {
		folder = "binary32"
	}
	return filepath.Join(c.sources, folder, function, name+".c")
}

// compile returns the path of the shared library of a source. Its name has a
// hash of all files in the source's folder, which it may include.
func (c *CoreMath) compile(ctx context.Context, source string) (string, error) {
	if _, err := os.Stat(source); err != nil {
		within := filepath.ToSlash(strings.TrimPrefix(source, c.sources))
		return "", errors.New("there is no src/" + within)
	}
	hash, err := hashOfFolder(filepath.Dir(source))
	if err != nil {
		return "", err
	}
	name := strings.TrimSuffix(filepath.Base(source), ".c")
	library := filepath.Join(c.compiled, fmt.Sprintf("%s-%.16s.so", name, hash))
	if _, err := os.Stat(library); err == nil {
		return library, nil
	}
	if err := os.MkdirAll(c.compiled, 0o777); err != nil {
		return "", err
	}
	// A library grows under a name of its own, and is renamed when it is
	// complete.
	part, err := os.CreateTemp(c.compiled, name+"-*.part")
	if err != nil {
		return "", err
	}
	defer os.Remove(part.Name())
	if err := part.Close(); err != nil {
		return "", err
	}
	args := append(append([]string{}, coreMathFlags...), "-o", part.Name(), source, "-lm")
	if out, err := exec.CommandContext(ctx, "cc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not compile: %s", firstError(out, err))
	}
	return library, os.Rename(part.Name(), library)
}

// hashOfFolder returns the hash of the compiler, its flags and the files of a
// folder.
func hashOfFolder(folder string) (string, error) {
	all := sha256.New()
	version, err := exec.Command("cc", "--version").Output()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(all, ThisMachine().CPU, coreMathFlags, string(version))
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintln(all, path, len(text))
		all.Write(text)
		return err
	})
	return fmt.Sprintf("%x", all.Sum(nil)), err
}

// firstError returns the first line of a compiler's output with an error, or
// else the error itself.
func firstError(out []byte, err error) string {
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	return err.Error()
}
