package describe

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal"
)

// Accelerator describes the matrix unit of a finding, in words: the units of
// the table that compute alike, or the arithmetic of one that is not there. It
// is empty where none was found.
func Accelerator(f *reveal.Finding) string {
	a := f.Accelerator
	if a == nil {
		return ""
	}
	var s strings.Builder
	switch len(a.Known) {
	case 0:
		s.WriteString("not in the table of matrix units: ")
	case 1:
		fmt.Fprintf(&s, "the same as sim:%s: ", a.Known[0])
	default:
		fmt.Fprintf(&s, "the same as the models %s: ", strings.Join(a.Known, ", "))
	}
	fmt.Fprintf(&s, "groups of %d products, %s", a.Arithmetic.Terms, a.Arithmetic.Structure)
	if a.Arithmetic.Bits > 0 {
		fmt.Fprintf(&s, ", terms keep %d bits (%s)", a.Arithmetic.Bits,
			modeName(a.Arithmetic.Align))
	}
	fmt.Fprintf(&s, ", results of %d bits (%s)", a.Arithmetic.Precision,
		modeName(a.Arithmetic.Round))
	if a.Subnormals != "kept" {
		fmt.Fprintf(&s, ", subnormal factors %s", a.Subnormals)
	}
	fmt.Fprintf(&s, "; %d of %d products replayed", a.Matched, a.Replayed)
	if len(a.Undetermined) > 0 {
		fmt.Fprintf(&s, "; not determined: %s", strings.Join(a.Undetermined, ", "))
	}
	return s.String()
}

// modeName returns the words for a rounding mode.
func modeName(m fp.Mode) string {
	switch m {
	case fp.TowardZero:
		return "toward zero"
	case fp.Down:
		return "down"
	case fp.Up:
		return "up"
	case fp.ToOdd:
		return "to odd"
	}
	return "to nearest even"
}
