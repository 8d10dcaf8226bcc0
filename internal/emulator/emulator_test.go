package emulator

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCommand looks for emulators in a PATH that has two of them.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"qemu-aarch64-static", "qemu-s390x", "qemu-s390x-static",
		"node"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for arch, want := range map[string][]string{
		"arm64": {filepath.Join(dir, "qemu-aarch64-static")},
		"s390x": {filepath.Join(dir, "qemu-s390x-static")},
		"wasm": {filepath.Join(dir, "node"), "--stack-size=8192",
			filepath.Join("root", "lib", "wasm", "wasm_exec_node.js")},
	} {
		if got, err := Command(arch, "root"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", arch, got, err, want)
		}
	}
	var missing *MissingError
	if _, err := Command("riscv64", "root"); !errors.As(err, &missing) ||
		missing.Program != "qemu-riscv64" || missing.Package != "qemu-user-static" {
		t.Errorf("riscv64: %v", err)
	}
	var unknown *UnknownError
	_, err := Command("sparc64", "root")
	if !errors.As(err, &unknown) || unknown.Arch != "sparc64" {
		t.Errorf("sparc64: %v", err)
	}
}
