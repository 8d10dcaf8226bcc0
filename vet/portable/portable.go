package portable

import (
	"context"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/complexmul"
	"github.com/lastbit/lastbit/vet/floatconv"
	"github.com/lastbit/lastbit/vet/floatrace"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/gonumbits"
	"github.com/lastbit/lastbit/vet/libm"
	"github.com/lastbit/lastbit/vet/maporder"
	"github.com/lastbit/lastbit/vet/nankey"
	"github.com/lastbit/lastbit/vet/procsum"
)

// A kind is a sort of places: what finds them, and what rewrites them.
type kind struct {
	name     string
	title    string
	analyzer *analysis.Analyzer // nil for what only this package looks for
	rewrite  rewriter           // nil for fma, whose fixes the analyzer has, and for no rewriting
	why      string             // there is no rewriting, and what to do
}

// A rewriter adds the edits for a place to its file, or returns the reason why
// there are none.
type rewriter func(s *spot) (reason string)

// kinds holds all of them, in the order of their rewriting. Sums that become
// calls fuse no more, so fma is the last one.
var kinds = []kind{
	{name: "libm", title: "elementary functions", analyzer: libm.Analyzer, rewrite: function},
	{name: "complex", title: "complex products and quotients", analyzer: complexmul.Analyzer,
		rewrite: product},
	{name: "floatconv", title: "conversions to integers", analyzer: floatconv.Strict,
		rewrite: conversion},
	{name: "maps", title: "sums in the order of a map, or a random one",
		analyzer: maporder.Analyzer, rewrite: mapSum},
	{name: "goroutines", title: "sums in the order of goroutines", analyzer: floatrace.Analyzer,
		rewrite: goroutineSum},
	{name: "nan", title: "bits and signs of a NaN", analyzer: nankey.Strict, rewrite: sign},
	{name: "fma", title: "fused multiplications", analyzer: fma.Analyzer},
	{name: "processors", title: "sums split by the number of processors",
		analyzer: procsum.Analyzer,
		why:      "split the sum into blocks of a fixed length, or use package ordered"},
	{name: "gonum", title: "functions of gonum", analyzer: gonumbits.Analyzer,
		why: "use blas.Ordered, or rewrite a copy of gonum with --copies"},
	{name: "foreign", title: "assembly and C",
		why: "give the function a body in Go on every platform"},
}

// Kinds returns the names of the kinds that can be rewritten.
func Kinds() []string {
	var all []string
	for _, k := range kinds {
		if k.rewrite != nil || k.name == "fma" {
			all = append(all, k.name)
		}
	}
	return all
}

// Title returns what a kind of places is, in the plural.
func Title(name string) string {
	for _, k := range kinds {
		if k.name == name {
			return k.title
		}
	}
	return name
}

// DefaultTargets returns the platforms that the compiler is asked about.
func DefaultTargets() []fused.Target {
	return []fused.Target{{Arch: "amd64", Level: "v3"}, {Arch: "arm64"}, {Arch: "ppc64le"},
		{Arch: "riscv64"}, {Arch: "s390x"}}
}

// Options choose packages and rewritings.
type Options struct {
	Dir      string   // the working folder of the go command; "" is the current one
	Patterns []string // packages, as the go command names them
	Tags     []string // build tags
	Tests    bool     // rewrite test files too
	Targets  []fused.Target
	Only     []string // the kinds to rewrite; all if it is empty
	Lastbit  Lastbit  // what a rewritten module requires
	// Go is the release to raise the go line of the module to where that is too
	// old for lastbit; "" leaves it.
	Go string
	// Copies is a new folder for rewritten copies of the modules that the
	// packages import; "" leaves these modules.
	Copies string
	// Vendor is for the modules that the packages import, too: their places are
	// listed, and rewritten in the vendor folder. Where a module has none,
	// CopiesDir gets rewritten copies.
	Vendor bool
	// Show is told what is being done; it may be nil.
	Show func(string)
}

func (o *Options) show(text string) {
	if o.Show != nil {
		o.Show(text)
	}
}

// CopiesDir is the folder for rewritten copies of modules that has no other
// name.
const CopiesDir = "lastbit-modules"

// isChosen reports whether a kind is to be rewritten.
func (o *Options) isChosen(k kind) bool {
	return len(o.Only) == 0 || slices.Contains(o.Only, k.name)
}

// A Place is a piece of code whose result depends on the platform.
type Place struct {
	Package    string
	Kind       string
	At         check.Position
	Message    string
	Rewritable bool
	Reason     string // why it is not, and what to do
	Targets    []string
}

// A Report holds the places of packages, by package and position.
type Report struct {
	Places   []Place
	Packages int
	Failed   []*check.LoadError
	// Unread holds the packages of the module that the packages import, and
	// that were not named.
	Unread []string
	// Skipped holds the files with floating-point numbers that the build leaves
	// out: for other platforms, or with other tags.
	Skipped []string
	// Bits holds the positions where the bits of computed numbers are taken. Of
	// a NaN they depend on the processor.
	Bits []check.Position
}

// Files returns the number of files that have places.
func (r *Report) Files() int {
	files := map[string]bool{}
	for _, p := range r.Places {
		files[p.At.File] = true
	}
	return len(files)
}

// Rewritable returns the number of places that can be rewritten.
func (r *Report) Rewritable() int {
	n := 0
	for _, p := range r.Places {
		if p.Rewritable {
			n++
		}
	}
	return n
}

// Examine returns the places of packages.
func Examine(ctx context.Context, o Options) (*Report, error) {
	m, err := openModule(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	w := &work{o: o, module: m}
	if o.Vendor {
		if err := w.reachModules(ctx); err != nil {
			return nil, err
		}
	}
	return w.examine(ctx)
}
