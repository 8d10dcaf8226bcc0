package portable

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lastbit/lastbit/internal/scratch"
)

// A vendoring is the vendor folder of a module. Its modules have no go.mod, so
// the go command cannot resolve a new requirement there: it reads temporary
// copies that have one.
type vendoring struct {
	dir    string // the folder
	list   string // its modules.txt
	copies string // the temporary folder, or ""
	remove func() // removes it
}

// openVendor returns the vendor folder of a module, or nil.
func openVendor(root string) (*vendoring, error) {
	dir := filepath.Join(root, "vendor")
	text, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &vendoring{dir: dir, list: string(text)}, err
}

// A vendored module is an entry of modules.txt.
type vendored struct{ path, version, goVersion string }

// modules returns the entries of modules.txt, without those that only say what
// replaces a module.
func (v *vendoring) modules() []vendored {
	var all []vendored
	for line := range strings.Lines(v.list) {
		f := strings.Fields(line)
		switch {
		case len(f) >= 3 && f[0] == "#" && f[2] != "=>":
			all = append(all, vendored{path: f[1], version: f[2]})
		case len(f) >= 3 && f[0] == "##" && f[len(f)-2] == "go" && len(all) > 0:
			all[len(all)-1].goVersion = f[len(f)-1]
		}
	}
	return all
}

// copyVendored copies the vendor folder and makes the go command read the
// copies of its modules. It is done once.
func (w *work) copyVendored(ctx context.Context) (err error) {
	m, v := w.module, w.module.vendor
	if v.copies != "" {
		return nil
	}
	if version.Compare("go"+m.goVersion(), "go1.17") < 0 {
		return &Error{Vendored, filepath.Join(m.root, "go.mod"),
			"a go.mod for Go " + m.goVersion() + " does not list all vendored modules",
			"run go mod tidy -go=" + lang(minGo) + " and go mod vendor first"}
	}
	if v.copies, v.remove, err = scratch.Dir(ctx, "", "lastbit-vendor-"); err != nil {
		return err
	}
	if err := os.CopyFS(v.copies, os.DirFS(v.dir)); err != nil {
		return err
	}
	for _, entry := range v.modules() {
		if entry.path == lastbit {
			continue
		}
		c := m.copyOf(entry.path)
		if c == nil {
			c = &Copy{Path: entry.path, Version: entry.version}
			m.copies = append(m.copies, c)
		}
		c.Vendored = true
		c.License = license(filepath.Join(v.dir, filepath.FromSlash(entry.path)))
		c.Dir = filepath.Join(v.copies, filepath.FromSlash(entry.path))
		if err := c.addModule(entry.goVersion); err != nil {
			return err
		}
	}
	return m.requirement(ctx, &w.o)
}

// addModule gives the copy of a vendored module a go.mod.
func (c *Copy) addModule(goVersion string) error {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	text := fmt.Sprintf("module %s\n\ngo %s\n", modfile.AutoQuote(c.Path), newerGo(goVersion))
	return os.WriteFile(filepath.Join(c.Dir, "go.mod"), []byte(text), 0o666)
}

// newerGo returns a go line that admits calls of generic functions.
func newerGo(line string) string {
	if version.Compare("go"+line, "go"+minGeneric) < 0 {
		return minGeneric
	}
	return line
}

// agrees returns an error if lastbit requires a newer module than the vendor
// folder has.
func (m *module) agrees() error {
	if m.vendor == nil {
		return nil
	}
	f, err := m.required()
	if err != nil {
		return err
	}
	all := m.newerModules(f)
	if len(all) == 0 {
		return nil
	}
	var names []string
	for _, r := range all {
		names = append(names, r.to.String())
	}
	return &Error{Vendored, filepath.Join(m.vendor.dir, filepath.FromSlash(all[0].to.Path)),
		"it is " + all[0].from.Version + ", and lastbit requires " + all[0].to.Version +
			" or a newer one",
		"run go get " + strings.Join(names, " ") + " and go mod vendor first, or use --only fma"}
}

// real returns the name of a file without the temporary folder of copies.
func (v *vendoring) real(name string) string {
	if v == nil || v.copies == "" || !inFolder(name, v.copies) {
		return name
	}
	return v.dir + strings.TrimPrefix(name, v.copies)
}

// finishVendored moves the rewritten files, the places and the copies to the
// vendor folder, and adds lastbit's packages to it.
func (w *work) finishVendored(ctx context.Context, r *Result) error {
	v := w.module.vendor
	if v == nil || v.copies == "" {
		return nil
	}
	for i := range r.Left.Places {
		at := &r.Left.Places[i].At
		at.File = v.real(at.File)
	}
	list := v.list
	for i := range r.Copies {
		c := &r.Copies[i]
		c.Dir = v.real(c.Dir)
		list = raiseGo(list, c.Path)
	}
	if w.module.imported {
		added, entries, err := w.vendorLastbit(ctx)
		if err != nil {
			return err
		}
		for name, text := range added {
			r.Files[filepath.Join(v.dir, name)] = text
		}
		list = mergeLists(list, entries)
		r.Notes = append(r.Notes, fmt.Sprintf("the vendor folder holds %d files of lastbit",
			len(added)))
	}
	for name, text := range r.Files {
		if at := v.real(name); at != name {
			delete(r.Files, name)
			r.Files[at] = text
		}
	}
	if list != v.list {
		r.Files[filepath.Join(v.dir, "modules.txt")] = []byte(list)
	}
	return nil
}

