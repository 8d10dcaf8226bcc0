package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/instrument"
)

// leftOut ends the first line of a report: what was not perturbed and can lie
// on the way to a number, or "".
func leftOut(all []instrument.Omission) string {
	var whys []string
	for _, o := range all {
		if o.Reached && !slices.Contains(whys, o.Why) {
			whys = append(whys, o.Why)
		}
	}
	if len(whys) == 0 {
		return ""
	}
	var parts []string
	for _, why := range whys {
		parts = append(parts, leftOutFor(all, why))
	}
	return "; not perturbed: " + strings.Join(parts, "; ")
}

// leftOutFor describes what was left out for one reason, with its cure.
func leftOutFor(all []instrument.Omission, why string) string {
	var packages, tags []string
	operations, calls := 0, uint64(0)
	for _, o := range all {
		if !o.Reached || o.Why != why {
			continue
		}
		if !slices.Contains(packages, o.Package) {
			packages = append(packages, o.Package)
		}
		if o.Tag != "" && !slices.Contains(tags, o.Tag) {
			tags = append(tags, o.Tag)
		}
		operations += o.Operations
		calls += o.Calls
	}
	of := strings.Join(packages[:min(len(packages), maxPackages)], ", ")
	if more := len(packages) - maxPackages; more > 0 {
		of += fmt.Sprintf(" and %s more", count(more, "package", "packages"))
	}
	what := why
	if calls > 0 {
		what = fmt.Sprintf("%s of %s", count(int(calls), "call", "calls"), why)
	}
	switch {
	case why == instrument.Chosen:
		return fmt.Sprintf("%s of %s, which --packages leaves out",
			count(operations, "operation", "operations"), of)
	case why == instrument.Failed:
		return fmt.Sprintf("%s of %s, which does not compile rewritten",
			count(operations, "operation", "operations"), of)
	case len(tags) > 0:
		return fmt.Sprintf("%s in %s (--tags %s leaves it out)", what, of, strings.Join(tags, ","))
	}
	return what + " in " + of
}

// maxPackages bounds the packages that the first line names.
const maxPackages = 2
