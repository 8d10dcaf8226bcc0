package explainfiles

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/probe"
)

// A Match is two arrays of one name.
type Match struct {
	Name string // "" for the arrays of two files
	A, B Place
}

// Matches are the arrays of two files, archives or folders.
type Matches struct {
	Pairs        []Match
	OnlyA, OnlyB []string // names that the other has not
}

// Find returns the pairs of arrays of two files, or of two archives or folders
// by their names.
func Find(a, b string, o dataset.Options) (*Matches, error) {
	left, leftMany, err := arrays(a, o)
	if err != nil {
		return nil, err
	}
	right, rightMany, err := arrays(b, o)
	if err != nil {
		return nil, err
	}
	if len(left) == 1 && len(right) == 1 && !leftMany && !rightMany {
		return &Matches{Pairs: []Match{{"", left[0].place, right[0].place}}}, nil
	}
	m := &Matches{}
	for _, x := range left {
		i := slices.IndexFunc(right, func(y namedArray) bool { return y.name == x.name })
		if i < 0 {
			m.OnlyA = append(m.OnlyA, x.name)
			continue
		}
		m.Pairs = append(m.Pairs, Match{x.name, x.place, right[i].place})
		right = slices.Delete(right, i, i+1)
	}
	for _, y := range right {
		m.OnlyB = append(m.OnlyB, y.name)
	}
	if len(m.Pairs) == 0 {
		return nil, &probe.Fault{ID: "bad-data", Thing: a + " and " + b,
			Cause: "they share no name of an array", Cure: "give the arrays the same names in both"}
	}
	return m, nil
}

// A namedArray is an array and its name in a folder or an archive.
type namedArray struct {
	name  string
	place Place
}

// arrays lists the arrays of a file, an archive or a folder. many is true for
// folders, and for archives and tables of other than one array.
func arrays(name string, o dataset.Options) (list []namedArray, many bool, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil && name != "-":
		return nil, false, missing(name, err)
	case err == nil && info.IsDir():
		list, err = folder(name, o)
		return list, true, err
	case len(o.Columns) < 2 && !isArchive(name, o):
		return []namedArray{{"", Place{File: name}}}, false, nil
	case len(o.Columns) > 0:
		for _, c := range o.Columns {
			list = append(list, namedArray{c, Place{File: name, Array: c}})
		}
		return list, len(list) != 1, nil
	}
	list, err = archive(name, "")
	return list, len(list) != 1, err
}

func missing(name string, err error) error {
	return &probe.Fault{ID: "bad-data", Thing: name, Cause: "it cannot be read",
		Cure: "check the path", Err: errorOf(err)}
}

// errorOf returns the error without the path, which the fault names.
func errorOf(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// isArchive reports whether a file is an archive of arrays.
func isArchive(name string, o dataset.Options) bool {
	zip := strings.EqualFold(filepath.Ext(name), ".zip")
	return o.FormatOf(name) == "npz" || o.Format == "" && zip
}

// archive lists the arrays of an archive, whose names begin with the prefix.
func archive(name, prefix string) ([]namedArray, error) {
	names, err := dataset.Arrays(name)
	if err != nil {
		return nil, sums.DataFault(err)
	}
	var list []namedArray
	for _, n := range names {
		list = append(list, namedArray{prefix + n, Place{File: name, Array: n}})
	}
	if len(list) == 0 {
		return nil, &probe.Fault{ID: "bad-data", Thing: name, Cause: "it has no arrays",
			Cure: "write it with numpy.savez"}
	}
	return list, nil
}

// folder lists the arrays of the files in a folder and the folders below, in
// the order of their names, where numbers count by their value.
func folder(root string, o dataset.Options) ([]namedArray, error) {
	var list []namedArray
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path) // path begins with root
		name = filepath.ToSlash(name)
		switch {
		case isArchive(path, o):
			some, err := archive(path, name+":")
			list = append(list, some...)
			return err
		case o.FormatOf(path) != "":
			list = append(list, namedArray{name, Place{File: path}})
		}
		return nil
	})
	if err != nil {
		if _, ok := err.(*probe.Fault); ok {
			return nil, err
		}
		return nil, missing(root, err)
	}
	if len(list) == 0 {
		return nil, &probe.Fault{ID: "bad-data", Thing: root, Cause: "it has no files of numbers",
			Cure: "give a folder of " + strings.Join(dataset.Formats(), ", ") + " files"}
	}
	slices.SortStableFunc(list, func(x, y namedArray) int { return natural(x.name, y.name) })
	return list, nil
}

// natural compares names. Numbers in them count by their value: x2 comes before
// x10.
func natural(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of digits that s begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}
