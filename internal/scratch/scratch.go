// Package scratch makes temporary folders that a program can remove at once,
// before it ends in the middle of its work.
//
// The functions that make folders get a context, and the program that made the
// context removes what is left of them:
//
//	ctx, folders := scratch.With(context.Background())
//	…
//	dir, remove, err := scratch.Dir(ctx, "", "name-")
//	defer remove()
//	…
//	folders.Remove() // from a handler of signals
//
// With another context the folders are left to their makers.
package scratch

import (
	"context"
	"maps"
	"os"
	"slices"
	"sync"
)

// Folders holds the folders of a context that are not removed yet.
type Folders struct {
	mu  sync.Mutex
	all map[string]bool
}

type key struct{}

// With returns a context that keeps a list of folders.
func With(ctx context.Context) (context.Context, *Folders) {
	f := &Folders{all: map[string]bool{}}
	return context.WithValue(ctx, key{}, f), f
}

// Dir makes a folder as os.MkdirTemp does. Function remove removes it.
func Dir(ctx context.Context, in, pattern string) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp(in, pattern); err != nil {
		return "", func() {}, err
	}
	done := Note(ctx, dir)
	return dir, func() {
		os.RemoveAll(dir)
		done()
	}, nil
}

// Note lists a folder until done is called.
func Note(ctx context.Context, dir string) (done func()) {
	f, ok := ctx.Value(key{}).(*Folders)
	if !ok {
		return func() {}
	}
	f.set(dir, true)
	return func() { f.set(dir, false) }
}

func (f *Folders) set(dir string, listed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if listed {
		f.all[dir] = true
	} else {
		delete(f.all, dir)
	}
}

// Remove removes all folders that are listed.
func (f *Folders) Remove() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, dir := range slices.Sorted(maps.Keys(f.all)) {
		os.RemoveAll(dir)
	}
	clear(f.all)
}
