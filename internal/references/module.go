package references

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// BibliographyFile is the bibliography's path below the module's root.
const BibliographyFile = "docs/references.bib"

// Change is a file of the module, before and after Rewrite.
type Change struct {
	Path, Old, New string
}

// isOthers matches files that nobody here wrote: generated ones, and gonum's.
var isOthers = regexp.MustCompile(`^// (Code generated |Copyright ©\d+ The Gonum Authors\.)`)

// Changes returns the Go files below root whose references differ from the
// bibliography.
func Changes(root string) ([]Change, error) {
	text, err := os.ReadFile(filepath.Join(root, BibliographyFile))
	if err != nil {
		return nil, err
	}
	bib, err := Parse(string(text))
	if err != nil {
		return nil, &fs.PathError{Op: "parse", Path: BibliographyFile, Err: err}
	}
	var changes []Change
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (name[0] == '.' || name == "references") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || isOthers.Match(source) {
			return err
		}
		full, err := bib.Rewrite(string(source))
		if err != nil {
			return &fs.PathError{Op: "rewrite", Path: path, Err: err}
		}
		if full != string(source) {
			changes = append(changes, Change{path, string(source), full})
		}
		return nil
	})
	return changes, err
}
