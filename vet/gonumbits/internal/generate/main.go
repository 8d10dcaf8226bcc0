// Generate writes the list of gonum's functions whose results depend on the
// processor or on addresses. It follows the calls from each exported function
// to assembly, to operations that the compiler fuses for arm64, and to varying
// functions of package math.
package main

import (
	"context"
	"fmt"
	"go/constant"
	"go/types"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/libm"
)

const gonum = "gonum.org/v1/gonum/"

// aligned lists the kernels that first add the summands before an aligned
// address, in package internal/asm.
var aligned = []string{"f64.Sum", "f32.Sum", "f32.DotUnitary", "f32.DdotUnitary",
	"c64.DotcUnitary", "c64.DotuUnitary"}

// isSingle reports whether a kernel rounds each element once, or not at all.
func isSingle(kernel, name string) bool {
	switch name {
	case "Add", "AddConst", "DscalUnitary", "DscalInc", "SscalUnitary", "SscalInc":
		return true
	case "Div", "DivTo", "LinfDist", "LinfNorm",
		"ScalUnitary", "ScalUnitaryTo", "ScalInc", "ScalIncTo":
		return kernel == "f64" || kernel == "f32"
	}
	return false
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: generate FILE")
	}
	table, err := list(context.Background())
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(table), 0o666)
	}
	if err != nil {
		log.Fatal("generate: ", err)
	}
}

// list returns a line for each package and kind: address or processor, the
// package, and its functions.
func list(ctx context.Context) (string, error) {
	g, err := load(ctx)
	if err != nil {
		return "", err
	}
	lines := map[string][]string{}
	for f := range g.all {
		name, kind := exported(f), g.kind(f)
		if name == "" || kind == "" {
			continue
		}
		key := kind + " " + strings.TrimPrefix(f.Pkg.Pkg.Path(), gonum)
		lines[key] = append(lines[key], name)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		names := slices.Compact(slices.Sorted(slices.Values(lines[key])))
		fmt.Fprintln(&b, key, strings.Join(names, " "))
	}
	return b.String(), nil
}

// exported returns the name of a function that other modules may call,
// Type.Name for a method, or "".
func exported(f *ssa.Function) string {
	o, ok := f.Object().(*types.Func)
	if !ok || !o.Exported() || f.Pkg == nil || f.Origin() != nil && f.Origin() != f {
		return ""
	}
	path := f.Pkg.Pkg.Path()
	rest, inside := strings.CutPrefix(path, gonum)
	if !inside || strings.Contains(rest, "internal/") || strings.Contains(rest, "test") {
		return ""
	}
	recv := o.Signature().Recv()
	if recv == nil {
		return o.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Exported() {
		return n.Obj().Name() + "." + o.Name()
	}
	return ""
}

// A graph holds the functions of gonum with their calls.
type graph struct {
	all     map[*ssa.Function]bool
	methods map[string][]*ssa.Function // by name
	fused   map[*ssa.Function]bool
	kinds   map[*ssa.Function]string
}

func load(ctx context.Context) (*graph, error) {
	paths, err := libraries(ctx)
	if err != nil {
		return nil, err
	}
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx, Mode: packages.LoadAllSyntax, //nolint:staticcheck // it is what ssa needs
	}, paths...)
	if err != nil {
		return nil, err
	}
	prog, _ := ssautil.AllPackages(pkgs, 0)
	prog.Build()
	g := &graph{ssautil.AllFunctions(prog), map[string][]*ssa.Function{},
		map[*ssa.Function]bool{}, map[*ssa.Function]string{}}
	ops, err := fused.List(ctx, fused.Build{}, fused.Target{Arch: "arm64"}, paths...)
	if err != nil {
		return nil, err
	}
	isFused := map[string]bool{}
	for _, op := range ops {
		isFused[fmt.Sprintf("%s:%d", op.At.File, op.At.Line)] = true
	}
	for f := range g.all {
		if f.Signature.Recv() != nil {
			g.methods[f.Name()] = append(g.methods[f.Name()], f)
		}
		g.fused[f] = hasLine(f, isFused)
	}
	return g, nil
}

