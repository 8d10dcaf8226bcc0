package crosscheck

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// recordFiles is the source of package record.
//
//go:embed record/*.go
var recordFiles embed.FS

// exitHook is a file more of package record: the log ends when the program
// exits, by whatever way. The module itself may not import the hooks.
const exitHook = `package record

import "internal/runtime/exithook"

func init() { exithook.Add(exithook.Hook{F: Flush, RunOnFailure: true}) }
`

// addRecord adds package record to the files of an overlay, in the folder of
// the Go distribution.
func addRecord(files map[string][]byte, goroot string) error {
	dir := filepath.Join(goroot, "src", filepath.FromSlash(recordPath))
	entries, err := fs.ReadDir(recordFiles, "record")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := recordFiles.ReadFile("record/" + e.Name())
		if err != nil {
			return err
		}
		files[filepath.Join(dir, e.Name())] = text
	}
	files[filepath.Join(dir, "exit.go")] = []byte(exitHook)
	return nil
}

// A program is a test program.
type program struct {
	pkg    string
	binary string
	dir    string // its working folder
}

// buildTests builds the test programs of packages in a folder. It returns the
// packages that do not compile, too, with the reason.
func (o *Options) buildTests(
	ctx context.Context, p platform, s *sources, paths []string, dir string, flags []string,
) (programs []program, failed map[string]string, err error) {
	failed = map[string]string{}
	for i, pkg := range paths {
		binary := filepath.Join(dir, fmt.Sprintf("%d-%s.test", i, path.Base(pkg)))
		args := slices.Concat([]string{"test", "-c", "-vet=off", "-p=1", "-ldflags=-s -w", "-o",
			binary}, o.tagFlags(), flags, []string{pkg})
		_, err := o.goCommand(ctx, p, args...)
		var build *BuildError
		switch {
		case errors.As(err, &build):
			failed[pkg] = build.Output
			continue
		case err != nil:
			return nil, nil, err
		}
		if _, err := os.Stat(binary); err == nil { // it has tests
			programs = append(programs, program{pkg, binary, s.folder(pkg)})
		}
	}
	return programs, failed, nil
}
