// Command create builds the page that runs in a browser: one folder, which
// needs no server.
//
//	go run ./cmd/lastbitweb/create [-o dist/web]
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// maxBytes bounds the program, compressed.
const maxBytes = 5_000_000

func main() {
	out := flag.String("o", "dist/web", "the `folder` for the page")
	source := flag.String("source", ".", "the `folder` of lastbit's module")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := create(ctx, *source, *out); err != nil {
		fmt.Fprintln(os.Stderr, "create:", err)
		os.Exit(1)
	}
}

func create(ctx context.Context, source, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	files := os.DirFS(filepath.Join(source, "cmd/lastbitweb/static"))
	for _, name := range []string{"index.html", "page.css", "page.js"} { // of an earlier build
		if err := os.RemoveAll(filepath.Join(out, name)); err != nil {
			return err
		}
	}
	if err := os.CopyFS(out, files); err != nil {
		return err
	}
	runtime, err := goRuntime(ctx)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "go.js"), runtime, 0o644); err != nil {
		return err
	}
	program, err := program(ctx, source)
	if err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB compressed\n", out, float64(len(program))/1e6)
	if len(program) > maxBytes {
		return fmt.Errorf("the program has more than %d bytes", maxBytes)
	}
	text := "\"use strict\";\nconst program =\n  \"" +
		base64.StdEncoding.EncodeToString(program) + "\";\n"
	return os.WriteFile(filepath.Join(out, "program.js"), []byte(text), 0o644)
}

// goRuntime returns the file of the Go distribution that starts a program in a
// browser.
func goRuntime(ctx context.Context) ([]byte, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
}

// program builds the program, and compresses it.
func program(ctx context.Context, source string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "lastbit-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "lastbit.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w", "-o", built, "./cmd/lastbitweb")
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	content, err := os.ReadFile(built)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(content); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
