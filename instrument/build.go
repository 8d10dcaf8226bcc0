package instrument

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runtimeFiles is the source of package perturb.
//
//go:embed perturb/*.go
var runtimeFiles embed.FS

// addRuntime writes package perturb into dir, and adds it to GOROOT among the
// files that replace others: so every module can import it.
func addRuntime(ctx context.Context, o Options, dir string, files map[string]string) error {
	out, err := command(ctx, o, "env", "GOROOT").Output()
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
		to := filepath.Join(dir, "perturb_"+e.Name())
		if err := os.WriteFile(to, src, 0o666); err != nil {
			return err
		}
		files[filepath.Join(root, e.Name())] = to
	}
	return nil
}

// compile builds the program with some files replaced.
func compile(ctx context.Context, o Options, binary, dir string, files map[string]string) error {
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return err
	}
	args := append([]string{"build", "-overlay", path, "-o", binary}, tagFlags(o.Tags)...)
	cmd := command(ctx, o, append(append(args, o.Modified...), o.Package)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("instrument: %s: go build: %w\n%s", o.Package, err, out.Bytes())
	}
	return nil
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