// libraries returns the paths of gonum's packages, without programs and tests.
func libraries(ctx context.Context) ([]string, error) {
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.NeedName}, gonum+"...")
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range pkgs {
		if p.Name != "main" && !strings.Contains(p.PkgPath, "test") &&
			!strings.Contains(p.PkgPath, "/cmd/") {
			paths = append(paths, p.PkgPath)
		}
	}
	return paths, nil
}

// hasLine reports whether an operation of a function is in one of some lines.
func hasLine(f *ssa.Function, lines map[string]bool) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if o, ok := i.(*ssa.BinOp); ok {
				p := f.Prog.Fset.Position(o.Pos())
				if lines[fmt.Sprintf("%s:%d", p.Filename, p.Line)] {
					return true
				}
			}
		}
	}
	return false
}

// kind returns how the results of a function vary: with the address, with the
// processor, or "".
func (g *graph) kind(f *ssa.Function) string {
	if kind, known := g.kinds[f]; known {
		return kind
	}
	seen := map[*ssa.Function]bool{f: true}
	kind := ""
	for queue := []*ssa.Function{f}; len(queue) > 0; queue = queue[1:] {
		switch own := g.own(queue[0]); {
		case own == "address":
			g.kinds[f] = own
			return own
		case own != "":
			kind = own
		}
		for _, callee := range g.callees(queue[0]) {
			if !seen[callee] {
				seen[callee] = true
				queue = append(queue, callee)
			}
		}
	}
	g.kinds[f] = kind
	return kind
}

// own returns how a function varies by its own operations.
func (g *graph) own(f *ssa.Function) string {
	if f.Pkg == nil {
		return ""
	}
	path := f.Pkg.Pkg.Path()
	kernel, isKernel := strings.CutPrefix(path, gonum+"internal/asm/")
	switch {
	case isKernel && slices.Contains(aligned, kernel+"."+f.Name()):
		return "address"
	case isKernel && isSingle(kernel, f.Name()):
		return ""
	case isKernel && f.Blocks == nil, g.fused[f], libm.Varies(path, f.Name()):
		return "processor"
	}
	return ""
}

// callees returns the functions that a function of gonum may call: those that
// it names, methods of gonum behind interfaces, and its literals.
func (g *graph) callees(f *ssa.Function) []*ssa.Function {
	if f.Pkg != nil && !strings.HasPrefix(f.Pkg.Pkg.Path(), gonum) {
		return nil
	}
	all := slices.Clone(f.AnonFuncs)
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee := call.Common().StaticCallee(); callee != nil && !addsOnly(call.Common()) {
				all = append(all, callee)
			}
			if call.Common().IsInvoke() && !isElement(call.Common().Method.Name()) {
				all = append(all, g.implementations(call.Common())...)
			}
		}
	}
	return all
}

// addsOnly reports whether a call of axpy has a factor of 1 or -1: the product
// is exact, so that a fused addition gives the same bits.
func addsOnly(call *ssa.CallCommon) bool {
	if !strings.HasPrefix(call.StaticCallee().Name(), "Axpy") {
		return false
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool {
		c, ok := v.(*ssa.Const)
		if !ok || c.Value == nil || !floats.IsSummand(c.Type()) {
			return false
		}
		real := constant.Real(c.Value).ExactString()
		return (real == "1" || real == "-1") && constant.Sign(constant.Imag(c.Value)) == 0
	})
}

// isElement reports whether a method returns an element of a matrix, which few
// types compute.
func isElement(name string) bool { return name == "At" || name == "AtVec" || name == "T" }

// implementations returns the methods of gonum that a call of an interface's
// method may reach.
func (g *graph) implementations(call *ssa.CallCommon) []*ssa.Function {
	wanted, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var all []*ssa.Function
	for _, m := range g.methods[call.Method.Name()] {
		if m.Pkg != nil && strings.HasPrefix(m.Pkg.Pkg.Path(), gonum) &&
			types.Implements(m.Signature.Recv().Type(), wanted) {
			all = append(all, m)
		}
	}
	return all
}
