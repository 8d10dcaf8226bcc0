package check

import (
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/fused"
)

// A brokenBuild is a package that does not compile for some targets, with one
// output.
type brokenBuild struct {
	pkg, cause string
	targets    []string
}

// brokenBuilds holds the packages that do not compile, by the first target.
type brokenBuilds []brokenBuild

// add notes a failed compilation.
func (all *brokenBuilds) add(e *fused.BuildError, cgo cgoFiles) {
	cause := "it does not compile, and packages that import it do not: " + e.Output
	if cgo.has(e.Package) {
		cause = "it does not compile without cgo, which is off for other processors, and " +
			"packages that import it do not: " + e.Output
	}
	i := slices.IndexFunc(*all, func(f brokenBuild) bool {
		return f.pkg == e.Package && f.cause == cause
	})
	if i < 0 {
		i = len(*all)
		*all = append(*all, brokenBuild{pkg: e.Package, cause: cause})
	}
	(*all)[i].targets = append((*all)[i].targets, e.Target.String())
}

// errors returns an error for each of them.
func (all brokenBuilds) errors() []*LoadError {
	var errs []*LoadError
	for _, f := range all {
		errs = append(errs, &LoadError{f.pkg + " for " + strings.Join(f.targets, ", "), f.cause})
	}
	return errs
}
