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
//	folders.RemoveBusy() // from a handler of signals
//
// With another context the folders are left to their makers.
package scratch

import (
	"context"
	"os"
	"sync"
	"time"
)

// Folders holds the folders of a context that are not removed yet.
type Folders struct {
	mu     sync.Mutex
	all    map[string]bool
	shared string // the folder of Shared
	ended  bool
}

type key struct{}

// With returns a context that keeps a list of folders.
func With(ctx context.Context) (context.Context, *Folders) {
	f := &Folders{all: map[string]bool{}}
	return context.WithValue(ctx, key{}, f), f
}

// Dir makes a folder as os.MkdirTemp does, unless the others were removed.
// Function remove removes it.
func Dir(ctx context.Context, in, pattern string) (dir string, remove func(), err error) {
	if f, ok := ctx.Value(key{}).(*Folders); ok {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.ended {
			return "", func() {}, context.Canceled
		}
		defer func() {
			if err == nil {
				f.all[dir] = true
			}
		}()
	}
	if dir, err = os.MkdirTemp(in, pattern); err != nil {
		return "", func() {}, err
	}
	return dir, func() {
		os.RemoveAll(dir)
		Note(ctx, dir)()
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

// Shared returns a folder in another one that lasts as long as the list of the
// context, or "" where there is none.
func Shared(ctx context.Context, in, pattern string) string {
	f, ok := ctx.Value(key{}).(*Folders)
	if !ok {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shared == "" && !f.ended {
		if dir, err := os.MkdirTemp(in, pattern); err == nil {
			f.shared, f.all[dir] = dir, true
		}
	}
	return f.shared
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

// Remove removes all folders that are listed. No other one is made then.
func (f *Folders) Remove() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shared, f.ended = "", true
	for dir := range f.all {
		os.RemoveAll(dir)
	}
}

// times and pause are for programs that go on writing to a folder for a moment.
const (
	times = 10
	pause = 20 * time.Millisecond
)

// RemoveBusy does so while others may use the folders, who were told to stop.
func (f *Folders) RemoveBusy() {
	for range times {
		f.Remove()
		time.Sleep(pause)
	}
	f.Remove()
}
