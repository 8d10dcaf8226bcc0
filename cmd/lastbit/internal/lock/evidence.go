package lock

import (
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/report"
)

// Evidence is a change in one line, with the input that shows it.
type Evidence struct {
	Summary string
	Rows    []report.Trait
}

// Evidence returns the changes of a report, in the order of WriteText.
func (r *Report) Evidence() (list []Evidence) {
	for _, c := range r.Changes {
		e := Evidence{Summary: Summary(c)}
		if v := r.Witnesses[c.Name]; v != nil {
			e.Rows = v.Rows("as locked", "now")
		}
		list = append(list, e)
	}
	for library, functions := range byLibrary(r.Functions) {
		e := Evidence{Summary: functionSummary(library, functions)}
		for _, f := range functions {
			if w := r.FunctionWitnesses[f.Title()]; w != nil {
				e.Rows = append(e.Rows, report.Trait{Name: call(f.Name, w),
					Value: text.Or(pair(w.ThereBits, w.There), "far away") + " → " +
						pair(w.HereBits, w.Here)})
			}
		}
		list = append(list, e)
	}
	return list
}

// Rest describes versions that changed without changing a result, a line each.
func (r *Report) Rest() (lines []string) {
	for _, name := range r.Allowed {
		lines = append(lines, "allowed: "+name)
	}
	for _, m := range r.Moved {
		lines = append(lines, describeVersion(m)+", with the same order and arithmetic")
	}
	if r.Another {
		lines = append(lines, "the lock file has no profile of this machine's class, "+r.Class+
			"; it was compared with "+r.Against)
	}
	return lines
}
