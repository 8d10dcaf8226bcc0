package vetreport

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/lastbit/lastbit/internal/sarif"
	"github.com/lastbit/lastbit/vet/check"
)

// SARIF writes a log of SARIF 2.1.0. Paths below the current folder are
// relative, so that a service finds them in a repository.
func SARIF(w io.Writer, r Report) error {
	log := sarif.Log{Tool: "lastbit", Version: r.Version}
	for _, a := range r.Analyzers {
		title, _, _ := strings.Cut(a.Doc, "\n")
		log.Rules = append(log.Rules, sarif.Rule{ID: a.Name, Short: title, Full: a.Doc})
	}
	for _, f := range r.Findings {
		log.Results = append(log.Results, sarif.Result{
			Rule: f.Analyzer, Level: "warning", Message: f.Message,
			File: uri(f.At.File), Line: f.At.Line, Column: character(f.At),
		})
	}
	return log.Write(w)
}

// uri returns the name of a file as a URI.
func uri(file string) string {
	file = Relative(file)
	u := url.URL{Path: filepath.ToSlash(file)}
	if !filepath.IsAbs(file) {
		return u.String()
	}
	if u.Scheme = "file"; !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // C:/
	}
	return u.String()
}

// character returns the column of a position in characters, where the compiler
// counts bytes.
func character(p check.Position) int {
	text, err := os.ReadFile(p.File)
	if err != nil {
		return p.Column
	}
	lines := bytes.SplitN(text, []byte("\n"), p.Line+1)
	if p.Line > len(lines) || p.Column-1 > len(lines[p.Line-1]) {
		return p.Column
	}
	return utf8.RuneCount(lines[p.Line-1][:p.Column-1]) + 1
}
