// Command build builds the extension of DuckDB for this platform:
//
//	go run ./engines/duckdb/build -o lastbit.duckdb_extension
//
// It needs a C compiler.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/lastbit/lastbit/internal/footer"
)

func main() {
	out := flag.String("o", footer.File, "the file to write; DuckDB needs this name")
	flag.Parse()
	if err := build(*out); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// build writes the extension to a file.
func build(out string) error {
	dir, err := os.MkdirTemp("", "lastbit-duckdb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	library := filepath.Join(dir, "lastbit.so")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w",
		"-o", library, "github.com/lastbit/lastbit/engines/duckdb")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	b, err := os.ReadFile(library)
	if err != nil {
		return err
	}
	if b, err = footer.Append(b, runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	return os.WriteFile(out, b, 0o755)
}
