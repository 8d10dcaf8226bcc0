package instrument

import (
	"context"
	"go/ast"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/require"
)

// TestLoadedBodies loads a program, and a package of the standard library: the
// functions of packages that are not rewritten have no bodies.
func TestLoadedBodies(t *testing.T) {
	t.Parallel()
	require.Program(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/program\n\ngo 1.24\n",
		"main.go": `package main

import (
	"fmt"
	"math/rand"
	"slices"
)

func main() { fmt.Println(rand.Float64(), slices.Max([]float64{1})) }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		pattern       string
		with, without []string
	}{
		{".", []string{"example.com/program", "math/rand"}, []string{"fmt", "slices", "sort"}},
		{"container/ring", []string{"container/ring"}, nil},
	} {
		roots, err := loadAll(context.Background(), Options{Dir: dir}, false, c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		bodies := make(map[string]int)
		packages.Visit(roots, nil, func(p *packages.Package) {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
						bodies[p.PkgPath]++
					}
				}
			}
		})
		for _, path := range c.with {
			if bodies[path] == 0 {
				t.Errorf("%s: %s has no bodies", c.pattern, path)
			}
		}
		for _, path := range c.without {
			if bodies[path] > 0 {
				t.Errorf("%s: %s has %d bodies", c.pattern, path, bodies[path])
			}
		}
	}
}
