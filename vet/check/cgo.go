package check

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/fused"
)

// cgoSuffix ends the names of the files that cgo writes.
const cgoSuffix = ".cgo1.go"

// A cgoFile is the file that cgo writes for a source file of a package.
type cgoFile struct {
	pkg  *packages.Package
	file *token.File
}

// cgoFiles are the files that cgo makes, by the names that the compiler prints:
// it ignores their line directives, and their folder is temporary.
type cgoFiles map[string][]cgoFile

// add adds the files of a package.
func (c cgoFiles) add(p *packages.Package) {
	for _, f := range p.Syntax {
		if slices.Contains(p.GoFiles, p.Fset.PositionFor(f.Package, false).Filename) {
			continue
		}
		source := filepath.Base(p.Fset.Position(f.Package).Filename)
		name := strings.TrimSuffix(source, ".go") + cgoSuffix
		c[name] = append(c[name], cgoFile{p, p.Fset.File(f.Package)})
	}
}

// locate replaces the positions of an operation in such files by those in the
// source.
func (c cgoFiles) locate(op *fused.Op) {
	op.At = c.position(op.Package, op.At)
	for i, calls := range op.All {
		op.All[i] = c.positions(op.Package, calls)
	}
	op.Through = c.positions(op.Package, op.Through)
}

func (c cgoFiles) positions(pkg string, all []Position) []Position {
	located := slices.Clone(all)
	for i, p := range all {
		located[i] = c.position(pkg, p)
	}
	return located
}

// position returns the position in the source of one that the compiler prints
// for a package, or the same where the file is unknown.
func (c cgoFiles) position(pkg string, at Position) Position {
	named := c[filepath.Base(at.File)]
	i := slices.IndexFunc(named, func(f cgoFile) bool { return f.pkg.PkgPath == pkg })
	if i < 0 && len(named) == 1 { // inlined from another package
		i = 0
	}
	if i < 0 || at.Line > named[i].file.LineCount() {
		return at
	}
	f := named[i]
	offset := f.file.Offset(f.file.LineStart(at.Line)) + at.Column - 1
	if offset > f.file.Size() {
		return at
	}
	return position(f.pkg, f.file.Pos(offset))
}

// has reports whether a package has files for cgo.
func (c cgoFiles) has(pkg string) bool {
	for _, all := range c {
		if slices.ContainsFunc(all, func(f cgoFile) bool { return f.pkg.PkgPath == pkg }) {
			return true
		}
	}
	return false
}
