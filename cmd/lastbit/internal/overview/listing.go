package overview

import (
	"bytes"
	"html/template"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/report"
)

// WriteListing writes a listing as a page.
func WriteListing(w io.Writer, l *digits.Listing) error {
	body, err := listingBody(l, -1)
	if err != nil {
		return err
	}
	return report.HTML(w, report.Page{
		Title: "Digits lost", Body: body,
		Lead: "In the margin: decimal digits lost on a line; c cancellations; u comparisons that " +
			"differ between runs; n results that are NaN or infinite.",
	})
}

// nearby is the number of lines that a report shows around each marked line.
const nearby = 4

// listedFile is a file of a listing: runs of its lines.
type listedFile struct {
	Name  string
	Count int // of marked lines
	Runs  [][]digits.ListedLine
}

// Marked counts the marked lines in words.
func (f listedFile) Marked() string { return text.Count(f.Count, "marked line") }

// listingBody returns a listing with the given number of lines around each
// marked one, or all lines if around is negative. Parts of a file are folded.
func listingBody(l *digits.Listing, around int) (template.HTML, error) {
	view := struct {
		Folded bool
		Files  []listedFile
	}{Folded: around >= 0}
	for _, f := range l.Files {
		view.Files = append(view.Files, cut(f, around))
	}
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, "listing", view)
	return template.HTML(b.String()), err
}

// cut returns the lines of a file that are near marked ones.
func cut(f digits.ListedFile, around int) listedFile {
	out := listedFile{Name: f.Name}
	near := make([]bool, len(f.Lines))
	for i, line := range f.Lines {
		marked := line.Loss != nil || len(line.Roles) > 0
		if marked {
			out.Count++
		}
		for k := range near {
			if around < 0 || marked && k >= i-around && k <= i+around {
				near[k] = true
			}
		}
	}
	for i := range f.Lines {
		if !near[i] {
			continue
		}
		if i == 0 || !near[i-1] {
			out.Runs = append(out.Runs, nil)
		}
		last := len(out.Runs) - 1
		out.Runs[last] = append(out.Runs[last], f.Lines[i])
	}
	return out
}
