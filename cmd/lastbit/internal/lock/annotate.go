package lock

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/sarif"
	"github.com/lastbit/lastbit/lockfile"
)

// WriteGitHub writes a report as annotations of GitHub's workflow commands:
// one for each change, and the answer as a notice. file is the lock file.
func WriteGitHub(w io.Writer, r *Report, file string) error {
	b := bufio.NewWriter(w)
	// Workflow commands escape % and the ends of lines; in properties also :
	// and the comma.
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	line := func(kind, title, message string) {
		fmt.Fprintf(b, "::%s file=%s,title=%s::%s\n", kind, property.Replace(file),
			property.Replace(title), data.Replace(message))
	}
	line("notice", "lastbit check", r.Verdict())
	for _, c := range r.results(file) {
		line(c.Level, c.Rule, c.Message)
	}
	return b.Flush()
}

// WriteSARIF writes a report as SARIF. version is lastbit's.
func WriteSARIF(w io.Writer, r *Report, file, version string) error {
	return sarif.Log{
		Tool: "lastbit", Version: version, Results: r.results(file),
		Rules: []sarif.Rule{
			{ID: ruleOrder, Short: "The order or the arithmetic of an operation changed."},
			{ID: ruleGone, Short: "A locked operation cannot be probed."},
			{ID: ruleNotLocked, Short: "An operation of the project is not in the lock file."},
			{ID: ruleFunction, Short: "An elementary function gives other results."},
		},
	}.Write(w)
}

// The rules of changes.
const (
	ruleOrder     = "changed-order"
	ruleGone      = "operation-gone"
	ruleNotLocked = "not-locked"
	ruleFunction  = "changed-function"
)

// results returns the changes of a report.
func (r *Report) results(file string) []sarif.Result {
	var list []sarif.Result
	for _, c := range r.Changes {
		rule := map[lockfile.Kind]string{
			lockfile.Changed: ruleOrder, lockfile.Gone: ruleGone,
			lockfile.NotLocked: ruleNotLocked,
		}[c.Kind]
		message := Summary(c)
		if v := r.Witnesses[c.Name]; v != nil {
			message += fmt.Sprintf("; an input gave %s, and now gives %s", v.Witness.Bits[0],
				v.Witness.Bits[1])
		}
		list = append(list, sarif.Result{Rule: rule, Level: "error", Message: message, File: file,
			Line: 1, Key: c.Name})
	}
	for library, functions := range byLibrary(r.Functions) {
		message := functionSummary(library, functions)
		for _, f := range functions {
			if w := r.FunctionWitnesses[f.Title()]; w != nil {
				message += fmt.Sprintf("; %s gave %s, and now gives %s", call(f.Name, w),
					text.Or(w.ThereBits, "another result"), w.HereBits)
			}
		}
		list = append(list, sarif.Result{Rule: ruleFunction, Level: "error", Message: message,
			File: file, Line: 1, Key: library})
	}
	return list
}
