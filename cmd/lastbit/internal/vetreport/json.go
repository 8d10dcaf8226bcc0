package vetreport

import (
	"encoding/json"
	"io"

	"github.com/lastbit/lastbit/vet/check"
)

// A diagnostic is a finding in the JSON of go vet.
type diagnostic struct {
	Posn    string   `json:"posn"`
	End     string   `json:"end"`
	Message string   `json:"message"`
	Fixes   []fix    `json:"suggested_fixes,omitempty"`
	Targets []string `json:"targets,omitempty"`
	Through []string `json:"inlined_at,omitempty"`
}

// A fix is one in the JSON of go vet.
type fix struct {
	Message string `json:"message"`
	Edits   []edit `json:"edits"`
}

type edit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// JSON writes an object as go vet -json does: diagnostics by package and by
// analyzer.
func JSON(w io.Writer, r Report) error {
	tree := map[string]map[string][]diagnostic{}
	for _, f := range r.Findings {
		if tree[f.Package] == nil {
			tree[f.Package] = map[string][]diagnostic{}
		}
		d := diagnostic{Posn: f.At.String(), End: f.End.String(), Message: f.Message,
			Targets: f.Targets}
		for _, p := range f.Through {
			d.Through = append(d.Through, p.String())
		}
		if len(f.Edits) > 0 {
			d.Fixes = []fix{{"fix", edits(f)}}
		}
		tree[f.Package][f.Analyzer] = append(tree[f.Package][f.Analyzer], d)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(tree)
}

func edits(f check.Finding) []edit {
	var all []edit
	for _, e := range f.Edits {
		all = append(all, edit{e.File, e.Start, e.End, e.New})
	}
	return all
}
