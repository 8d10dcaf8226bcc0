// Package project looks for the parts of a project that lastbit can examine,
// and writes a lastbit.toml from them.
package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lastbit/lastbit/lockfile"
)

// Found holds the parts of a project.
type Found struct {
	Module   string   `json:"module"`   // of the go.mod in the folder; "" for none
	Gonum    bool     `json:"gonum"`    // whether the module requires gonum
	Programs []string `json:"programs"` // folders with a package main: "./cmd/model"
	Imports  []Import `json:"imports"`  // Python modules that lastbit knows
	Lock     bool     `json:"lock"`     // whether there is a lock file
}

// Import is a Python module, and the first file that imports it.
type Import struct {
	Module string `json:"module"`
	File   string `json:"file"`
}

// Bounds of the search.
const (
	maxFiles = 50_000
	maxBytes = 1 << 20 // of a file; longer ones are data
)

// imports matches the imports of modules that lastbit has targets of.
var imports = regexp.MustCompile(`(?m)^[ \t]*(?:import|from)[ \t]+(numpy|torch|jax)\b`)

// program matches the clause of a package main.
var program = regexp.MustCompile(`(?m)^package main\b`)

// errEnough ends a search.
var errEnough = errors.New("enough")

// Find looks through a folder. It leaves out hidden folders, folders of
// dependencies and of tests' data, and what it cannot read.
func Find(ctx context.Context, dir string) (*Found, error) {
	f := &Found{Programs: []string{}, Imports: []Import{}}
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
		f.readModule(text)
	}
	if _, err := os.Stat(filepath.Join(dir, lockfile.Name)); err == nil {
		f.Lock = true
	}
	files := 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil
		case d.IsDir() && name != "." && isForeign(dir, name):
			return fs.SkipDir
		}
		if files++; files > maxFiles {
			return errEnough
		}
		f.read(dir, name, d)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return f, err
}

// isForeign reports whether a folder holds somebody else's files, or a module
// of its own.
func isForeign(dir, name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
		slices.Contains([]string{"vendor", "node_modules", "testdata", "site-packages"}, base) {
		return true
	}
	for _, mark := range []string{"pyvenv.cfg", "go.mod"} {
		if _, err := os.Stat(filepath.Join(dir, name, mark)); err == nil {
			return true
		}
	}
	return false
}

// readModule reads a go.mod.
func (f *Found) readModule(text []byte) {
	f.Module = modfile.ModulePath(text)
	m, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return
	}
	for _, r := range m.Require {
		f.Gonum = f.Gonum || r.Mod.Path == "gonum.org/v1/gonum"
	}
}

// read looks into a file.
func (f *Found) read(dir, name string, d fs.DirEntry) {
	isGo := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && f.Module != ""
	if !isGo && path.Ext(name) != ".py" || !d.Type().IsRegular() {
		return
	}
	if info, err := d.Info(); err != nil || info.Size() > maxBytes {
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return
	}
	if isGo {
		if folder := path.Dir(name); program.Match(text) {
			if folder != "." {
				folder = "./" + folder
			}
			if !slices.Contains(f.Programs, folder) {
				f.Programs = append(f.Programs, folder)
			}
		}
		return
	}
	for _, m := range imports.FindAllSubmatch(text, -1) {
		module := string(m[1])
		if !slices.ContainsFunc(f.Imports, func(i Import) bool { return i.Module == module }) {
			f.Imports = append(f.Imports, Import{module, name})
		}
	}
}
