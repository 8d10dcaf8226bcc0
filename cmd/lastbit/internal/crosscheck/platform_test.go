package crosscheck

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/fused"
)

// TestPlatforms looks for the emulators of a PATH that has one, and names what
// is missing.
func TestPlatforms(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, whose emulators the test names")
	}
	dir := t.TempDir()
	qemu := filepath.Join(dir, "qemu-s390x-static")
	if err := os.WriteFile(qemu, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	why := map[string]string{
		"linux/amd64":  "",
		"amd64/v2":     "",
		"arm64":        "qemu-aarch64 is missing: apt-get install qemu-user-static",
		"s390x":        "",
		"wasm":         "node is missing: apt-get install nodejs",
		"darwin/arm64": "programs for darwin run there only",
		"wasip1/wasm":  "programs for wasip1 run there only",
	}
	var targets []fused.Target
	for _, name := range []string{"amd64", "linux/amd64", "amd64/v2", "arm64", "s390x", "wasm",
		"darwin/arm64", "wasip1/wasm"} {
		target, err := fused.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	all := platforms(targets, "root")
	if len(all) != len(why) {
		t.Errorf("%d platforms, want %d: this machine is there once", len(all), len(why))
	}
	for _, p := range all {
		if p.why != why[p.name] {
			t.Errorf("%s: %q, want %q", p.name, p.why, why[p.name])
		}
		if want := map[string][]string{"s390x": {qemu}}[p.name]; !slices.Equal(p.words, want) {
			t.Errorf("%s runs by %q, want %q", p.name, p.words, want)
		}
	}
}
