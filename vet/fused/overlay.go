package fused

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lastbit/lastbit/internal/scratch"
)

// overlay writes the overlay to files for the go command. It returns the flag
// that names them, if any, and a function that removes them.
func (b Build) overlay(ctx context.Context) (flags []string, remove func(), err error) {
	if len(b.Overlay) == 0 {
		return nil, func() {}, nil
	}
	dir, remove, err := scratch.Dir(ctx, "", "lastbit-overlay-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	replace := map[string]string{}
	for file, text := range b.Overlay {
		path := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(file)))
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return nil, nil, err
		}
		replace[file] = path
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, list, 0o666); err != nil {
		return nil, nil, err
	}
	return []string{"-overlay=" + path}, remove, nil
}
