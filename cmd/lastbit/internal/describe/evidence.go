package describe

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// Evidence lists the evidence of a finding, with counts.
func Evidence(f *reveal.Finding) string {
	var parts []string
	e := f.Evidence
	if e.CertificateCalls > 0 {
		parts = append(parts, "certificate: "+text.Count(e.CertificateCalls, "call"))
	}
	if e.ReplayTried > 0 {
		name := "replay"
		if comparedWithExact(f) {
			name = "correctly rounded"
		}
		parts = append(parts, fmt.Sprintf("%s: %d of %d", name, e.ReplayMatched, e.ReplayTried))
	}
	if e.Lanes > 1 {
		parts = append(parts, fmt.Sprintf("%d lanes", e.Lanes))
	}
	for _, s := range []string{sameAt(f), repeated(f)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

// BriefEvidence names the evidence of a finding, for a column of a table.
func BriefEvidence(f *reveal.Finding) string {
	e := f.Evidence
	var parts []string
	if e.CertificateCalls > 0 {
		parts = append(parts, "certificate")
	}
	switch {
	case e.ReplayTried == 0:
	case comparedWithExact(f):
		parts = append(parts,
			fmt.Sprintf("correctly rounded: %d of %d", e.ReplayMatched, e.ReplayTried))
	case e.ReplayMatched == e.ReplayTried:
		parts = append(parts, fmt.Sprintf("%d replays", e.ReplayTried))
	default:
		parts = append(parts, fmt.Sprintf("replays: %d of %d", e.ReplayMatched, e.ReplayTried))
	}
	return text.Or(strings.Join(parts, ", "), "witness")
}

// comparedWithExact reports whether the outputs were compared with correctly
// rounded sums, for lack of a tree.
func comparedWithExact(f *reveal.Finding) bool {
	if f.Integers != nil {
		return false
	}
	return f.Verdict == reveal.Exact || f.Tree == nil && f.Evidence.CertificateCalls == 0
}
