package instrument

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// runtimeFiles is the source of package perturb.
//
//go:embed perturb/*.go
var runtimeFiles embed.FS

// build is a build of rewritten files in place of others. Files of the main
// module are an overlay. The go command takes no overlay of the module cache:
// other modules are copied, and the copies replace them.
type build struct {
	options Options
	dir     string
	main    *packages.Module
	all     []*packages.Package // of the program
	files   map[string]string   // replacements, by path
	copies  []moduleCopy
	env     environment

	rewritten []*packages.Package
}

// environment holds variables of the go command.
type environment struct{ GOROOT, GOMODCACHE, GOWORK string }

// A moduleCopy is a copy of a module that replaces it.
type moduleCopy struct {
	module *packages.Module
	dir    string
}

// put stores the new text of a file.
func (b *build) put(pkg *packages.Package, path string, text []byte) error {
	to := filepath.Join(b.dir, fmt.Sprintf("f%d.go", len(b.files)))
	if m := pkg.Module; m != nil && m.Dir != "" &&
		strings.HasPrefix(path, b.env.GOMODCACHE+string(filepath.Separator)) {
		copied, err := b.copyOf(m)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(m.Dir, path)
		if err != nil {
			return err
		}
		to = filepath.Join(copied, rel)
		return os.WriteFile(to, append([]byte("//line "+path+":1\n"), text...), 0o666)
	}
	b.files[path] = to
	return os.WriteFile(to, text, 0o666)
}

// copyOf returns the folder of a copy of a module: of the packages that belong
// to the program. A module from before Go had modules has no go.mod in the
// cache, but its copy has.
func (b *build) copyOf(m *packages.Module) (string, error) {
	for _, c := range b.copies {
		if c.module.Path == m.Path {
			return c.dir, nil
		}
	}
	to := filepath.Join(b.dir, fmt.Sprintf("module%d", len(b.copies)))
	b.copies = append(b.copies, moduleCopy{m, to})
	for _, name := range b.filesOf(m) {
		if err := copyFile(filepath.Join(to, name), filepath.Join(m.Dir, name)); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(filepath.Join(to, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		text := fmt.Sprintf("module %s\n", m.Path)
		return to, os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o666)
	}
	return to, nil
}

// filesOf returns the files of a module that the program is built from, by
// their paths in the module: all files in the folders of its packages, the
// files that they embed, and the whole of a module whose C code may include
// others.
func (b *build) filesOf(m *packages.Module) []string {
	names := make(map[string]bool)
	add := func(path string) {
		if rel, err := filepath.Rel(m.Dir, path); err == nil && filepath.IsLocal(rel) {
			names[rel] = true
		}
	}
	addAll := func(dir string, all bool) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err == nil && !d.IsDir():
				add(path)
			case err == nil && path != dir && !all:
				return filepath.SkipDir
			}
			return nil
		})
	}
	for _, p := range b.all {
		if p.Module == nil || p.Module.Path != m.Path {
			continue
		}
		usesC := slices.ContainsFunc(p.GoFiles, func(f string) bool {
			return !slices.Contains(p.CompiledGoFiles, f)
		})
		if usesC {
			addAll(m.Dir, true)
			break
		}
		addAll(filepath.Dir(p.GoFiles[0]), false)
		for _, f := range p.EmbedFiles {
			add(f)
		}
	}
	if path := filepath.Join(m.Dir, "go.mod"); isFile(path) {
		add(path)
	}
	return slices.Sorted(maps.Keys(names))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func copyFile(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// failures returns the packages of other modules that an error of compile names
// and that were rewritten.
func (b *build) failures(err error) []string {
	var failed *compileError
	if !errors.As(err, &failed) {
		return nil
	}
	var all []string
	for line := range strings.Lines(failed.output) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "#" {
			continue
		}
		for _, p := range b.rewritten {
			if p.PkgPath == words[1] && !(p.Module != nil && p.Module.Main) {
				all = append(all, p.PkgPath)
			}
		}
	}
	return all
}

// A compileError is an error of the go command.
type compileError struct {
	pkg, verb, output string
	err               error
}

func (e *compileError) Error() string {
	return fmt.Sprintf("instrument: %s: go %s: %v\n%s", e.pkg, e.verb, e.err, e.output)
}

func (e *compileError) Unwrap() error { return e.err }

// readEnvironment asks the go command for its variables.
func readEnvironment(ctx context.Context, o Options) (e environment, err error) {
	out, err := command(ctx, o, "env", "-json", "GOROOT", "GOMODCACHE", "GOWORK").Output()
	if err != nil {
		return e, fmt.Errorf("instrument: go env: %w", err)
	}
	return e, json.Unmarshal(out, &e)
}

