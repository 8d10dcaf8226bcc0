package cli

import (
	"io"
	"maps"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// Short names for packages text and describe.

type group struct {
	letter, words string
	members       []member
}

type member struct{ target, calls, proof string }

func writeGroups(w io.Writer, groups []group) {
	var all []describe.Group
	for _, g := range groups {
		d := describe.Group{Letter: g.letter, Words: g.words}
		for _, m := range g.members {
			d.Members = append(d.Members, describe.Member{Target: m.target, Calls: m.calls, Proof: m.proof})
		}
		all = append(all, d)
	}
	describe.WriteGroups(w, all)
}

func table(w io.Writer, indent string, rows [][]string, right map[int]bool) {
	text.Table(w, indent, rows, slices.Collect(maps.Keys(right))...)
}

func pad(s string, width int) string                       { return text.Pad(s, width) }
func writeWrapped(w io.Writer, indent, s string)           { text.WriteWrapped(w, indent, s) }
func list(names []string) string                           { return text.List(names) }
func visible(s string) string                              { return text.Visible(s) }
func decimal(x float64, f fp.Format) string                { return text.Decimal(x, f) }
func hex(x float64, f fp.Format) string                    { return text.Hex(x, f) }
func orWord(s, other string) string                        { return text.Or(s, other) }
func ulps(n uint64) string                                 { return text.ULPs(n) }
func groupName(g int) string                               { return describe.GroupName(g) }
func groupOf(c *reveal.Comparison, i int) int              { return describe.GroupOf(c, i) }
func share(d reveal.Difference) string                     { return describe.Share(d) }
func familyOf(f *reveal.Finding) string                    { return describe.Family(f) }
func wordsOf(f *reveal.Finding) string                     { return describe.Brief(f) }
func shortProof(f *reveal.Finding) string                  { return describe.BriefEvidence(f) }
func arithmeticWords(f *reveal.Finding) (string, []string) { return describe.Arithmetic(f) }
func drawing(f *reveal.Finding) report.Drawing             { return describe.Drawing(f) }
func library(k probe.Key) string                           { return describe.Library(k) }
func sparse(x []float64, f fp.Format) string               { return text.Sparse(x, f) }
