package wheel

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/internal/version"
)

// A file of a wheel.
type file struct {
	content    []byte
	executable bool
}

// A content holds the files of a wheel, by name.
type content map[string]file

// info is the folder of a wheel that describes it.
const info = "lastbit-" + version.Number + ".dist-info"

// addPackage adds the Python package in a folder.
func (c content) addPackage(dir string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "__pycache__":
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".py" && path.Base(name) != "py.typed":
			return nil
		}
		return c.addFile("lastbit/"+name, path.Join(dir, name), false)
	})
}

// addFile adds a file under a name.
func (c content) addFile(name, from string, executable bool) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	c[name] = file{b, executable}
	return nil
}

// addInfo adds the description of the wheel, whose tags name its platforms.
func (c content) addInfo(readme, license string, tags []string) error {
	description, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	if err := c.addFile(info+"/licenses/LICENSE", license, false); err != nil {
		return err
	}
	about := "Wheel-Version: 1.0\nGenerator: lastbit " + version.Number +
		"\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		about += "Tag: py3-none-" + tag + "\n"
	}
	c[info+"/WHEEL"] = file{content: []byte(about)}
	c[info+"/METADATA"] = file{content: []byte(metadata + string(description))}
	c[info+"/entry_points.txt"] = file{
		content: []byte("[console_scripts]\nlastbit = lastbit._binary:main\n\n" +
			"[pytest11]\nlastbit = lastbit.pytest\n"),
	}
	return nil
}

// metadata is the core metadata of the package, before its description.
const metadata = `Metadata-Version: 2.4
Name: lastbit
Version: ` + version.Number + `
Summary: Why two results differ in the last bit, and sums that never do
License-Expression: BSD-3-Clause
License-File: LICENSE
Requires-Python: >=3.9
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

`

// record returns the file RECORD: the hash and the size of every other file.
func (c content) record() []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c)) {
		hash := sha256.Sum256(c[name].content)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(hash[:]),
			len(c[name].content))
	}
	return []byte(b.String() + info + "/RECORD,,\n")
}

// write writes the wheel: the files in the order of their names, RECORD last.
func (c content) write(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if err := add(z, name, c[name]); err != nil {
			return err
		}
	}
	if err := add(z, info+"/RECORD", file{content: c.record()}); err != nil {
		return err
	}
	return z.Close()
}

// begin is the time of every file: the first that the format knows.
var begin = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func add(z *zip.Writer, name string, f file) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetModTime(begin) //nolint:staticcheck // no extended time stamp
	header.SetMode(0o644)
	if f.executable {
		header.SetMode(0o755)
	}
	w, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = w.Write(f.content)
	return err
}
