package fma

import (
	_ "embed"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/flow"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds fused multiplications.
var Analyzer = &analysis.Analyzer{
	Name:     "fma",
	Doc:      source.Doc(doc),
	Requires: []*analysis.Analyzer{flow.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	all := pass.ResultOf[flow.Analyzer].([]flow.Sum)
	s := newIndex(pass, all)
	isSilent := comment.Silencer(pass)
	seen := map[token.Pos]bool{}
	for _, found := range all {
		d, ok := s.diagnostic(found)
		ok = ok && (isTest(pass, d.Pos) || !isTest(pass, found.Call.Pos()))
		if ok && !seen[d.Pos] && !isSilent(d.Pos) && !isSilent(found.Call.Pos()) {
			seen[d.Pos] = true
			pass.Report(d)
		}
	}
	return nil, nil
}

// isTest reports whether a position is in a test file. Sums inlined there do
// not belong to the package.
func isTest(pass *analysis.Pass, at token.Pos) bool {
	return at.IsValid() && strings.HasSuffix(pass.Fset.PositionFor(at, false).Filename, "_test.go")
}

// diagnostic returns the finding of a sum, if a product in it is rounded.
func (s *Index) diagnostic(found flow.Sum) (analysis.Diagnostic, bool) {
	if found.At.Package != s.pkg.Path() {
		return s.foreign(found)
	}
	sum := s.sums[found.At.Pos()]
	if sum == nil || len(sum.products(found)) == 0 {
		return analysis.Diagnostic{}, false
	}
	text := sum.Text() + " fuses on " + sum.processors(found)
	if call := found.Call; call != (flow.Place{}) {
		text += ", inlined at " + call.From(found.At.File)
	}
	d := analysis.Diagnostic{
		Pos: sum.At, End: sum.At + token.Pos(len(sum.Op.String())),
		Message: text + "; " + sum.cure(sum.products(found), found.At),
	}
	if fix, ok := sum.Fix(); ok {
		d.SuggestedFixes = []analysis.SuggestedFix{fix}
	}
	return d, true
}

// foreign returns the finding of a sum of another package that is inlined in
// this one: it is at the call.
func (s *Index) foreign(found flow.Sum) (analysis.Diagnostic, bool) {
	call := s.calls[found.Call.Pos()]
	products := rounded(found)
	if call == nil || len(products) == 0 {
		return analysis.Diagnostic{}, false
	}
	at := calleeName(call)
	d := analysis.Diagnostic{Pos: at.Pos(), End: at.End()}
	var cures []string
	fix := analysis.SuggestedFix{Message: fixMessage}
	for _, p := range products {
		cure, edits := s.roundAt(p.value, found.Call.File)
		if !slices.Contains(cures, cure) {
			cures = append(cures, cure)
			fix.TextEdits = append(fix.TextEdits, edits...)
		}
	}
	what, note := "sum", exactnessNote(products)
	if found.IsConversion {
		what, note = "conversion", conversionNote
	}
	d.Message = source.Short(call) + " is inlined, and its " + what + " of " +
		found.At.From(found.Call.File) + " fuses on " + processorsOf(found, products) + "; " +
		note + strings.Join(cures, " and ")
	if len(fix.TextEdits) > 0 {
		d.SuggestedFixes = []analysis.SuggestedFix{fix}
	}
	return d, true
}

// roundAt returns advice, and for a product of this package the edits that
// round it.
func (s *Index) roundAt(v *flow.Value, file string) (string, []analysis.TextEdit) {
	e := s.written[v.At.Pos()]
	if v.At.Package != s.pkg.Path() || e == nil {
		return "round the product of " + v.At.From(file), nil
	}
	name := source.TypeName(s.info, s.pkg, e)
	cure := "write " + name + "(" + source.Short(e) + ")"
	if source.Shadowed(s.pkg, e.Pos(), s.info.TypeOf(e), name) {
		return cure, nil
	}
	return cure, wrap(name, e)
}
