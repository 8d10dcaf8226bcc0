// Package ignore checks the comments that make other analyzers silent.
//
// Such a comment names analyzers and gives a reason:
//
//	//lastbit:ignore fma the products are exact
//
// One without a reason, or with the name of no analyzer, has no effect and is
// reported.
package ignore

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed ignore.go
var doc string

// New returns an analyzer of the comments about analyzers with some names.
func New(names []string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "ignore",
		Doc:  source.Doc(doc),
		Run: func(pass *analysis.Pass) (any, error) {
			for _, f := range pass.Files {
				for _, i := range comment.Parse(pass.Fset, f) {
					if fault := check(i, names); fault != "" {
						pass.Reportf(i.Pos, "%s", fault)
					}
				}
			}
			return nil, nil
		},
	}
}

// check returns the fault of a comment, or "".
func check(i comment.Ignore, names []string) string {
	if len(i.Analyzers) == 0 {
		return "the comment names no analyzer; write " + comment.Prefix + " fma and a reason"
	}
	for _, name := range i.Analyzers {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("no analyzer is called %q; there are %s", name,
				strings.Join(names, ", "))
		}
	}
	if i.Reason == "" {
		return fmt.Sprintf("the comment gives no reason; write %s %s and the reason",
			comment.Prefix, strings.Join(i.Analyzers, ","))
	}
	return ""
}
