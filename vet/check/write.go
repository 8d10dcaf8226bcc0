package check

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A WriteError is a file that cannot be changed. None was.
type WriteError struct{ File, Cause string }

func (e *WriteError) Error() string { return "vet: " + e.File + ": " + e.Cause }

// WriteFiles writes the texts of files: all of them, or none where one cannot
// be written. A file without write permission stays, even for a user who may
// write all files.
func WriteFiles(files map[string][]byte) error {
	var done []string
	temps, old := map[string]string{}, map[string][]byte{}
	defer func() {
		for _, t := range temps {
			os.Remove(t)
		}
	}()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		target := name
		if to, err := filepath.EvalSymlinks(name); err == nil {
			target = to // the file that a link leads to, not the link
		}
		before, err := os.ReadFile(target)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return writeError(name, err)
		}
		if err == nil && bytes.Equal(before, files[name]) {
			continue
		}
		if err == nil {
			old[target] = before
		}
		if temps[target], err = writeBeside(target, files[name]); err != nil {
			delete(temps, target)
			return writeError(name, err)
		}
	}
	for name, temp := range temps {
		if err := os.Rename(temp, name); err != nil {
			return errors.Join(writeError(name, err), restore(done, old))
		}
		delete(temps, name)
		done = append(done, name)
	}
	return nil
}

// writeError returns the error of a file, without the name of another one.
func writeError(name string, err error) error {
	if errors.Is(err, errReadOnly) {
		return &WriteError{name, errReadOnly.Error()}
	}
	var link *os.LinkError
	var path *fs.PathError
	switch {
	case errors.As(err, &link):
		err = link.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return &WriteError{name, "it cannot be written: " + err.Error()}
}

// restore gives files their old texts, and removes those that had none.
func restore(names []string, old map[string][]byte) error {
	var all error
	for _, n := range names {
		text, existed := old[n]
		if existed {
			all = errors.Join(all, os.WriteFile(n, text, 0o666))
		} else {
			all = errors.Join(all, os.Remove(n))
		}
	}
	return all
}

var errReadOnly = errors.New("the file is read-only")

// writeBeside writes a text to a new file in the folder of another, with its
// permissions. It makes the folder where there is none.
func writeBeside(name string, text []byte) (string, error) {
	mode := os.FileMode(0o644)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return "", err
	}
	if info, err := os.Stat(name); err == nil {
		if mode = info.Mode().Perm(); mode&0o222 == 0 {
			return "", errReadOnly
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".lastbit-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}
