package portable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lastbit/lastbit/internal/scratch"
)

// minGeneric is the release that calls of generic functions need.
const minGeneric = "1.18"

// A Copy is a rewritten copy of a module that packages import.
type Copy struct {
	Path, Version string
	Dir           string // the folder of the copy
	License       string // its kind, or its file
	Files         int    // that were rewritten
	Vendored      bool   // it is in the vendor folder

	from     string // the folder of the module
	packages []string
}

// Replace returns the line of go.mod that puts the copy in the place of its
// module. A vendored copy needs none.
func (c Copy) Replace() string { return "replace " + c.Path + " => " + c.Dir }

// reached lists packages that others import, with their modules.
const reached = `{{if and (not .Standard) .Module}}{{if not .Module.Main}}{{.Module.Path}}` +
	"\t{{.Module.Version}}\t{{.Module.Dir}}\t{{.ImportPath}}{{end}}{{end}}"

// reachModules notes the modules that the packages import.
func (w *work) reachModules(ctx context.Context) error {
	args := []string{"list", "-deps", "-f", reached}
	if len(w.o.Tags) > 0 {
		args = append(args, tagFlag(w.o.Tags))
	}
	out, err := run(ctx, w.o.Dir, append(append(args, "--"), w.o.Patterns...)...)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(out) {
		f := strings.Split(strings.TrimRight(string(line), "\n"), "\t")
		if len(f) == 4 && f[0] != lastbit {
			w.module.reach(f[0], f[1], f[2], f[3])
		}
	}
	return nil
}

// copyModules copies the modules that the packages import to a new folder, and
// makes the go command read the copies.
func (w *work) copyModules(ctx context.Context) error {
	dir, err := filepath.Abs(filepath.Join(w.o.Dir, w.o.Copies))
	if filepath.IsAbs(w.o.Copies) {
		dir = w.o.Copies
	}
	if err != nil {
		return err
	}
	if err := w.module.admits(ctx, w.o.Go); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return &Error{NoCopies, dir, err.Error(), "name a new folder with --copies"}
	}
	w.module.copiesDir, w.module.copied = dir, scratch.Note(ctx, dir)
	for _, c := range w.module.copies {
		if err := c.make(dir); err != nil {
			return err
		}
	}
	return w.module.requirement(ctx, &w.o)
}

// reach notes a package of a module.
func (m *module) reach(path, version, from, pkg string) {
	if c := m.copyOf(path); c != nil {
		c.packages = append(c.packages, pkg)
		return
	}
	if m.vendor != nil {
		from = filepath.Join(m.vendor.dir, filepath.FromSlash(path))
	}
	m.copies = append(m.copies, &Copy{Path: path, Version: version, from: from, Dir: from,
		packages: []string{pkg}})
}

// copyOf returns the copy of a module, or nil.
func (m *module) copyOf(path string) *Copy {
	i := slices.IndexFunc(m.copies, func(c *Copy) bool { return c.Path == path })
	if i < 0 {
		return nil
	}
	return m.copies[i]
}

// copyWith returns the copy that holds a file, or nil. A module may have its
// folder inside the folder of another one.
func (m *module) copyWith(file string) *Copy {
	var found *Copy
	for _, c := range m.copies {
		if inFolder(file, c.Dir) && (found == nil || inFolder(c.Dir, found.Dir)) {
			found = c
		}
	}
	return found
}

// make copies the files of the module to a folder. Its go.mod, which it may
// lack, admits generic functions then.
func (c *Copy) make(dir string) error {
	c.Dir = filepath.Join(dir, filepath.FromSlash(c.Path))
	if c.Version != "" {
		c.Dir += "@" + c.Version
	}
	if err := os.CopyFS(c.Dir, os.DirFS(c.from)); err != nil {
		return err
	}
	c.License = license(c.from)
	name := filepath.Join(c.Dir, "go.mod")
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		text, err = []byte("module "+c.Path+"\n"), nil
	}
	if err != nil {
		return err
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return err
	}
	if f.Go == nil || version.Compare("go"+f.Go.Version, "go"+minGeneric) < 0 {
		if err := f.AddGoStmt(minGeneric); err != nil {
			return err
		}
	}
	if text, err = f.Format(); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// replaceCopies puts the copies into a go.mod.
func (m *module) replaceCopies(f *modfile.File) error {
	for _, c := range m.copies {
		for _, r := range slices.Clone(f.Replace) {
			if r.Old.Path == c.Path {
				if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
					return err
				}
			}
		}
		if err := f.AddReplace(c.Path, "", c.Dir, ""); err != nil {
			return err
		}
	}
	return nil
}

// withoutCopies returns a go.mod as it was before replaceCopies.
func (m *module) withoutCopies(text []byte) ([]byte, error) {
	if len(m.copies) == 0 {
		return text, nil
	}
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, c := range m.copies {
		if err := f.DropReplace(c.Path, ""); err != nil {
			return nil, err
		}
		for _, r := range m.file.Replace {
			if r.Old.Path != c.Path {
				continue
			}
			err := f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
			if err != nil {
				return nil, err
			}
		}
	}
	f.Cleanup()
	return f.Format()
}

// finishCopies removes the copies that were not rewritten, and returns the
// others.
func (w *work) finishCopies() ([]Copy, error) {
	var all []Copy
	for name := range w.overlay {
		if c := w.module.copyWith(name); c != nil {
			c.Files++
		}
	}
	for _, c := range w.module.copies {
		if c.Files > 0 {
			all = append(all, *c)
		} else if c.Vendored {
			continue
		} else if err := os.RemoveAll(c.Dir); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// licenses holds a text of each kind of licence, the more special one first.
var licenses = []struct{ text, kind string }{
	{"Apache License", "Apache-2.0"},
	{"Mozilla Public License", "MPL-2.0"},
	{"GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL"},
	{"GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"},
	{"GNU GENERAL PUBLIC LICENSE", "GPL"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Permission to use, copy, modify, and/or distribute", "ISC"},
	{"Neither the name", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
}

// license returns the kind of the licence in a folder and its file.
func license(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "no licence file"
	}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICEN") && !strings.HasPrefix(upper, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		joined := strings.Join(strings.Fields(string(text)), " ")
		for _, l := range licenses {
			if strings.Contains(joined, l.text) {
				return fmt.Sprintf("%s (%s)", l.kind, e.Name())
			}
		}
		return "see " + e.Name()
	}
	return "no licence file"
}