// raiseGo raises the go version of a module in modules.txt to one that admits
// calls of generic functions.
func raiseGo(list, path string) string {
	lines := strings.SplitAfter(list, "\n")
	for i, line := range lines {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "#" || f[1] != path || f[2] == "=>" || i+1 == len(lines) {
			continue
		}
		next := strings.Fields(lines[i+1])
		switch {
		case len(next) == 0 || next[0] != "##":
			lines[i] += "## go " + minGeneric + "\n"
		case next[len(next)-1] == "explicit":
			lines[i+1] = "## explicit; go " + minGeneric + "\n"
		default:
			next[len(next)-1] = newerGo(next[len(next)-1])
			lines[i+1] = strings.Join(next, " ") + "\n"
		}
	}
	return strings.Join(lines, "")
}

// vendorLastbit returns the files of lastbit that rewritten code imports, by
// their names in a vendor folder, and the lines of modules.txt about them.
func (w *work) vendorLastbit(ctx context.Context) (map[string][]byte, string, error) {
	dir, remove, err := scratch.Dir(ctx, "", "lastbit-vendor-")
	if err != nil {
		return nil, "", err
	}
	defer remove()
	if err := w.module.importer(dir, w.importsOfLastbit()); err != nil {
		return nil, "", err
	}
	if _, err := run(ctx, dir, "list", "-mod=mod", "-deps", "."); err != nil {
		return nil, "", err
	}
	if _, err := run(ctx, dir, "mod", "vendor"); err != nil {
		return nil, "", err
	}
	out := os.DirFS(filepath.Join(dir, "vendor"))
	files := map[string][]byte{}
	err = fs.WalkDir(out, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[filepath.FromSlash(name)], err = fs.ReadFile(out, name)
		return err
	})
	list := string(files["modules.txt"])
	delete(files, "modules.txt")
	return files, list, err
}

// importsOfLastbit returns the packages of lastbit that rewritten files import.
func (w *work) importsOfLastbit() []string {
	all := map[string]bool{}
	for name, text := range w.overlay {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			continue // it was type-checked
		}
		for _, s := range f.Imports {
			if path, err := strconv.Unquote(s.Path.Value); err == nil &&
				strings.HasPrefix(path, lastbit+"/") {
				all[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// importer makes a module in a folder that imports packages of the lastbit that
// this module requires.
func (m *module) importer(dir string, packages []string) error {
	f, err := m.required()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "module importer\n\ngo %s\n", minGo)
	for _, r := range f.Require {
		if r.Mod.Path == lastbit {
			fmt.Fprintf(&b, "require %s %s\n", r.Mod.Path, r.Mod.Version)
		}
	}
	for _, r := range f.Replace {
		if r.Old.Path == lastbit {
			to := r.New.Path
			if r.New.Version == "" && !filepath.IsAbs(to) {
				to = filepath.Join(m.root, to)
			}
			fmt.Fprintf(&b, "replace %s => %s %s\n", lastbit, modfile.AutoQuote(to), r.New.Version)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), b.Bytes(), 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(m.temp, "go.sum"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666); err != nil {
		return err
	}
	source := "package importer\n"
	for _, p := range packages {
		source += fmt.Sprintf("import _ %q\n", p)
	}
	return os.WriteFile(filepath.Join(dir, "importer.go"), []byte(source), 0o666)
}

// A block is the lines of modules.txt about a module.
type block struct {
	path   string
	unused bool // it only says what replaces the module
	head   []string
	pkgs   []string
}

// mergeLists adds the entries of a modules.txt to another.
func mergeLists(list, added string) string {
	all := blocks(list)
	for _, b := range blocks(added) {
		same := func(o *block) bool { return o.path == b.path && o.unused == b.unused }
		if i := slices.IndexFunc(all, same); i >= 0 {
			pkgs := append(all[i].pkgs, b.pkgs...)
			slices.Sort(pkgs)
			all[i].pkgs = slices.Compact(pkgs)
			continue
		}
		all = append(all, b)
	}
	slices.SortStableFunc(all, func(a, b *block) int {
		if a.unused != b.unused {
			if b.unused {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.path, b.path)
	})
	var text strings.Builder
	for _, b := range all {
		for _, line := range slices.Concat(b.head, b.pkgs) {
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

// blocks returns the parts of a modules.txt.
func blocks(list string) []*block {
	var all []*block
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\r\n")
		f := strings.Fields(line)
		switch {
		case len(f) >= 3 && f[0] == "#":
			all = append(all, &block{path: f[1], unused: f[2] == "=>", head: []string{line}})
		case len(all) == 0:
			all = append(all, &block{head: []string{line}}) // such as "## workspace"
		case strings.HasPrefix(line, "#"):
			all[len(all)-1].head = append(all[len(all)-1].head, line)
		default:
			all[len(all)-1].pkgs = append(all[len(all)-1].pkgs, line)
		}
	}
	return all
}

// close removes the temporary copies.
func (v *vendoring) close() {
	if v != nil && v.copies != "" {
		v.remove()
	}
}
