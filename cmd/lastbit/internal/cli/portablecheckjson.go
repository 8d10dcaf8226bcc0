package cli

import (
	"maps"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/vetreport"
)

// runsAnswer is the JSON of --check and --run.
type runsAnswer struct {
	Same      bool         `json:"same"`
	Targets   []runsTarget `json:"targets"`
	Functions int          `json:"functions"`
	Calls     int          `json:"calls"`
	Lines     int          `json:"lines,omitempty"`
	Files     int          `json:"files,omitempty"`
	First     *runsFirst   `json:"first,omitempty"`
	Varying   []string     `json:"varying,omitempty"`
	Generated int          `json:"generated,omitempty"` // functions that --calls calls
	Panics    int          `json:"panics,omitempty"`    // of these calls
	LeftOut   []string     `json:"left_out,omitempty"`  // functions that it does not
	Fewer     []string     `json:"fewer,omitempty"`     // functions that it calls less often
	Notes     []string     `json:"notes,omitempty"`
}

type runsTarget struct {
	Name   string   `json:"name"`
	Ran    bool     `json:"ran"`
	Why    string   `json:"why,omitempty"`
	Differ []string `json:"differ,omitempty"`
	Moved  []string `json:"other_arguments,omitempty"`
}

type runsFirst struct {
	Targets        []string            `json:"targets"`
	Function       string              `json:"function,omitempty"`
	OtherArguments bool                `json:"other_arguments,omitempty"`
	Ends           bool                `json:"ends,omitempty"`
	Arguments      []string            `json:"arguments,omitempty"`
	Results        map[string][]string `json:"results,omitempty"` // bits, in hexadecimal
	Values         map[string][]string `json:"values,omitempty"`
	Package        string              `json:"package,omitempty"`
	Test           string              `json:"test,omitempty"`
	File           string              `json:"file,omitempty"`
	Line           int                 `json:"line,omitempty"`
	Lines          map[string]string   `json:"lines,omitempty"`
	Cause          *runsCause          `json:"cause,omitempty"`
}

type runsCause struct {
	File       string          `json:"file,omitempty"`
	Line       int             `json:"line,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Function   string          `json:"function,omitempty"`
	Alone      bool            `json:"alone,omitempty"`
	Candidates []runsCandidate `json:"candidates,omitempty"`
}

type runsCandidate struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

func newRunsAnswer(r *crosscheck.Report) runsAnswer {
	a := runsAnswer{Same: r.Same, Functions: r.Functions, Calls: r.Calls, Lines: r.Lines,
		Files: r.Files, Varying: r.Varying, Notes: r.Notes,
		Generated: r.Made, Panics: r.Panics, LeftOut: r.LeftOut, Fewer: r.Fewer}
	for _, p := range r.Platforms {
		a.Targets = append(a.Targets, runsTarget(p))
	}
	d := r.First
	if d == nil {
		return a
	}
	a.First = &runsFirst{Targets: d.Platforms, Function: d.Function, Package: d.Package,
		OtherArguments: d.OtherArguments, Ends: d.Ends, Test: d.Test, File: d.File, Line: d.Line,
		Lines: d.Lines}
	for _, x := range d.Arguments {
		a.First.Arguments = append(a.First.Arguments, x.Text)
	}
	if len(d.Results) > 0 {
		a.First.Results, a.First.Values = map[string][]string{}, map[string][]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Results)) {
		for _, x := range d.Results[name] {
			a.First.Results[name] = append(a.First.Results[name], x.Bits)
			a.First.Values[name] = append(a.First.Values[name], x.Text)
		}
	}
	if c := d.Cause; c != nil {
		a.First.Cause = &runsCause{Kind: c.Kind, Line: c.Line, Function: c.Name, Alone: c.Alone}
		if c.File != "" {
			a.First.Cause.File = vetreport.Relative(c.File)
		}
		for _, k := range c.Candidates {
			a.First.Cause.Candidates = append(a.First.Cause.Candidates,
				runsCandidate{vetreport.Relative(k.File), k.Line, k.Kind, k.Message})
		}
	}
	return a
}
