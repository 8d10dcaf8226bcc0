//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package mpi

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSweep leaves folders of running jobs and folders that no job made, and
// removes the folders of killed jobs.
func TestSweep(t *testing.T) {
	place := t.TempDir()
	folderIn := func(name string, file string) string {
		path := filepath.Join(place, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	orphaned := folderIn("lastbit1", lockName)
	foreign := folderIn("lastbit2", "data")
	other := folderIn("another", lockName)
	running := filepath.Join(place, "lastbit3")
	if err := os.Mkdir(running, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockIn(running)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()

	sweepFolders([]string{place, filepath.Join(place, "missing")})
	for path, want := range map[string]bool{orphaned: false, foreign: true, other: true,
		running: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	lock.Close()
	if sweepFolders([]string{place}); exists(running) {
		t.Error("the folder of a job that has ended is there")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestFolder checks that a job's folder is gone when the job removes it.
func TestFolder(t *testing.T) {
	f, err := newFolder()
	if err != nil {
		t.Fatal(err)
	}
	if isOrphaned(f.path) {
		t.Error("a new folder was taken for an orphaned one")
	}
	if f.remove(); exists(f.path) {
		t.Errorf("%s is there", f.path)
	}
}
