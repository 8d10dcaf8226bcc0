// Command _lapack writes package blas/lapack from the source of
// gonum.org/v1/gonum/lapack/gonum, in the version of go.mod. It changes ten
// things:
//
//   - A product of float64 is converted to float64 before anything is added to
//     it, so that no compiler fuses the two.
//   - A quotient of complex numbers is [pair.Pair.Over], for the same reason.
//   - Hypot, Log and Pow have the bits of package crmath, the same everywhere.
//   - Max and Min are functions that compilers expand in place.
//   - Copysign and Signbit take a NaN for a positive number: the sign that an
//     operation gives to a NaN depends on the processor.
//   - The BLAS is a field of the implementation, not the global one of package
//     blas64.
//   - The norms of gonum's assembly are those of the BLAS.
//   - Innermost routines call kernels directly where the BLAS has them, and
//     rotations of planes go through memory once.
//   - Some statements take the place of others: see passages. A few of them
//     round otherwise, and say so.
//   - Comments about work to be done are gone.
//
// Usage, in the folder of the package:
//
//	go run ../../internal/_lapack [-dir DIR]
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/edit"
)

const source = "gonum.org/v1/gonum/lapack/gonum"

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", ".", "write the files to `DIR`")
	flag.Parse()
	if err := generate(*dir); err != nil {
		log.Fatal("_lapack: ", err)
	}
}

// generate writes the files of the package.
func generate(dir string) error {
	form := "{{.Dir}} {{.Module.Version}} {{.Module.Dir}}"
	out, err := exec.Command("go", "list", "-f", form, source).Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w", source, err)
	}
	fields := strings.Fields(string(out))
	if len(fields) != 3 {
		return fmt.Errorf("go list %s: %q", source, out)
	}
	p, err := load(fields[0])
	if err != nil {
		return err
	}
	for _, file := range p.files {
		name := filepath.Base(p.fset.Position(file.Pos()).Filename)
		text, err := p.rewrite(file, fields[1])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	license, err := os.ReadFile(filepath.Join(fields[2], "LICENSE"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "LICENSE"), license, 0o666)
}

// pkg is the type-checked source.
type pkg struct {
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
}

func load(dir string) (*pkg, error) {
	p := &pkg{fset: token.NewFileSet(), info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
	}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "doc.go" {
			continue
		}
		file, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
	}
	if len(p.files) == 0 {
		return nil, errors.New("no files in " + dir)
	}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "source", nil)}
	_, err = conf.Check(source, p.fset, p.files, &p.info)
	return p, err
}

// rewriter collects the edits of a file.
type rewriter struct {
	*pkg
	file    *ast.File
	text    []byte
	edits   []edit.Edit
	imports map[string]bool // added
	problem error

	passages []passage // of the function, those not found so far
}

// rewrite returns the changed source of a file.
func (p *pkg) rewrite(file *ast.File, version string) ([]byte, error) {
	text, err := os.ReadFile(p.fset.Position(file.Pos()).Filename)
	if err != nil {
		return nil, err
	}
	r := &rewriter{pkg: p, file: file, text: text, imports: map[string]bool{}}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && isReceiverType(g) {
			r.remove(g)
			continue
		}
		f, isFunc := d.(*ast.FuncDecl)
		if isFunc {
			r.passages = slices.Clone(passages[f.Name.Name])
		}
		r.walk(d, nil)
		if isFunc {
			r.receiver(f)
			r.callChecked(f)
			r.requirePassages(f)
		}
	}
	if r.problem != nil {
		return nil, r.problem
	}
	r.dropPlans()
	r.header(version)
	return r.finish()
}
