package kernel

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"
	"unsafe"
)

// TestABI compares the assembly's constants for Go data, in internal/_asm/gen,
// with the Go declarations.
func TestABI(t *testing.T) {
	var f Folds
	var s SplitModulus
	var j JoinModulus
	var r RoundRow
	want := map[string]uintptr{
		"FoldsT":          unsafe.Offsetof(f.T),
		"FoldsRange":      unsafe.Offsetof(f.Range),
		"FoldsInexact":    unsafe.Offsetof(f.Inexact),
		"FoldsLowest":     unsafe.Offsetof(f.Lowest),
		"OrderedSum":      uintptr(OrderedSum),
		"OrderedDot":      uintptr(OrderedDot),
		"OrderedAsum":     uintptr(OrderedAsum),
		"OrderedSquares":  uintptr(OrderedSquares),
		"OrderedRowBytes": OrderedRowBytes,

		"ChainRowsAVX512":    chainRowsAVX512,
		"ChainVectorsAVX512": chainVectorsAVX512,
		"ChainRowsAVX2":      chainRowsAVX2,
		"ChainVectorsAVX2":   chainVectorsAVX2,
		"ChainRowsNEON":      chainRowsNEON,
		"ChainVectorsNEON":   chainVectorsNEON,

		"ChainLanesBytes":     chainLanesBytes,
		"ChainDotsRows":       chainDotsRows,
		"ChainDotsRowsAVX512": chainDotsRowsAVX512,
		"ChainAxpyRows":       chainAxpyRows,

		"ChainEliminateVectors": chainEliminateVectors,
		"ChainRotateVectors":    chainRotateVectors,
		"ChainSymmetricOrder":   SymmetricOrder,
		"ChainCholeskyOrder":    maxCholesky,
		"ChainTriangleOrder":    TriangleOrder,

		"StochRowBytes": StochRowBytes,
		"StochDotRows":  StochDotRows,

		"ResidueRows":       ResidueRows,
		"ResidueColumns":    ResidueColumns,
		"ResidueBlock":      ResidueBlock,
		"ResidueGroup":      residueGroup,
		"SplitCoefficients": unsafe.Offsetof(s.Coefficients),
		"SplitBase":         unsafe.Offsetof(s.Base),
		"SplitInverse":      unsafe.Offsetof(s.Inverse),
		"SplitNegative":     unsafe.Offsetof(s.Negative),
		"SplitSize":         unsafe.Sizeof(s),
		"JoinInverse":       unsafe.Offsetof(j.Inverse),
		"JoinModulus":       unsafe.Offsetof(j.Modulus),
		"JoinWeights":       unsafe.Offsetof(j.Weights),
		"JoinSize":          unsafe.Sizeof(j),
		"RoundError":        unsafe.Offsetof(r.Error),
		"RoundNorm":         unsafe.Offsetof(r.Norm),
		"RoundJoined":       unsafe.Offsetof(r.Joined),
	}
	mirrored := constants(t, "fold.go", "ordered.go", "chain.go", "residue.go",
		"stoch.go")
	for name, v := range want {
		if got, ok := mirrored[name]; !ok || got != uint64(v) {
			t.Errorf("internal/_asm/gen has %s = %d (%v), Go has %d", name, got, ok, v)
		}
	}
	if len(mirrored) != len(want) {
		t.Errorf("internal/_asm/gen has %d constants, %d are compared", len(mirrored), len(want))
	}
	if unsafe.Sizeof(f) != unsafe.Sizeof(words{}) {
		t.Errorf("Folds has %d bytes, assembly writes %d", unsafe.Sizeof(f), unsafe.Sizeof(words{}))
	}
}

// constants returns the integer constants of files of internal/_asm/gen.
func constants(t *testing.T, names ...string) map[string]uint64 {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		path := filepath.Join("..", "_asm", "gen", name)
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}} // imports stay unresolved
	config.Check("gen", fset, files, info)
	found := map[string]uint64{}
	for id, o := range info.Defs {
		if c, ok := o.(*types.Const); ok {
			v, _ := constant.Uint64Val(c.Val())
			found[id.Name] = v
		}
	}
	return found
}
