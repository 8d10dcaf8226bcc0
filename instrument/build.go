package instrument

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// runtimeFiles is the source of package perturb.
//
//go:embed perturb/*.go
var runtimeFiles embed.FS

// build is a build of rewritten files in place of others. Those of the main
// module are an overlay. The go command takes no overlay of the module cache:
// other modules are copied, and the copies replace them.
type build struct {
	options Options
	dir     string
	main    *packages.Module
	files   map[string]string // replacements, by path
	copies  []moduleCopy
}

// A moduleCopy is a copy of a module that replaces it.
type moduleCopy struct {
	module *packages.Module
	dir    string
}

// put stores the new text of a file.
func (b *build) put(pkg *packages.Package, path string, text []byte) error {
	to := filepath.Join(b.dir, fmt.Sprintf("f%d.go", len(b.files)))
	if m := pkg.Module; m != nil && !m.Main && m.Dir != "" && !b.isInMain(path) {
		copied, err := b.copyOf(m)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(m.Dir, path)
		if err != nil {
			return err
		}
		to = filepath.Join(copied, rel)
		return os.WriteFile(to, text, 0o666)
	}
	b.files[path] = to
	return os.WriteFile(to, text, 0o666)
}

// isInMain reports whether a file lies in the main module: vendored, perhaps.
func (b *build) isInMain(path string) bool {
	return b.main != nil && strings.HasPrefix(path, b.main.Dir+string(filepath.Separator))
}

// copyOf returns the folder of a copy of a module.
func (b *build) copyOf(m *packages.Module) (string, error) {
	for _, c := range b.copies {
		if c.module.Path == m.Path {
			return c.dir, nil
		}
	}
	to := filepath.Join(b.dir, fmt.Sprintf("module%d", len(b.copies)))
	err := filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(m.Dir, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o666)
	})
	b.copies = append(b.copies, moduleCopy{m, to})
	return to, err
}

// addRuntime writes package perturb, and adds it to GOROOT among the files that
// replace others: so every module can import it.
func (b *build) addRuntime(ctx context.Context) error {
	out, err := command(ctx, b.options, "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("instrument: go env GOROOT: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(RuntimePath))
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

// compile builds the program.
func (b *build) compile(ctx context.Context, binary string) error {
	overlay, err := json.Marshal(map[string]any{"Replace": b.files})
	if err != nil {
		return err
	}
	path := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return err
	}
	args := append([]string{"build", "-overlay", path, "-o", binary}, tagFlags(b.options.Tags)...)
	if len(b.copies) > 0 {
		modfile, err := b.writeModfile(ctx)
		if err != nil {
			return err
		}
		args = append(args, "-mod=mod", "-modfile="+modfile)
	}
	cmd := command(ctx, b.options, append(args, b.options.Package)...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("instrument: %s: go build: %w\n%s", b.options.Package, err, text.Bytes())
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
		args = append(args, "-replace="+c.module.Path+"="+c.dir)
	}
	if out, err := command(ctx, b.options, append(args, to)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("instrument: go mod edit: %w\n%s", err, out)
	}
	return to, nil
}

func command(ctx context.Context, o Options, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.Dir
	return cmd
}

func importsC(f *ast.File) bool {
	for _, i := range f.Imports {
		if i.Path.Value == `"C"` {
			return true
		}
	}
	return false
}
