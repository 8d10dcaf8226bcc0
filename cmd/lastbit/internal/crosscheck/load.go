package crosscheck

import (
	"bytes"
	"context"
	"errors"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/internal/overlay"
	"github.com/lastbit/lastbit/vet/fused"
)

// A LoadError is a package that cannot be read or does not compile.
type LoadError struct{ Package, Cause string }

func (e *LoadError) Error() string { return "crosscheck: " + e.Package + ": " + e.Cause }

// sources holds packages with their tests, as a platform compiles them.
type sources struct {
	pkgs    []*packages.Package
	inlined map[string]bool // the places of functions that the compiler inlines
}

// load reads packages for a platform, and their tests.
func (o *Options) load(
	ctx context.Context, p platform, tests bool, patterns ...string,
) (*sources, error) {
	config := packages.Config{
		Context: ctx, Dir: o.Dir, Tests: tests, Env: p.environment(ctx), BuildFlags: o.tagFlags(),
		Mode: packages.LoadSyntax | packages.NeedForTest | //nolint:staticcheck // export data
			packages.NeedModule,
	}
	pkgs, err := overlay.Load(config, nil, patterns...)
	if err != nil {
		return nil, &LoadError{strings.Join(patterns, " "), err.Error()}
	}
	for _, q := range pkgs {
		if len(q.Errors) > 0 {
			return nil, &LoadError{q.ID, q.Errors[0].Msg}
		}
	}
	// Of files that are compiled with the tests and without, the former come
	// first, as they know all uses.
	slices.SortStableFunc(pkgs, func(a, b *packages.Package) int {
		return len(b.CompiledGoFiles) - len(a.CompiledGoFiles)
	})
	return &sources{pkgs: pkgs}, nil
}

// paths returns the import paths of the packages, sorted, without packages of
// tests.
func (s *sources) paths() []string {
	var all []string
	for _, p := range s.pkgs {
		if p.ForTest == "" && !strings.HasSuffix(p.ID, ".test") {
			all = append(all, p.PkgPath)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// folder returns the folder of a package.
func (s *sources) folder(path string) string {
	for _, p := range s.pkgs {
		if strings.TrimSuffix(p.PkgPath, "_test") == path && len(p.GoFiles) > 0 &&
			!strings.HasSuffix(p.ID, ".test") {
			return filepath.Dir(p.GoFiles[0])
		}
	}
	return ""
}

// hasTests reports whether a package has tests.
func (s *sources) hasTests(path string) bool {
	return slices.ContainsFunc(s.pkgs, func(p *packages.Package) bool {
		return p.ID == path+".test"
	})
}

// canInline matches the compiler's line about a function that it inlines.
var canInline = regexp.MustCompile(`^(.+):(\d+):(\d+): can inline `)

// findInlined asks the compiler which functions of packages it inlines.
func (o *Options) findInlined(
	ctx context.Context, p platform, paths []string,
) (map[string]bool, error) {
	args := slices.Concat([]string{"list", "-export", "-gcflags=-m"}, o.tagFlags(), []string{"--"},
		paths)
	out, err := o.goCommand(ctx, p, args...)
	if err != nil {
		return nil, err
	}
	base, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for line := range strings.Lines(out) {
		if m := canInline.FindStringSubmatch(line); m != nil {
			file := m[1]
			if !filepath.IsAbs(file) {
				file = filepath.Join(base, file)
			}
			all[file+":"+m[2]+":"+m[3]] = true
		}
	}
	return all, nil
}

// placeOf returns a position as findInlined writes it.
func placeOf(p token.Position) string {
	return p.Filename + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// A BuildError is a failed go command.
type BuildError struct {
	Target fused.Target
	Output string
}

func (e *BuildError) Error() string {
	return "crosscheck: the go command fails for " + e.Target.String() + ": " + e.Output
}

// goCommand runs the go command for a platform and returns what it prints to
// standard error, where the compiler's output is.
func (o *Options) goCommand(ctx context.Context, p platform, args ...string) (string, error) {
	cmd := o.newGo(ctx, p, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return stderr.String(), &BuildError{p.target, withoutListing(stderr.String())}
	}
	return stderr.String(), err
}

// newGo returns a go command that removes its files when the context ends.
func (o *Options) newGo(ctx context.Context, p platform, args ...string) *exec.Cmd {
	cmd := gocommand.New(ctx, o.Dir, args...)
	cmd.Env = p.environment(ctx)
	return cmd
}

// withoutListing returns the output of a compiler without the lines that it was
// asked for.
func withoutListing(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "bisect-match") && !strings.HasPrefix(line, "fmahash ") &&
			!canInline.MatchString(line) {
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return strings.Join(kept, "\n")
}

func (o *Options) tagFlags() []string {
	if len(o.Tags) == 0 {
		return nil
	}
	return []string{"-tags=" + strings.Join(o.Tags, ",")}
}
