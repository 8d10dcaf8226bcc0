package check

import (
	"cmp"
	"slices"

	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
)

// add notes a sum at a position: where the line is longer than the compiler's
// positions, with the others from the last column on.
func (s *sums) add(at Position, found sum) {
	if at.Column < fused.MaxColumn {
		s.found[at] = found
		return
	}
	at.Column = fused.MaxColumn
	s.long[at] = append(s.long[at], found)
}

// inLongLine returns the sums that the compiler may mean by an operation in the
// last column: those with a product, or else all of them that may fuse.
func (s *sums) inLongLine(op fused.Op) []sum {
	all := slices.Clone(s.long[op.At])
	slices.SortFunc(all, func(a, b sum) int { return cmp.Compare(a.At, b.At) })
	all = slices.DeleteFunc(all, func(one sum) bool { return one.IsExact(isInlined(op)) })
	known := slices.DeleteFunc(slices.Clone(all), func(one sum) bool { return !one.HasProduct() })
	if len(known) > 0 {
		return known
	}
	return all
}

// longLine returns an operation in the last column as a finding without its
// message. Its edits round the products of all sums that it may be.
func (s *sums) longLine(op fused.Op) Finding {
	f := Finding{Package: op.Package, Analyzer: fma.Analyzer.Name, At: op.At, End: op.At,
		Through: op.Through}
	for _, one := range s.inLongLine(op) {
		fix, ok := one.Fix()
		if !ok {
			continue
		}
		for _, e := range edits(one.pkg, fix) {
			if !overlaps(f.Edits, e) && !slices.Contains(f.Edits, e) {
				f.Edits = append(f.Edits, e)
			}
		}
	}
	return f
}
