package digits

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/instrument"
)

// A TestReport is the result of running tests with random rounding.
type TestReport struct {
	Runs     int             `json:"runs"`
	Seeds    []uint64        `json:"seeds"`
	Packages []PackageReport `json:"packages"`
	Sites    int             `json:"sites"` // operations that were rewritten

	// Mode and Share are as in Report.
	Mode  string  `json:"mode,omitempty"`
	Share float64 `json:"share,omitempty"`

	// Omitted are the places that were not perturbed.
	Omitted []instrument.Omission `json:"omitted,omitempty"`
}

// A PackageReport is the result of the tests of a package.
type PackageReport struct {
	Package string `json:"package"`
	Exit    int    `json:"exit"` // without random rounding

	// Message is the first line of the errors of a program that failed, without
	// random rounding, where no test did.
	Message string `json:"message,omitempty"`

	// Benchmarks are the results of benchmarks, without random rounding.
	Benchmarks []string `json:"benchmarks,omitempty"`

	// Failures are the tests that fail in a run, in the order of the first one.
	Failures []Failure `json:"failures"`
}

// A Failure is a test that fails.
type Failure struct {
	Test  string `json:"test"`  // "" for the program itself
	Plain bool   `json:"plain"` // without random rounding, too
	Runs  int    `json:"runs"`  // with random rounding
}

// AnalyzeTests runs the tests of packages as they are, and with random
// roundings. The test programs get the arguments.
func AnalyzeTests(
	ctx context.Context, tests []instrument.Test, args []string, o Options,
) (*TestReport, error) {
	r := &TestReport{Packages: []PackageReport{}, Seeds: []uint64{}}
	if !o.Off {
		r.Runs = o.runs()
		r.Seeds = seeds(o.Seed, r.Runs)
	}
	for i, t := range tests {
		r.Sites = len(t.Sites)
		found := PackageReport{Package: t.Package, Failures: []Failure{}}
		limit := time.Duration(0)
		for k := range r.Runs + 1 {
			if o.Show != nil {
				o.Show("testing "+t.Package, i*(r.Runs+1)+k, len(tests)*(r.Runs+1))
			}
			s := instrument.Settings{}
			if k > 0 {
				s = instrument.Settings{
					Perturb: true, Seed: r.Seeds[k-1], Mode: o.Mode, Share: o.Share,
				}
				s.Profile = k == 1 && t.CallsOutside()
			}
			in := instrument.Input{
				Args: append([]string{"-test.v"}, args...), Dir: t.Dir, Limit: limit,
			}
			began := time.Now()
			out, err := t.Run(ctx, in, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.Package, err)
			}
			if k == 0 {
				limit = patience + impatience*time.Since(began)
				found.Exit = out.Exit
				found.Benchmarks = benchmarks(out)
			}
			if k == min(1, r.Runs) {
				r.omit(t.Omissions(out.Records))
			}
			failed := failures(out)
			if k == 0 && slices.Contains(failed, "") {
				found.Message, _, _ = strings.Cut(string(out.Stderr)+string(out.Stdout), "\n")
			}
			found.add(failed, k == 0)
		}
		r.Packages = append(r.Packages, found)
	}
	return r, nil
}

// omit adds what the tests of a package left out. All packages have the same
// omissions, which tests may reach or not.
func (r *TestReport) omit(all []instrument.Omission) {
	if r.Omitted == nil {
		r.Omitted = all
		return
	}
	for i, o := range all {
		r.Omitted[i].Reached = r.Omitted[i].Reached || o.Reached
		r.Omitted[i].Calls += o.Calls
	}
}

// add counts the failures of a run.
func (p *PackageReport) add(names []string, plain bool) {
	for _, name := range names {
		i := 0
		for i < len(p.Failures) && p.Failures[i].Test != name {
			i++
		}
		if i == len(p.Failures) {
			p.Failures = append(p.Failures, Failure{Test: name})
		}
		if plain {
			p.Failures[i].Plain = true
		} else {
			p.Failures[i].Runs++
		}
	}
}

var benchmarked = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s.*$`)

// benchmarks returns the lines with results of benchmarks, with single spaces.
func benchmarks(out *instrument.Output) (lines []string) {
	for _, line := range benchmarked.FindAll(out.Stdout, -1) {
		lines = append(lines, strings.Join(strings.Fields(string(line)), " "))
	}
	return lines
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failures returns the names of the tests that failed: those without a subtest
// that did, and "" for a program that ends in an error without one.
func failures(out *instrument.Output) []string {
	var all []string
	for _, m := range failed.FindAllSubmatch(out.Stdout, -1) {
		all = append(all, string(m[1]))
	}
	var innermost []string
	for _, name := range all {
		outer := false
		for _, other := range all {
			outer = outer || strings.HasPrefix(other, name+"/")
		}
		if !outer {
			innermost = append(innermost, name)
		}
	}
	if out.Exit != 0 && len(innermost) == 0 {
		return []string{""}
	}
	return innermost
}
