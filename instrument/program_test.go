package instrument

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestNames names files of several modules, vendored ones among them.
func TestNames(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := func(elements ...string) string {
		return filepath.Join(append([]string{root}, elements...)...)
	}
	program := &packages.Module{Path: "example.com/a", Dir: file("a")}
	other := &packages.Module{Path: "example.com/b", Dir: file("b")}
	vendored := &packages.Module{Path: "example.com/c"}
	taken := map[string]string{"main.go": file("a", "main.go")}
	for _, c := range []struct {
		module *packages.Module
		path   string
		want   string
	}{
		{program, file("a", "main.go"), "main.go"},
		{program, file("a", "x", "y.go"), "x/y.go"},
		{other, file("b", "main.go"), "example.com/b/main.go"},
		{other, file("b", "b.go"), "b.go"},
		{vendored, file("a", "vendor", "example.com", "c", "d", "c.go"), "d/c.go"},
		{vendored, file("a", "vendor", "example.com", "c", "main.go"), "example.com/c/main.go"},
		{nil, file("single.go"), "single.go"},
	} {
		if got := nameOf(taken, &packages.Package{Module: c.module}, c.path); got != c.want {
			t.Errorf("%s is %s, not %s", c.path, got, c.want)
		}
	}
}
