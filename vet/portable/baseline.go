package portable

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Entries returns a line for each place, sorted: its file relative to a folder,
// its kind and its line of the source, without white space around it. The
// numbers of lines are left out, so that a change above a place leaves its
// entry alone.
func (r *Report) Entries(dir string) []string {
	texts := map[string][]string{}
	var all []string
	for _, p := range r.Places {
		all = append(all, entry(p, dir, texts))
	}
	slices.Sort(all)
	return all
}

// entry returns the line of a place. It keeps the lines of files in texts.
func entry(p Place, dir string, texts map[string][]string) string {
	return entryAt(p.At.File, p.At.Line, p.Kind, dir, texts)
}

func entryAt(file string, at int, kind, dir string, texts map[string][]string) string {
	lines, ok := texts[file]
	if !ok {
		text, err := os.ReadFile(file)
		if err == nil {
			lines = strings.Split(string(text), "\n")
		}
		texts[file] = lines
	}
	line := ""
	if at <= len(lines) {
		line = strings.Join(strings.Fields(lines[at-1]), " ")
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	return file + ": " + kind + ": " + line
}

// CheckBaseline returns an error unless a text is a baseline. The error names
// the first line that is not an entry, FILE: KIND: SOURCE.
func CheckBaseline(text []byte) error {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if text := strings.TrimRight(string(line), "\r\n"); text != "" && !isEntry(text) {
			return fmt.Errorf("its line %d is not FILE: KIND: SOURCE", number)
		}
	}
	return nil
}

// isEntry reports whether a line names a file and a kind.
func isEntry(line string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool {
		return strings.Index(line, ": "+k.name+":") > 0
	})
}

// counts returns how often a baseline has each entry.
func counts(baseline []byte) map[string]int {
	left := map[string]int{}
	for line := range bytes.Lines(baseline) {
		if text := strings.TrimRight(string(line), "\r\n"); text != "" {
			left[text]++
		}
	}
	return left
}

// Known removes the places that a baseline lists from a report. It returns
// their number, and the number of entries that no place has any more. Of equal
// places in one file, which differ in their number alone, the last are new.
func (r *Report) Known(baseline []byte, dir string) (known, gone int) {
	left := counts(baseline)
	for _, n := range left {
		gone += n
	}
	texts := map[string][]string{}
	r.Places = slices.DeleteFunc(r.Places, func(p Place) bool {
		e := entry(p, dir, texts)
		if left[e] == 0 {
			return false
		}
		left[e]--
		known++
		gone--
		return true
	})
	return known, gone
}

// Analyzers returns the analyzers of all kinds of places. They leave out the
// places that a baseline lists, with files relative to a folder.
func Analyzers(baseline []byte, dir string) []*analysis.Analyzer {
	var all []*analysis.Analyzer
	for _, k := range kinds {
		if k.analyzer != nil {
			all = append(all, withoutKnown(k, baseline, dir))
		}
	}
	return all
}

// withoutKnown returns the analyzer of a kind, which reports new places only.
// A file is in one package, so each pass counts the entries anew.
func withoutKnown(k kind, baseline []byte, dir string) *analysis.Analyzer {
	a := *k.analyzer
	a.Run = func(pass *analysis.Pass) (any, error) {
		left, texts := counts(baseline), map[string][]string{}
		inner := *pass
		inner.Report = func(d analysis.Diagnostic) {
			at := pass.Fset.PositionFor(d.Pos, false)
			e := entryAt(at.Filename, at.Line, k.name, dir, texts)
			if left[e] > 0 {
				left[e]--
				return
			}
			pass.Report(d)
		}
		return k.analyzer.Run(&inner)
	}
	return &a
}
