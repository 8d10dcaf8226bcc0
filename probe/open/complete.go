package open

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Complete returns the addresses that begin with the typed text, for a shell's
// completion. It starts no process. For the user's own code it returns the
// scheme ("clib:"), and after a scheme the files and folders that match the
// typed path ("clib:./build/"). A shell adds no space after a word that ends in
// a colon or a slash. Where a driver has names of its own, only text with a
// slash is a path.
func (t Table) Complete(typed string) []string {
	var words []string
	for _, name := range t.Names() {
		if strings.HasPrefix(name, typed) {
			words = append(words, name)
		}
	}
	for _, d := range t {
		if len(d.Yours) == 0 {
			continue
		}
		scheme := d.Yours[0][:strings.IndexByte(d.Yours[0], ':')+1]
		path, ok := strings.CutPrefix(typed, scheme)
		switch {
		case !ok && strings.HasPrefix(scheme, typed):
			words = append(words, scheme)
		case ok && (d.Names == nil || strings.ContainsAny(path, `/\`)):
			words = append(words, paths(scheme, path)...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// paths returns the files and folders whose path begins with the typed text,
// each after the scheme. It omits hidden ones unless the text names them.
func paths(scheme, typed string) []string {
	dir, start := filepath.Split(typed)
	where := dir
	if where == "" {
		where = "."
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return nil
	}
	var words []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, start) || start == "" && name[0] == '.' {
			continue
		}
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		words = append(words, scheme+dir+name)
	}
	return words
}
