package release

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file of an archive.
type file struct {
	content    []byte
	executable bool
}

// files holds what is in an archive, by path.
type files map[string]file

// begin is the time of every file: the first that zip knows.
var begin = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// add adds a file on disk.
func (f files) add(name, from string, executable bool) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f[name] = file{content, executable}
	return nil
}

// addText adds a text.
func (f files) addText(name, text string) { f[name] = file{content: []byte(text)} }

// mode returns the permissions of a file.
func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// write writes an archive in the form that its name ends with: .zip, or a tar
// archive compressed by gzip.
func (f files) write(path string) error {
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	write := f.tar
	if strings.HasSuffix(path, ".zip") {
		write = f.zip
	}
	if err := write(to); err != nil {
		to.Close()
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return to.Close()
}

func (f files) tar(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		header := &tar.Header{Name: name, Mode: f[name].mode(), ModTime: begin,
			Size: int64(len(f[name].content)), Format: tar.FormatUSTAR}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f[name].content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func (f files) zip(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate}
		header.SetModTime(begin) //nolint:staticcheck // no extended time stamp
		header.SetMode(os.FileMode(f[name].mode()))
		entry, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f[name].content); err != nil {
			return err
		}
	}
	return z.Close()
}
