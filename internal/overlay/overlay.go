// Package overlay gives the go command files in the place of those on disk.
package overlay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/scratch"
)

// Write writes files, by their absolute paths, to a folder, and returns the
// flag of the go command that puts them in the place of those on disk. The same
// file has the same name in the folder every time.
func Write(dir string, files map[string][]byte) (flag string, err error) {
	replace := map[string]string{}
	for name, text := range files {
		to := filepath.Join(dir, inFolder(name))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return "", err
		}
		replace[name] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return "-overlay=" + list, os.WriteFile(list, text, 0o666)
}

// inFolder returns the name that a file has in the folder.
func inFolder(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return fmt.Sprintf("%x-%s", h.Sum64(), filepath.Base(name))
}

// Restore puts the names of files in the place of their names in the folder of
// a flag, in a message of the go command.
func Restore(flag string, files map[string][]byte, text string) string {
	dir := filepath.Dir(strings.TrimPrefix(flag, "-overlay="))
	for name := range files {
		text = strings.ReplaceAll(text, filepath.Join(dir, inFolder(name)), name)
	}
	return text
}

// WriteTemp writes files to a new folder. It returns the flag, if there are
// files, and a function that removes the folder.
func WriteTemp(
	ctx context.Context, files map[string][]byte,
) (flags []string, remove func(), err error) {
	if len(files) == 0 {
		return nil, func() {}, nil
	}
	dir, remove, err := scratch.Dir(ctx, "", "lastbit-overlay-")
	if err != nil {
		return nil, nil, err
	}
	flag, err := Write(dir, files)
	if err != nil {
		remove()
		return nil, nil, err
	}
	return []string{flag}, remove, nil
}

// Load is packages.Load with files in the place of those on disk. With an
// overlay of its own packages.Load reads all packages that are imported from
// source, here it reads their types as the compiler wrote them. Files of
// packages that are read from source have to be on disk, too. Where the go
// command fails and lists no package, the error is its message.
func Load(
	config packages.Config, files map[string][]byte, patterns ...string,
) ([]*packages.Package, error) {
	ctx := cmp.Or(config.Context, context.Background())
	flags, remove, err := WriteTemp(ctx, files)
	if err != nil {
		return nil, err
	}
	defer remove()
	config.BuildFlags = append(flags, config.BuildFlags...)
	config.ParseFile = func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
		if other, ok := files[name]; ok {
			text = other
		}
		return parser.ParseFile(set, name, text, parser.AllErrors|parser.ParseComments)
	}
	all, err := packages.Load(&config, patterns...)
	if err != nil {
		return nil, Plain(err)
	}
	if len(all) == 0 {
		return nil, whyNone(ctx, &config, patterns)
	}
	return all, nil
}
