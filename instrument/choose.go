package instrument

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A choice holds the packages of a program, and the packages that are
// rewritten. The main module comes first, then other modules, then the standard
// library.
type choice struct {
	all, rewritten []*packages.Package
	omitted        []Omission
	unreached      []string // patterns of packages that are not the program's
}

// numeric has the packages of the standard library that compute numbers of a
// program. Package math is called with its results rounded, package sort rounds
// nothing, and math/big rounds by itself (see omitBigFloats). The others read,
// print and measure.
var numeric = map[string]bool{
	"expvar": true, complexPath: true, "math/rand": true, "math/rand/v2": true,
}

// complexPath is the package that is rewritten with any choice of packages: its
// functions are the program's operations, as the functions of package math are,
// and their formulas show their errors.
const complexPath = "math/cmplx"

// The ranks of packages, in their order.
const (
	ownRank = iota
	moduleRank
	standardRank
)

// choose chooses the packages that are rewritten, except some that do not
// compile so.
func (b *build) choose(
	ctx context.Context, roots []*packages.Package, except []string,
) (*choice, error) {
	c := new(choice)
	packages.Visit(roots, nil, func(p *packages.Package) {
		if !strings.HasSuffix(p.ID, ".test") && len(p.GoFiles) > 0 { // made by the go command
			c.all = append(c.all, p)
		}
	})
	c.all = withoutCopies(c.all)
	rank := make(map[*packages.Package]int)
	for _, p := range c.all {
		rank[p] = b.rank(p, roots)
	}
	slices.SortStableFunc(c.all, func(x, y *packages.Package) int {
		return cmp.Compare(rank[x], rank[y])
	})
	chosen, err := c.matching(ctx, b, rank)
	if err != nil {
		return nil, err
	}
	near := make(map[string]bool) // packages that packages of modules import
	for _, p := range c.all {
		for path := range p.Imports {
			near[path] = near[path] || rank[p] != standardRank
		}
	}
	for _, p := range c.all {
		isChosen := len(b.options.Also) == 0 || chosen[p.PkgPath] || p.PkgPath == complexPath
		switch {
		case rank[p] == standardRank && (!numeric[p.PkgPath] || !near[p.PkgPath]):
		case rank[p] != ownRank && !isChosen:
			c.leaveOut(p, Chosen)
		case slices.Contains(except, p.PkgPath):
			c.leaveOut(p, Failed)
		default:
			c.rewritten = append(c.rewritten, p)
		}
	}
	return c, ctx.Err()
}

// rank returns the rank of a package.
func (b *build) rank(p *packages.Package, roots []*packages.Package) int {
	standard := filepath.Join(b.env.GOROOT, "src") + string(filepath.Separator)
	switch {
	case p.Module != nil && p.Module.Main, p.Module == nil && slices.Contains(roots, p):
		return ownRank
	case p.Module == nil && strings.HasPrefix(p.GoFiles[0], standard):
		return standardRank
	}
	return moduleRank
}

// leaveOut notes a package that is not rewritten, if it has operations.
func (c *choice) leaveOut(p *packages.Package, why string) {
	n := 0
	for i, f := range p.Syntax {
		src, err := os.ReadFile(p.CompiledGoFiles[i])
		if err != nil {
			continue
		}
		r := &rewriter{pkg: p, src: src, file: p.Fset.File(f.FileStart)}
		r.rewrite(f)
		for _, s := range r.sites {
			if !s.Kind.IsObserved() {
				n++
			}
		}
	}
	if n > 0 {
		c.omitted = append(c.omitted, Omission{
			Package: p.PkgPath, Why: why, Reached: true, Operations: n,
		})
	}
}

// matching returns the packages that the patterns of the options match. Each
// has to match one, of the program or another.
func (c *choice) matching(
	ctx context.Context, b *build, rank map[*packages.Package]int,
) (map[string]bool, error) {
	chosen := make(map[string]bool)
	for _, pattern := range b.options.Also {
		matches, err := b.matcher(pattern)
		if err != nil {
			return nil, err
		}
		found, isStandard := false, false
		for _, p := range c.all {
			if !matches(p) {
				continue
			}
			if rank[p] == standardRank && !numeric[p.PkgPath] {
				isStandard = true
				continue
			}
			found = true
			chosen[p.PkgPath] = true
		}
		switch {
		case isStandard && !found:
			return nil, &AlsoError{pattern, errors.New("it belongs to the standard library: " +
				"only its packages that compute are rewritten, such as math/rand")}
		case !found:
			if err := b.findElsewhere(ctx, pattern); err != nil {
				return nil, err
			}
			c.unreached = append(c.unreached, pattern)
		}
	}
	return chosen, nil
}

// findElsewhere returns an error if the go command finds no package for a
// pattern either.
func (b *build) findElsewhere(ctx context.Context, pattern string) error {
	config := &packages.Config{
		Context: ctx, Dir: b.options.Dir, BuildFlags: tagFlags(b.options.Tags),
		Mode: packages.NeedName | packages.NeedFiles,
	}
	pkgs, err := packages.Load(config, pattern)
	if err == nil && len(pkgs) == 0 {
		err = errors.New("it matches no package")
	}
	for _, p := range pkgs {
		if err == nil && len(p.Errors) > 0 {
			err = withoutPlace(p.Errors[0])
		}
	}
	if err != nil {
		return &AlsoError{pattern, err}
	}
	return nil
}

// matcher returns a test of whether a package matches a pattern of the go
// command.
func (b *build) matcher(pattern string) (func(*packages.Package) bool, error) {
	if pattern == "all" {
		return func(*packages.Package) bool { return true }, nil
	}
	isPath := filepath.IsAbs(pattern)
	for _, p := range []string{".", ".."} {
		isPath = isPath || pattern == p || strings.HasPrefix(pattern, p+"/")
	}
	if !isPath {
		matches := wildcard(pattern)
		return func(p *packages.Package) bool { return matches(p.PkgPath) }, nil
	}
	path, err := filepath.Abs(filepath.Join(b.options.Dir, pattern))
	if filepath.IsAbs(pattern) {
		path, err = filepath.Clean(pattern), nil
	}
	if err != nil {
		return nil, err
	}
	folder, _, _ := strings.Cut(path, "...")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) && folder == path {
		return nil, &AlsoError{pattern, errors.New("directory not found")}
	}
	matches, linked := wildcard(filepath.ToSlash(path)), func(string) bool { return false }
	if real, err := filepath.EvalSymlinks(path); err == nil {
		linked = wildcard(filepath.ToSlash(real))
	}
	return func(p *packages.Package) bool {
		at := filepath.ToSlash(filepath.Dir(p.GoFiles[0]))
		return matches(at) || linked(at)
	}, nil
}

// wildcard returns a test of whether a path matches a pattern, where ... stands
// for any text, and x/... for x, too.
func wildcard(pattern string) func(string) bool {
	text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if before, ok := strings.CutSuffix(text, "/.*"); ok {
		text = before + "(/.*)?"
	}
	return regexp.MustCompile("^" + text + "$").MatchString
}

// A AlsoError reports that packages of Options.Also cannot be rewritten.
type AlsoError struct {
	Package string // or a pattern
	Err     error
}

func (e *AlsoError) Error() string {
	return fmt.Sprintf("instrument: %s: %v", e.Package, e.Err)
}

func (e *AlsoError) Unwrap() error { return e.Err }
