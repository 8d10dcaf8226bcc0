package libm

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
)

// FormatName returns the name of a format in Go.
func FormatName(format fp.Format) string {
	if format == fp.Binary32 {
		return "float32"
	}
	return "float64"
}

// maxWhy bounds the characters of the reason why a library is absent.
const maxWhy = 90

// Write prints a fingerprint, without crmath's own functions.
func (f *Fingerprint) Write(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n", f.Machine)
	text.WriteWrapped(w, "",
		fmt.Sprintf("Each function with %d arguments, half of them typical, the others "+
			"of any size and where results overflow or vanish. "+
			"wrong: results that are not correctly rounded; "+
			"worst: the largest error; at: its arguments; hash: of all results.",
			FixedCount))
	fmt.Fprintln(w)
	rows := [][]string{{"function", "library", "wrong", "worst", "hash", "at"}}
	for _, p := range f.Prints {
		if p.Library != "crmath" {
			rows = append(rows, append([]string{p.name(), p.Version}, p.cells()...))
		}
	}
	text.Table(w, "", rows, 2)
	fmt.Fprintln(w)
	for _, r := range f.Right {
		fmt.Fprintf(w, "checked: crmath's results of %d functions of %s are the right ones, "+
			"with the hash %.8s of every machine\n", r.Functions, FormatName(r.DType), r.Hash)
	}
	for _, a := range f.Absent {
		fmt.Fprintf(w, "not here: %s (%s)\n", a.Library, text.Shorten(a.Why, maxWhy))
	}
}

// name returns the name of a function, with its format unless that is float64.
func (p *Print) name() string {
	if p.DType == fp.Binary64 {
		return p.Function
	}
	return p.Function + " " + p.DType.String()
}

// cells returns the columns of a print.
func (p *Print) cells() []string {
	at := make([]string, len(p.At))
	for i, x := range p.At {
		at[i] = string(x)
	}
	return []string{Percent(p.Wrong, p.Count), p.WorstWords(), p.Hash[:8], strings.Join(at, ", ")}
}

// Percent writes a share. Only an empty share is 0, and only a full one 100.
func Percent(part, whole int) string {
	share := 100 * float64(part) / float64(whole)
	switch {
	case part == 0 || part == whole:
		return fmt.Sprintf("%.0f %%", share)
	case share < 1 || share > 99:
		return fmt.Sprintf("%.3f %%", min(max(share, 0.001), 99.999))
	}
	return fmt.Sprintf("%.1f %%", share)
}

// WorstWords writes the largest error. An error above half a unit never reads
// as the 0.5 ULP of results that are all right.
func (p *Print) WorstWords() string {
	digits := ULPs(1 << 52) // ULPs of a number that is off by as much as itself
	if p.DType == fp.Binary32 {
		digits = 1 << 23
	}
	switch v := float64(p.Worst); {
	case p.Wrong == 0:
		return "0.5 ULP"
	case v == 0:
		return "sign of 0"
	case v != v:
		return "NaN"
	case p.Gave != "" && (p.Gave == "-"+p.Right || "-"+p.Gave == p.Right):
		return "wrong sign"
	case p.Worst >= digits:
		return "no digit right"
	case v < 0.5005:
		return fmt.Sprintf("%.4f ULP", math.Ceil(v*1e4)/1e4)
	case v < 1:
		return fmt.Sprintf("%.3f ULP", v)
	case v < 10:
		return fmt.Sprintf("%.2f ULP", v)
	case v < 100:
		return fmt.Sprintf("%.1f ULP", v)
	case v < 1e6:
		return fmt.Sprintf("%.0f ULP", v)
	default:
		return fmt.Sprintf("%.2g ULP", v)
	}
}
