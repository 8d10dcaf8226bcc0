package overview

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/report"
)

//go:embed page
var pageFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"join": func(list []string) string { return strings.Join(list, ", ") },
}).ParseFS(pageFiles, "page/*.html"))

// WriteHTML writes a report as one page: the answers, and a part for each
// section.
func WriteHTML(w io.Writer, r *Report) error {
	page := report.Page{Title: "How this machine and this project compute"}
	parts, err := r.parts()
	if err != nil {
		return err
	}
	page.Parts = parts
	page.Body, err = execute("answers", struct {
		*Report
		Contents []report.Part
		Absent   []*Section
		Began    string
	}{r, parts, r.in(Absent), r.Made.Format("2006-01-02 15:04 MST")})
	if err != nil {
		return err
	}
	return report.HTML(w, page)
}

// in returns the sections in a state.
func (r *Report) in(state State) (list []*Section) {
	for _, s := range r.Sections {
		if s.State == state {
			list = append(list, s)
		}
	}
	return list
}

// execute executes a template of the page.
func execute(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// parts returns the parts of the page.
func (r *Report) parts() ([]report.Part, error) {
	machine, err := r.machinePart()
	if err != nil {
		return nil, err
	}
	parts := []report.Part{machine}
	for _, t := range titles {
		s := r.section(t.verb)
		if s == nil || s.State == Absent {
			continue
		}
		part := report.Part{ID: s.ID, Title: s.Title}
		if part.Body, err = execute("state", s); err != nil {
			return nil, err
		}
		body, err := fillers[t.verb](r, &part)
		if err != nil {
			return nil, err
		}
		part.Body += body
		parts = append(parts, part)
	}
	return parts, nil
}

// fillers holds the functions that return the body of a part and add its
// drawings, by verb. A body is empty where the section has no findings.
var fillers = map[string]func(*Report, *report.Part) (template.HTML, error){
	"audit": fillWays, "libm": fillFunctions, "invariant": fillSweeps, "lock": fillLock,
	"vet": fillGo, "digits": fillDigits, "explain": fillPairs,
}

func (r *Report) machinePart() (report.Part, error) {
	part := report.Part{ID: "machine-part", Title: "This machine"}
	var err error
	if r.Audit != nil {
		part.Body, err = r.Audit.Place()
	} else {
		part.Body, err = execute("machine", r.Machine)
	}
	return part, err
}

func fillWays(r *Report, part *report.Part) (template.HTML, error) {
	if r.Audit == nil {
		return "", nil
	}
	body, err := r.Audit.AddTables(part)
	if err != nil || r.Agreement == nil {
		return body, err
	}
	agreement, err := execute("agreement", r.Agreement)
	return agreement + body, err
}

func fillFunctions(r *Report, _ *report.Part) (template.HTML, error) {
	if r.Libm == nil {
		return "", nil
	}
	return execute("functions", newFunctionsView(r.Libm))
}

func fillSweeps(r *Report, part *report.Part) (body template.HTML, err error) {
	for i, s := range r.Invariant {
		view := struct {
			*Sweep
			Anchor, Fault string
			Body          template.HTML
		}{Sweep: s, Anchor: fmt.Sprintf("invariance-%d", i+1)}
		if s.Error != nil {
			view.Fault = reason(s.Error)
		} else {
			view.Body, err = describe.AddInvariance(part, s.Result, view.Anchor+"-")
		}
		if err != nil {
			return "", err
		}
		b, err := execute("sweep", view)
		if err != nil {
			return "", err
		}
		body += b
	}
	return body, nil
}

func fillLock(r *Report, _ *report.Part) (template.HTML, error) {
	if r.Lock == nil {
		return "", nil
	}
	return execute("lock", r.Lock)
}

// fileView holds the places of a file.
type fileView struct {
	Name   string
	Places []placeView
	Open   bool
}

type placeView struct {
	Place
	Anchor string
}

// maxOpenFiles bounds the files whose places are not folded.
const maxOpenFiles = 4

func fillGo(r *Report, _ *report.Part) (template.HTML, error) {
	if r.Vet == nil {
		return "", nil
	}
	view := struct {
		*Vet
		Files  []fileView
		Faults []string
	}{Vet: r.Vet}
	for i, p := range r.Vet.Findings {
		n := len(view.Files)
		if n == 0 || view.Files[n-1].Name != p.File {
			view.Files = append(view.Files, fileView{Name: p.File, Open: n < maxOpenFiles})
			n++
		}
		view.Files[n-1].Places = append(view.Files[n-1].Places,
			placeView{p, fmt.Sprintf("go-%d", i+1)})
	}
	for _, f := range r.Vet.Failed {
		view.Faults = append(view.Faults, reason(f))
	}
	return execute("go", view)
}

func fillDigits(r *Report, _ *report.Part) (body template.HTML, err error) {
	for i, p := range r.Digits {
		view := struct {
			*Program
			Anchor, Fault, Shown string
			Listed               template.HTML
		}{Program: p, Anchor: fmt.Sprintf("digits-%d", i+1)}
		if p.Error != nil {
			view.Fault = reason(p.Error)
		} else {
			view.Shown = digits.Render([]byte(p.Output), p.Result.Tokens)
		}
		if p.Listing != nil {
			if view.Listed, err = listingBody(p.Listing, nearby); err != nil {
				return "", err
			}
		}
		b, err := execute("program", view)
		if err != nil {
			return "", err
		}
		body += b
	}
	return body, nil
}

func fillPairs(r *Report, _ *report.Part) (body template.HTML, err error) {
	for i, p := range r.Explain {
		view := struct {
			Anchor, Name, Fault string
			Body                template.HTML
			Alone               []string
		}{Anchor: fmt.Sprintf("differences-%d", i+1), Name: p.name(), Alone: p.alone()}
		if p.Error != nil {
			view.Fault = reason(p.Error)
		} else {
			view.Body = explainfiles.Body(p.Reports, p.Op != "")
		}
		b, err := execute("pair", view)
		if err != nil {
			return "", err
		}
		body += b
	}
	return body, nil
}

// WriteText writes the answers for a terminal.
func WriteText(w io.Writer, r *Report) {
	p := text.For(w)
	for _, a := range r.Answers {
		paint := map[Level]func(string) string{
			Good: p.Good, Look: p.Doubtful, Missing: p.Bad,
		}[a.Level]
		text.WriteWrapped(p, paint("• "), text.Visible(a.Text))
	}
	for _, s := range r.in(Absent) {
		text.WriteWrapped(p, "– ", s.Title+": "+s.Why)
	}
}
