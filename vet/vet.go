// Package vet finds Go code that computes other bits on other machines.
//
// Its analyzers are of the framework golang.org/x/tools/go/analysis. Each is a
// package below this one, whose comment is its documentation. The command
// lastbit vet runs them, go vet does with -vettool, and so does golangci-lint
// (package plugin). Package check runs them from Go:
//
//	result, err := check.Run(ctx, check.Options{
//		Patterns:  []string{"./..."},
//		Analyzers: vet.Analyzers(),
//	})
//
// A finding is a place where the language, the compiler or the library leaves
// the last bit open: a fused multiplication, an order that a scheduler or a map
// chooses, a function with an implementation for each processor. An analyzer
// reads one package at a time. Analyzer fma looks through the functions that
// the compiler inlines, of other packages too, and floatconv through the
// functions of the package; the others follow no values between functions. So
// they miss some places and report some whose values never show a difference. A
// comment with a reason makes an analyzer silent there:
//
//	s += x * y //lastbit:ignore fma the products are integers below 2^53
//
// For fused multiplications package fused asks the compiler itself.
package vet

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/complexmul"
	"github.com/lastbit/lastbit/vet/floatconv"
	"github.com/lastbit/lastbit/vet/floatrace"
	"github.com/lastbit/lastbit/vet/floattext"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/gonumbits"
	"github.com/lastbit/lastbit/vet/ignore"
	"github.com/lastbit/lastbit/vet/libm"
	"github.com/lastbit/lastbit/vet/maporder"
	"github.com/lastbit/lastbit/vet/nankey"
	"github.com/lastbit/lastbit/vet/procsum"
	"github.com/lastbit/lastbit/vet/widesum"
)

// Analyzers returns the analyzers of arithmetic, and then the one that checks
// the comments about them.
func Analyzers() []*analysis.Analyzer {
	all := []*analysis.Analyzer{
		fma.Analyzer,
		libm.Analyzer,
		complexmul.Analyzer,
		floatconv.Analyzer,
		widesum.Analyzer,
		maporder.Analyzer,
		floatrace.Analyzer,
		procsum.Analyzer,
		gonumbits.Analyzer,
		nankey.Analyzer,
		floattext.Analyzer,
	}
	return append(all, ignore.New(Names(all)))
}

// Names returns the names of analyzers.
func Names(all []*analysis.Analyzer) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return slices.Clip(names)
}
