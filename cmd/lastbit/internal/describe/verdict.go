package describe

import (
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// Verdict names the verdict of a finding and explains it, on one line.
func Verdict(f *reveal.Finding) string { return VerdictName(f) + ": " + f.Meaning() }

// VerdictName names the verdict of a finding, and whether a tree is verified.
func VerdictName(f *reveal.Finding) string {
	switch {
	case f.Verdict == reveal.NotASum:
		return "not a sum"
	case f.Verdict == reveal.TreeVerdict && f.Verified:
		return "tree, verified"
	case f.Verdict == reveal.TreeVerdict:
		return "tree, unverified"
	}
	return string(f.Verdict)
}

// Name names a verdict in a word, and the method of a compensated sum.
func Name(f *reveal.Finding) string {
	if f.Method != "" {
		return string(f.Verdict) + " (" + f.Method + ")"
	}
	return string(f.Verdict)
}

// FamilyMeaning explains the family of a tree on one line. It returns "" for
// other verdicts.
func FamilyMeaning(f *reveal.Finding) string {
	if f.Verdict != reveal.TreeVerdict {
		return ""
	}
	switch f.Key.N {
	case 1:
		return "one summand, and nothing to add"
	case 2:
		return "one addition: x0 + x1"
	}
	family, err := sumtree.ParseFamily(f.Family)
	if err != nil {
		return "a fixed order that fits no pattern with a name"
	}
	return family.Meaning()
}

// UnknownFamily replaces the family of a tree that has none.
const UnknownFamily = "tree of no known family"

// Family names the kind of a finding in a few words.
func Family(f *reveal.Finding) string {
	switch {
	case f.Verdict == reveal.Exact:
		return "exact: order does not matter"
	case f.Verdict != reveal.TreeVerdict:
		return Name(f)
	case !f.Verified:
		return "unverified " + text.Or(f.Family, "tree")
	}
	return text.Or(f.Family, UnknownFamily)
}

// Brief names the family of a finding and any unusual arithmetic.
func Brief(f *reveal.Finding) string {
	s := Family(f)
	if f.Verdict == reveal.TreeVerdict && f.Verified {
		if acc := f.Traits.Accumulator; acc != f.Key.DType.String() && acc != unknown {
			s += ", in " + strings.ReplaceAll(strings.TrimPrefix(acc, "mixed: "), ", ", " and ")
		}
		switch f.Traits.FMA {
		case reveal.Fused:
			s += ", fma"
		case reveal.PartlyFused:
			s += ", fma in part"
		}
	}
	if f.Key.Out != f.Key.DType {
		s += " → " + f.Key.Out.String()
	}
	return s
}
