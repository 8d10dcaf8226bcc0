package wheel

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lastbit/lastbit/internal/footer"
	"github.com/lastbit/lastbit/internal/version"
)

// A Builder builds wheels from the sources of lastbit.
type Builder struct {
	Source string    // the root of the module
	Out    string    // the folder for wheels
	Zig    string    // the command of a Zig, a C compiler for all platforms, or ""
	Flags  []string  // of go build
	Log    io.Writer // remarks
}

// Reproducible returns the flags for binaries that do not depend on the folder
// they were built in, without symbols for debuggers.
func Reproducible() []string {
	return []string{"-trimpath", "-buildvcs=false", "-ldflags=-s -w"}
}

// NewBuilder returns a builder of reproducible files from the sources in the
// working folder, with a Zig if there is one. It writes to the folder out, and
// remarks to standard error.
func NewBuilder(ctx context.Context, out string) *Builder {
	return &Builder{Source: ".", Out: out, Zig: FindZig(ctx), Flags: Reproducible(),
		Log: os.Stderr}
}

// Environ returns the environment of a go command whose output is for other
// machines: go's defaults for processors, flags and compilers, not the user's.
// An empty variable leaves what go env -w wrote in force, so GOFLAGS repeats a
// flag of Reproducible.
func Environ() []string {
	const c = "-O2 -g" // go's default for each
	return append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "GOAMD64=v1",
		"GOARM64=v8.0", "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off",
		"CGO_CPPFLAGS=", "CGO_CFLAGS="+c, "CGO_LDFLAGS="+c)
}

// FindZig returns the command of a Zig on PATH, or of the package ziglang of
// Python's, or "".
func FindZig(ctx context.Context) string {
	for _, zig := range []string{"zig", "python3 -m ziglang"} {
		words := append(strings.Fields(zig), "version")
		if exec.CommandContext(ctx, words[0], words[1:]...).Run() == nil {
			return zig
		}
	}
	return ""
}

// Build builds the wheel of a platform and returns its path.
func (b *Builder) Build(ctx context.Context, p Platform) (string, error) {
	dir, err := os.MkdirTemp("", "lastbit-wheel")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	c := content{}
	if err := c.addPackage(filepath.Join(b.Source, "python", "lastbit")); err != nil {
		return "", err
	}
	if err := b.addCommand(ctx, p, c, dir); err != nil {
		return "", err
	}
	minor, err := b.addLibraries(ctx, p, c, dir)
	if err != nil {
		return "", err
	}
	tags := p.tags(minor)
	if err := c.addInfo(filepath.Join(b.Source, "python", "README.md"),
		filepath.Join(b.Source, "LICENSE"), tags); err != nil {
		return "", err
	}
	name := "lastbit-" + version.Number + "-py3-none-" + strings.Join(tags, ".") + ".whl"
	return b.store(name, c)
}

// store writes a wheel.
func (b *Builder) store(name string, c content) (string, error) {
	if err := os.MkdirAll(b.Out, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(b.Out, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := c.write(f); err != nil {
		f.Close()
		return "", err
	}
	return path, f.Close()
}

// addCommand builds the command.
func (b *Builder) addCommand(ctx context.Context, p Platform, c content, dir string) error {
	built := filepath.Join(dir, p.Program("lastbit"))
	if err := b.BuildCommand(ctx, p, built); err != nil {
		return err
	}
	return c.addFile("lastbit/bin/"+filepath.Base(built), built, true)
}

// BuildCommand builds the command for a platform to a file.
func (b *Builder) BuildCommand(ctx context.Context, p Platform, out string) error {
	args := b.Flags
	if p.Static {
		args = append([]string{"-tags=static"}, args...)
	}
	err := b.goBuild(ctx, p, []string{"CGO_ENABLED=0"}, out, "./cmd/lastbit", args...)
	if err != nil {
		return err
	}
	if p.Static {
		if dynamic, err := isDynamic(out); err != nil || dynamic {
			return fmt.Errorf("the command for %v is not static: %v", p, err)
		}
	}
	return nil
}

// BuildLibrary builds the shared library of a package for a platform to a file.
// It reports whether there is a C compiler for it, and so a library.
func (b *Builder) BuildLibrary(ctx context.Context, p Platform, pkg, out string) (bool, error) {
	compiler := b.compiler(p)
	if p.OS != "linux" || p.Static || compiler == "" {
		return false, nil
	}
	args := append([]string{"-buildmode=c-shared"}, b.Flags...)
	env := []string{"CGO_ENABLED=1", "CC=" + compiler}
	return true, b.goBuild(ctx, p, env, out, pkg, args...)
}

// libraries are the shared libraries of a wheel: packages, and names of files.
var libraries = []struct{ pkg, file string }{
	{"./cmd/liblastbit", "liblastbit.so"},
	{"./cmd/liblastbit_blas", "liblastbit_blas.so"},
	{"./engines/duckdb", footer.File}, // to which a footer is appended
}

// addLibraries builds the libraries, if there is a compiler for the platform,
// and returns the version of glibc, 2.minor, that they need.
func (b *Builder) addLibraries(ctx context.Context, p Platform, c content, dir string) (minor int,
	err error) {
	for _, l := range libraries {
		built := filepath.Join(dir, l.file)
		has, err := b.BuildLibrary(ctx, p, l.pkg, built)
		if err != nil {
			return 0, err
		}
		if !has {
			if p.OS == "linux" && !p.Static {
				fmt.Fprintf(b.Log, "%v: no C compiler for it, so the wheel has no library\n", p)
			}
			return 0, nil
		}
		needs, err := newestGlibc(built)
		if err != nil {
			return 0, err
		}
		minor = max(minor, needs)
		if err := c.addFile("lastbit/lib/"+l.file, built, true); err != nil {
			return 0, err
		}
	}
	const name = "lastbit/lib/" + footer.File
	library := c[name]
	if library.content, err = footer.Append(library.content, p.OS, p.Arch); err != nil {
		return 0, err
	}
	c[name] = library
	if minor > oldestGlibc {
		fmt.Fprintf(b.Log, "%v: the libraries need glibc 2.%d; with Zig they would need 2.%d\n", p,
			minor, oldestGlibc)
	}
	return minor, nil
}

// compiler returns the C compiler for a platform, or "".
func (b *Builder) compiler(p Platform) string {
	if b.Zig != "" {
		return fmt.Sprintf("%s cc -target %s-linux-gnu.2.%d", b.Zig, p.machine(), oldestGlibc)
	}
	if _, err := exec.LookPath("gcc"); p.isHost() && err == nil {
		return "gcc"
	}
	return ""
}

// goBuild builds a package for a platform.
func (b *Builder) goBuild(ctx context.Context, p Platform, env []string, out, pkg string,
	args ...string) error {
	args = append(append([]string{"build", "-o", out}, args...), pkg)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.Source
	cmd.Env = append(append(Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: go %s: %w\n%s", p, strings.Join(args, " "), err, text)
	}
	return nil
}
