package instrument

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// TestStopped ends a program that prints a line and waits for ever.
func TestStopped(t *testing.T) {
	t.Parallel()
	require.Program(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/endless\n\ngo 1.24\n",
		"main.go": `package main

import "fmt"

func main() {
	x := 1.0
	fmt.Println(x / 3)
	for x > 0 {
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Build(context.Background(), Options{Dir: dir, Package: "."}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(context.Background(), Input{Limit: time.Second}, Settings{Profile: true})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Stopped || string(out.Stdout) != "0.3333333333333333\n" {
		t.Errorf("stopped: %v, output %q", out.Stopped, out.Stdout)
	}
}
