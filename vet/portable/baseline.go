package portable

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	file := p.At.File
	lines, ok := texts[file]
	if !ok {
		text, err := os.ReadFile(file)
		if err == nil {
			lines = strings.Split(string(text), "\n")
		}
		texts[file] = lines
	}
	line := ""
	if p.At.Line <= len(lines) {
		line = strings.Join(strings.Fields(lines[p.At.Line-1]), " ")
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	return file + ": " + p.Kind + ": " + line
}

// Known removes the places that a baseline lists from a report. It returns
// their number, and the number of entries that no place has any more. Of equal
// places in one file, which differ in their number alone, the last are new.
func (r *Report) Known(baseline []byte, dir string) (known, gone int) {
	left := map[string]int{}
	for line := range bytes.Lines(baseline) {
		if text := strings.TrimRight(string(line), "\r\n"); text != "" {
			left[text]++
			gone++
		}
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
