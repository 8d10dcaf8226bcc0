package instrument

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The bounds of the files that a run is watched for.
const (
	maxWatched = 20_000  // files in its folders
	maxWritten = 1 << 24 // bytes of a file that are read
	maxFiles   = 100     // files that are read
)

// A stamp tells whether a file was written.
type stamp struct {
	size int64
	time time.Time
}

// stamps returns the stamps of the files that a program may write: those in its
// working folder, and in the folders of paths among its arguments.
func stamps(in Input) map[string]stamp {
	all := make(map[string]stamp)
	add := func(path string, d fs.DirEntry) {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			all[path] = stamp{info.Size(), info.ModTime()}
		}
	}
	home := in.Dir
	if home == "" {
		home = "."
	}
	_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(all) >= maxWatched:
			return fs.SkipDir
		case d.IsDir() && path != home && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir():
			add(path, d)
		}
		return nil
	})
	for _, arg := range in.Args {
		if _, value, ok := strings.Cut(arg, "="); ok {
			arg = value
		}
		if !strings.ContainsRune(arg, filepath.Separator) {
			continue
		}
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(home, arg)
		}
		for _, dir := range []string{arg, filepath.Dir(arg)} {
			entries, err := os.ReadDir(dir)
			if err != nil {
				continue
			}
			for _, d := range entries[:min(len(entries), maxWatched)] {
				add(filepath.Join(dir, d.Name()), d)
			}
			break
		}
	}
	return all
}

// readWritten returns the texts of the files that a run has written, given the
// stamps before it, and of other ones.
func readWritten(in Input, before map[string]stamp) map[string][]byte {
	written := make(map[string][]byte)
	read := func(path string) {
		if info, err := os.Stat(path); err == nil && info.Size() <= maxWritten &&
			len(written) < maxFiles {
			if text, err := os.ReadFile(path); err == nil {
				written[path] = text
			}
		}
	}
	for path, s := range stamps(in) {
		if before[path] != s {
			read(path)
		}
	}
	for _, path := range in.Files {
		read(path)
	}
	return written
}
