package digits

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A Listing is the source of the files that lose digits, with the losses in the
// margin.
type Listing struct{ Files []ListedFile }

// A ListedFile is a file of a listing.
type ListedFile struct {
	Name  string
	Lines []ListedLine
}

// A ListedLine is a line of the source. Loss is nil where nothing is lost.
type ListedLine struct {
	Number int
	Text   string
	Loss   *Line
	Roles  []string // of Guilty
}

// NewListing reads the files of a report, whose paths a program has.
func NewListing(r *Report, paths map[string]string) (*Listing, error) {
	var l Listing
	for i, line := range r.Lines {
		if !slices.ContainsFunc(r.Lines[:i], func(o Line) bool { return o.File == line.File }) {
			text, err := os.ReadFile(paths[line.File])
			if err != nil {
				return nil, fmt.Errorf("digits: %s: %w", line.File, err)
			}
			l.Files = append(l.Files, listedFile(r, line.File, string(text)))
		}
	}
	slices.SortFunc(l.Files, func(a, b ListedFile) int { return cmp.Compare(a.Name, b.Name) })
	return &l, nil
}

func listedFile(r *Report, name, text string) ListedFile {
	f := ListedFile{Name: name}
	for i, s := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line := ListedLine{Number: i + 1, Text: s}
		for k := range r.Lines {
			if r.Lines[k].File == name && r.Lines[k].Line == i+1 {
				line.Loss = &r.Lines[k]
			}
		}
		for _, g := range r.Blame {
			if g.File == name && g.Line == i+1 {
				line.Roles = append(line.Roles, g.Role)
			}
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}

// Margin returns the digits lost, and marks for cancellations (c), comparisons
// that differ between runs (u) and results that are NaN or infinite (n).
func (l ListedLine) Margin() string {
	if l.Loss == nil {
		return ""
	}
	marks := ""
	for _, m := range []struct {
		mark string
		n    uint64
	}{{"c", l.Loss.Cancellations}, {"u", l.Loss.Unstable}, {"n", l.Loss.NaN}} {
		if m.n > 0 {
			marks += m.mark
		}
	}
	if l.Loss.Lost < minLoss {
		return marks
	}
	return strings.TrimSpace(fmt.Sprintf("%.1f %s", l.Loss.Lost, marks))
}

// Shade returns the strength of a line's colour, from 0 to 1.
func (l ListedLine) Shade() float64 {
	if l.Loss == nil {
		return 0
	}
	return 0.15 + 0.65*l.Loss.Lost/MaxDigits
}

// WriteText writes the listing as text.
func (l *Listing) WriteText(w io.Writer) error {
	for _, f := range l.Files {
		if _, err := fmt.Fprintf(w, "\n%s\n", f.Name); err != nil {
			return err
		}
		for _, line := range f.Lines {
			roles := strings.Join(line.Roles, ", ")
			if roles != "" {
				roles = "  <- " + roles
			}
			text := fmt.Sprintf("%8s |%5d  %s%s", line.Margin(), line.Number, line.Text, roles)
			if _, err := fmt.Fprintln(w, strings.TrimRight(text, " ")); err != nil {
				return err
			}
		}
	}
	return nil
}
