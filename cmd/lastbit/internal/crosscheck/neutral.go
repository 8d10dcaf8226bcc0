package crosscheck

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// neutralPath is the import path of a copy of package math without assembly,
// whose operations are not fused: it computes the same bits everywhere.
const neutralPath = "lastbit/neutral"

// plain is a processor that package math has no assembly for.
const plain = "mips64le"

// neutralRoot lets the copy take square roots in hardware, which rounds them
// correctly, as the software does.
const neutralRoot = `package math

import "math"

func Sqrt(x float64) float64 { return math.Sqrt(x) }
func sqrt(x float64) float64 { return math.Sqrt(x) }
`

var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

// addNeutral adds the copy to the files of an overlay.
func addNeutral(files map[string][]byte, goroot string) error {
	from := filepath.Join(goroot, "src", "math")
	to := filepath.Join(goroot, "src", filepath.FromSlash(neutralPath))
	c := build.Default
	c.GOARCH, c.GOOS, c.CgoEnabled = plain, "linux", false
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := c.MatchFile(from, name); err != nil || !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if name == "sqrt.go" {
			text = []byte(neutralRoot)
		}
		files[filepath.Join(to, name)] = constraint.ReplaceAll(text, nil)
	}
	return nil
}

// neutralFlag keeps the compiler from fusing in the copy.
const neutralFlag = "-gcflags=" + neutralPath + "=-d=fmahash=qn"
