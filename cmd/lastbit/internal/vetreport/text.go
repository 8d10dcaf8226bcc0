// Package vetreport writes what lastbit vet found: as text for people, as the
// JSON of go vet, as SARIF, and as commands of GitHub's workflows.
package vetreport

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/vet"
	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/fma"
)

// A Report is a result with the analyzers that found it.
type Report struct {
	*check.Result
	Analyzers []*analysis.Analyzer
	Version   string          // of lastbit
	Asked     bool            // the compiler, for fused operations
	Fixed     []check.Finding // by --fix, before the result
}

// Text writes a line that answers the question, one for each place, and one
// about what was not asked.
func Text(w io.Writer, r Report) {
	places(w, r)
	if r.Asked || !slices.Contains(r.Analyzers, fma.Analyzer) {
		return
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "fma read the sources only; --target arm64 asks the compiler what it fuses")
}

// places writes what Text does about the findings.
func places(w io.Writer, r Report) {
	if n := len(r.Fixed); n > 0 {
		fmt.Fprintf(w, "%s rewritten in %s\n", count(n, "place"), count(fileCount(r.Fixed), "file"))
	}
	if len(r.Findings) == 0 {
		fmt.Fprintf(w, "nothing found in %s%s\n", count(r.Packages, "package"), unread(r))
		return
	}
	verb := "compute"
	if len(r.Findings) == 1 {
		verb = "computes"
	}
	fmt.Fprintf(w, "%s %s other bits elsewhere: %s%s\n", count(len(r.Findings), "place"), verb,
		strings.Join(r.Counts(vet.Names(r.Analyzers)), ", "), unread(r))
	pkg := ""
	for _, f := range r.Findings {
		if f.Package != pkg {
			pkg = f.Package
			fmt.Fprintf(w, "\n%s\n", pkg)
		}
		fmt.Fprintf(w, "%s: %s (%s)\n", place(f.At), text.Visible(f.Message), f.Analyzer)
	}
}

// unread returns what the first line says of packages that failed.
func unread(r Report) string {
	if len(r.Failed) == 0 {
		return ""
	}
	return "; " + count(len(r.Failed), "package") + " could not be examined"
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func fileCount(all []check.Finding) int {
	files := map[string]bool{}
	for _, f := range all {
		files[f.At.File] = true
	}
	return len(files)
}

// place returns a position as people type it: relative to the current folder
// where the file is below it.
func place(p check.Position) string {
	p.File = Relative(p.File)
	return p.String()
}

// Relative returns a path relative to the current folder, if it is below it.
func Relative(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// GitHub writes a workflow command for each place, which GitHub shows beside
// the line of a change.
func GitHub(w io.Writer, r Report) {
	for _, f := range r.Findings {
		Annotate(w, "warning", "lastbit vet "+f.Analyzer, f.At, f.Message)
	}
}

// Annotate writes a workflow command of a level, warning or error, with a title
// and a message for a place.
func Annotate(w io.Writer, level, title string, at check.Position, message string) {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", level,
		property.Replace(filepath.ToSlash(Relative(at.File))), at.Line, at.Column,
		property.Replace(title), text.Replace(message))
}