// addRuntime writes package perturb, and adds it to GOROOT among the files that
// replace others: so every module can import it.
func (b *build) addRuntime() error {
	root := filepath.Join(b.env.GOROOT, "src", filepath.FromSlash(RuntimePath))
	entries, err := fs.ReadDir(runtimeFiles, "perturb")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		src, err := runtimeFiles.ReadFile("perturb/" + e.Name())
		if err != nil {
			return err
		}
		to := filepath.Join(b.dir, "perturb_"+e.Name())
		if err := os.WriteFile(to, src, 0o666); err != nil {
			return err
		}
		b.files[filepath.Join(root, e.Name())] = to
	}
	return nil
}

// compile builds a package by a verb of the go command.
func (b *build) compile(ctx context.Context, binary string, verb []string, pkg string) error {
	overlay, err := json.Marshal(map[string]any{"Replace": b.files})
	if err != nil {
		return err
	}
	path := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return err
	}
	args := append(slices.Clone(verb), "-overlay", path, "-o", binary)
	args = append(args, tagFlags(b.options.Tags)...)
	var env []string
	switch {
	case len(b.copies) == 0:
	case b.env.GOWORK != "" && b.env.GOWORK != "off":
		workfile, err := b.writeWorkfile(ctx)
		if err != nil {
			return err
		}
		env = append(os.Environ(), "GOWORK="+workfile)
	default:
		modfile, err := b.writeModfile(ctx)
		if err != nil {
			return err
		}
		args = append(args, "-mod=mod", "-modfile="+modfile)
	}
	cmd := command(ctx, b.options, append(args, pkg)...)
	cmd.Env = env
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		return &compileError{pkg, verb[0], text.String(), err}
	}
	return nil
}

// writeModfile writes a go.mod, with its go.sum, that replaces modules by their
// copies.
func (b *build) writeModfile(ctx context.Context) (string, error) {
	if b.main == nil {
		return "", errors.New("instrument: other modules can be rewritten in a module only")
	}
	to := filepath.Join(b.dir, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(b.main.Dir, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(b.dir, name), text, 0o666); err != nil {
			return "", err
		}
	}
	args := []string{"mod", "edit"}
	for _, c := range b.copies {
		if c.module.Replace != nil {
			args = append(args, "-dropreplace="+c.module.Path+"@"+c.module.Version)
		}
		args = append(args, "-replace="+c.module.Path+"="+c.dir)
	}
	if out, err := command(ctx, b.options, append(args, to)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("instrument: go mod edit: %w\n%s", err, out)
	}
	return to, nil
}

// A workspace is a go.work file.
type workspace struct {
	Go      string
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// writeWorkfile writes a go.work, with its go.work.sum, that replaces modules
// by their copies.
func (b *build) writeWorkfile(ctx context.Context) (string, error) {
	out, err := command(ctx, b.options, "work", "edit", "-json", b.env.GOWORK).Output()
	var w workspace
	if err == nil {
		err = json.Unmarshal(out, &w)
	}
	if err != nil {
		return "", fmt.Errorf("instrument: %s: %w", b.env.GOWORK, err)
	}
	home := filepath.Dir(b.env.GOWORK)
	absolute := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(home, path)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "go %s\n", w.Go)
	for _, u := range w.Use {
		fmt.Fprintf(&text, "use %q\n", absolute(u.DiskPath))
	}
	copied := map[string]bool{}
	for _, c := range b.copies {
		copied[c.module.Path] = true
		fmt.Fprintf(&text, "replace %s => %q\n", c.module.Path, c.dir)
	}
	for _, r := range w.Replace {
		if copied[r.Old.Path] {
			continue
		}
		if r.New.Version == "" {
			r.New.Path = absolute(r.New.Path)
		}
		fmt.Fprintf(&text, "replace %s %s => %q %s\n", r.Old.Path, r.Old.Version, r.New.Path,
			r.New.Version)
	}
	if sum, err := os.ReadFile(b.env.GOWORK + ".sum"); err == nil {
		if err := os.WriteFile(filepath.Join(b.dir, "go.work.sum"), sum, 0o666); err != nil {
			return "", err
		}
	}
	to := filepath.Join(b.dir, "go.work")
	return to, os.WriteFile(to, []byte(text.String()), 0o666)
}

func command(ctx context.Context, o Options, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.Dir
	return cmd
}
