package instrument

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Test is the instrumented test program of a package. All tests of a build
// share their sites.
type Test struct {
	Program
	Package string
	Dir     string // its working folder
}

// BuildTests rewrites the packages of patterns with their tests, and builds a
// program for each package that has tests, in the folder dir.
func BuildTests(ctx context.Context, o Options, patterns []string, dir string) ([]Test, error) {
	if err := checkSystem(); err != nil {
		return nil, err
	}
	pkgs, err := loadAll(ctx, o, true, patterns...)
	if err != nil {
		return nil, err
	}
	var tests []Test
	all, _, err := rewriteAndCompile(ctx, o, pkgs, dir, func(b *build) (err error) {
		tests, err = compileTests(ctx, b, pkgs, dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range tests {
		binary := tests[i].Binary
		tests[i].Program = *all
		tests[i].Binary = binary
	}
	return tests, nil
}

// compileTests builds a program for each package that has tests.
func compileTests(
	ctx context.Context, b *build, pkgs []*packages.Package, dir string,
) ([]Test, error) {
	var tests []Test
	for _, p := range pkgs {
		path, ok := strings.CutSuffix(p.ID, ".test")
		if !ok || p.Name != "main" {
			continue
		}
		t := Test{Package: path, Dir: folderOf(pkgs, path)}
		t.Binary = filepath.Join(dir, fmt.Sprintf("test%d", len(tests)), "test")
		if err := os.MkdirAll(filepath.Dir(t.Binary), 0o777); err != nil {
			return nil, err
		}
		if err := b.compile(ctx, t.Binary, []string{"test", "-c", "-vet=off"}, path); err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// folderOf returns the folder of a package that has tests.
func folderOf(pkgs []*packages.Package, path string) string {
	for _, p := range pkgs {
		if strings.TrimSuffix(p.PkgPath, "_test") == path && len(p.GoFiles) > 0 {
			return filepath.Dir(p.GoFiles[0])
		}
	}
	return ""
}

// withoutCopies returns packages by path. Of those compiled twice, with the
// files of their tests and without, the larger comes first.
func withoutCopies(pkgs []*packages.Package) []*packages.Package {
	slices.SortStableFunc(pkgs, func(a, b *packages.Package) int {
		return cmp.Or(cmp.Compare(a.PkgPath, b.PkgPath),
			cmp.Compare(len(b.CompiledGoFiles), len(a.CompiledGoFiles)))
	})
	return slices.CompactFunc(pkgs, func(a, b *packages.Package) bool {
		return a.PkgPath == b.PkgPath
	})
}
