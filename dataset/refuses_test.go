package dataset

import (
	"archive/zip"
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRefuses(t *testing.T) {
	const (
		head = "{'descr': '<f8', 'fortran_order': False, 'shape': "
		huge = head + "(99999999999, 99999999999), }"
		wide = head + "(0, 2305843009213693952), }"
	)
	two := npyOf("<f8", false, "(2,)", []float64{1, 2})
	matrix := npyOf("<f8", false, "(1, 2)", []float64{1, 2})
	archive := npz(
		map[string][]byte{
			"x": two,
			"y": matrix,
			"z": npyOf("<f8", false, "(1,)", []float64{1}),
			"o": file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 0),
		},
		zip.Deflate,
	)
	four := []float64{1, 2, 3, 4}
	orders := npz(
		map[string][]byte{
			"c": npyOf("<f8", false, "(2, 2)", four),
			"f": npyOf("<f8", true, "(2, 2)", four),
		},
		zip.Store,
	)
	broken := slices.Clone(npz(map[string][]byte{"x": two}, zip.Store))
	broken[bytes.Index(broken, []byte("NUMPY"))+130] ^= 1 // within the values
	pq := parquetFile(records3(), 2)
	long := strings.Repeat("x", maxRecord+1)
	for _, c := range []struct {
		name string
		file string
		o    Options
		want string // a part of the error
	}{
		{"x.npy", string(two[:len(two)-1]), Options{},
			"x.npy: the file ends before its 2 values do"},
		{"x.npy", string(two) + "x", Options{}, "x.npy: something follows"},
		{"x.npy", string(two), Options{Part: rows(1, 3)}, "has 2 rows, and not those from 1 to 3"},
		{"x.npy", string(two), Options{Part: rows(-1, 1)}, "has 2 rows"},
		{"x.npy", string(two), Options{Columns: []string{"2"}},
			"x.npy, column 2: it has 1 columns"},
		{"x.npy", string(two), Options{Columns: []string{"price"}},
			"column price: its columns have no names"},
		{"x.npy", string(matrix), Options{Key: "1"}, "which of its columns?"},
		{"x.npy", string(matrix), Options{Columns: []string{"0"}}, "count them from 1"},
		{"x.npy", string(npyOf("<f8", false, "(1, 1, 1)", []float64{1})),
			Options{Columns: []string{"1"}}, "3 dimensions has no columns"},
		{"x.npy", string(npyOf("|b1", false, "(3,)", []byte{0, 1, 2})), Options{},
			"x.npy, row 3: a boolean is neither"},
		{"x.npy", string(npyOf("<c8", false, "(1,)", []float64{0})), Options{},
			"values of type \"<c8\""},
		{"x.npy", string(npyOf("<M8[ns]", false, "(1,)", []float64{0})), Options{},
			"values of type"},
		{"x.npy", string(npyOf("=f8", false, "(1,)", []float64{0})), Options{}, "byte order"},
		{"x.npy", string(file(huge)), Options{}, "too large"},
		{"x.npy", "no", Options{}, "it is not a .npy file"},
		{"x.npy", string(file(wide)), Options{Columns: []string{"1"}}, "order='F'"},

		{"x.npz", string(archive), Options{},
			"it has 4 columns; name one with --column: o, x, y, z"},
		{"x.npz", string(archive), Options{Columns: []string{"a"}},
			"x.npz, column a: the archive has no array of that name; it has o, x"},
		{"x.npz", string(archive), Options{Columns: []string{"x", "z"}},
			"column z: it has 1 rows, and x has 2"},
		{"x.npz", string(archive), Options{Columns: []string{"x", "y"}},
			"column y: its shape is (1, 2), and that of x is (2,); bring"},
		{"x.npz", string(archive), Options{Columns: []string{"y"}, Key: "x"},
			"column x: its shape is (2,), and that of y is (1, 2)"},
		{"x.npz", string(orders), Options{Columns: []string{"c", "f"}},
			"column f: its values are stored in Fortran order, and those of c in C order; write"},
		{"x.npz", string(orders), Options{Columns: []string{"f"}, Key: "c"},
			"column c: its values are stored in C order"},
		{"x.npz", string(archive), Options{Columns: []string{"o"}}, "column o: values of type"},
		{"x.npz", string(archive[:len(archive)-1]), Options{}, "cannot be read as a .npz archive"},
		{"x.npz", string(broken), Options{}, "checksum"},
		{"x.npz", string(npz(map[string][]byte{"x": append(slices.Clone(two), 1)}, zip.Store)),
			Options{}, "something follows"},
		{"x.npz", string(npz(map[string][]byte{"x": two[:len(two)-9]}, zip.Store)), Options{},
			"row 1: the file ends before its 2 rows do"},

		{"x.raw", "123456789", Options{}, "x.raw, row 2: the file ends after 1 of the 8 bytes"},
		{"x.raw", "12345678", Options{DType: "f8"}, "no type \"f8\""},
		{"x.raw", "12345678", Options{Columns: []string{"1"}}, "no columns"},
		{"x.raw", "12345678", Options{Part: rows(0, 2)}, "has 1 rows"},

		{"x.csv", "a,b\n1,2\n3,4x\n", Options{Columns: []string{"b"}},
			"x.csv:3, column b: \"4x\" is not a number"},
		{"x.csv", "a,b\n1,2\n3\n", Options{Columns: []string{"a"}},
			"x.csv:3: 1 cells, where the first line has 2"},
		{"x.csv", "a,b\n1,2\n3,4,5\n", Options{Columns: []string{"a"}}, "x.csv:3: 3 cells"},
		{"x.csv", "a,b\n1,2\n\n\n,4\n", Options{Columns: []string{"a"}},
			"x.csv:5, column a: the cell is empty"},
		{"x.csv", "a,b\n\"1\n\",2\n5,x\n", Options{Columns: []string{"b"}},
			"x.csv:4, column b: \"x\""},
		{"x.csv", "a\nNA\n", Options{}, "\"NA\" means a missing value"},
		{"x.csv", "None\n1\n", Options{}, "x.csv:1, column 1: \"None\" means a missing value"},
		{"x.csv", "a\n1_000\n", Options{}, "x.csv:2, column a: \"1_000\" is not a number"},
		{"x.csv", "a\n0x_1p-2\n", Options{}, "x.csv:2, column a: \"0x_1p-2\" is not a number"},
		{"x.csv", "a\n0X10\n", Options{}, "is not a number"},
		{"x.csv", "\xff\xfe\x00\x001\x00\x00\x00", Options{}, "x.csv: it is UTF-16 or UTF-32"},
		{"x.csv", "\xff\xfe1\x00\n", Options{}, "it begins as UTF-16, and holds bytes that"},
		{"x.csv", "\xff\xfe1\x00\x00\xdc", Options{}, "it begins as UTF-16, and holds"},
		{"x.csv", "1\x00\n\x002\x00\n\x00", Options{}, "x.csv: it is UTF-16 or UTF-32"},
		{"x.csv", "\x00\x00\x001\x00\x00\x00\n", Options{}, "x.csv: it is UTF-16 or UTF-32"},
		{"x.csv", "\x001\x00,\x002\x00\n", Options{}, "x.csv: it is UTF-16 or UTF-32"},
		{"x.csv", "1\x00\n2\n", Options{}, "x.csv:1: \"1\\x00\" holds a NUL byte"},
		{"x.csv", "1\x00,2\n2,3\n", Options{}, "x.csv:1: \"1\\x00\" holds a NUL byte"},
		{"x.csv", "1\x000\n2\n", Options{}, "x.csv:1: \"1\\x000\" holds a NUL byte"},
		{"x.csv", "\x001\n2\n", Options{}, "x.csv:1: \"\\x001\" holds a NUL byte"},
		{"x.csv", "x\n1\x00\n", Options{}, "x.csv:2, column x: \"1\\x00\" holds a NUL byte"},
		{"x.csv", "1_0\n1\n", Options{}, "x.csv:1, column 1: \"1_0\" is not a number"},
		{"x.csv", "x,5\n1,2\n", Options{Columns: []string{"1", "2"}},
			"x.csv:1: \"x\" is a word, as in a header, and \"5\" is a number, as in data; add"},
		{"x.csv", "x\r1\r2\r", Options{}, "x.csv:1: a carriage return (CR) is not followed"},
		{"x.csv", "x\n1\r2\n", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "x\n1\r\r\n", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "x\n1\r", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "\"x\"\r\"1\"\r", Options{}, "x.csv:1: a carriage return"},
		{"x.csv", "\"x\",y\r1,2\r", Options{Columns: []string{"1"}}, "x.csv:1: a carriage return"},
		{"x.csv", "a\n1e400\n", Options{}, "beyond the largest float64"},
		{"x.csv", "a\n1\"2\n", Options{}, "x.csv:2: a quote is inside"},
		{"x.csv", "a\n\"1\"2\n", Options{}, "x.csv:2: a quote is inside"},
		{"x.csv", "a\n\"1\n2\n", Options{}, "x.csv:2: a quote is not closed"},
		{"x.csv", "a,b\n1,2\n", Options{}, "it has 2 columns; name one with --column: a, b"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"c"}},
			"x.csv:1, column c: there is no column of that name; the first line names a, b"},
		{"x.csv", "a,a\n1,2\n", Options{Columns: []string{"a"}}, "two columns have that name"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"3"}}, "column 3: it has 2 columns"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"a"}, Header: NoHeader},
			"without a header"},
		{"x.csv", "a\n1\n", Options{Header: NoHeader}, "x.csv:1, column 1: \"a\" is not a number"},
		{"x.csv", "1.2.3\n1\n", Options{}, "x.csv:1, column 1: \"1.2.3\" is not a number"},
		{"x.csv", "", Options{Columns: []string{"a"}}, "the file is empty"},
		{"x.csv", strings.Repeat(",", maxColumns), Options{Columns: []string{"1"}},
			"x.csv:1: it has 1048577 columns, and 1048576 are the most"},
		{"x.csv", "a\n1\n", Options{Part: rows(1, 2)}, "only of a .npy or a raw file can"},
		{"x.csv", "a\n" + long, Options{}, "x.csv:2: a line, or a cell in quotes, is longer"},
		{"x.csv", "a\n\"" + long, Options{}, "x.csv:2: a line, or a cell in quotes, is longer"},

		{"x.parquet", string(pq), Options{}, "it has 14 columns; name one with --column: f64, f32"},
		{"x.parquet", string(pq), Options{Columns: []string{"price"}},
			"column price: the file has no column of that name; it has f64"},
		{"x.parquet", string(pq), Options{Columns: []string{"key"}},
			"column key: texts are not numbers"},
		{"x.parquet", string(pq), Options{Columns: []string{"day"}},
			"values of type DATE are not numbers"},
		{"x.parquet", string(pq), Options{Columns: []string{"f64"}, Key: "list.list.element"},
			"its cells are lists"},
		{"x.parquet", string(pq), Options{Columns: []string{"list.list.element"}},
			"its cells are lists"},
		{"x.parquet", string(pq), Options{Columns: []string{"maybe"}},
			"x.parquet, row 2, column maybe: the cell is empty (null)"},
		{"x.parquet", string(pq[:len(pq)-1]), Options{}, "cannot be read as a parquet file"},
		{"x.parquet", string(pq[len(pq)/2:]), Options{}, "cannot be read as a parquet file"},
		{"x.parquet", "PAR1\xff\xff\xff\xffPAR1", Options{}, "footer is longer than the file"},
		{"x.parquet", "", Options{}, "cannot be read as a parquet file"},

		{"x.dat", "1", Options{}, "its name does not show its format"},
		{"x.dat", "1", Options{Format: "xls"}, "there is no format \"xls\""},
	} {
		_, err := readAll(write(t, c.name, []byte(c.file)), c.o)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %.40q: the error is %.300v, want %s", c.name, c.file, err, c.want)
		}
	}
	for _, c := range []struct{ name, want string }{
		{filepath.Join(t.TempDir(), "none.csv"), "none.csv: it cannot be read (no such file"},
		{t.TempDir(), "it is a folder"},
	} {
		if _, err := Open(c.name, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
	for _, c := range []struct {
		format, text, want string
	}{
		{"raw", "123", "-, row 1: the input ends after 3 of the 8 bytes"},
		{"npy", string(two) + "x", "-: something follows"},
		{"npy", string(two[:len(two)-1]), "-, row 2: the file ends before"},
	} {
		if _, err := readAll("-", Options{Format: c.format,
			Stdin: strings.NewReader(c.text)}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("a stream of %s: the error is %v, want %s", c.format, err, c.want)
		}
	}
}

// TestCures checks that the cure of an error names flags that work for the
// file.
func TestCures(t *testing.T) {
	complexes := npyOf("<c16", false, "(2, 1)", make([]float64, 4))
	column := func(name string) Options { return Options{Columns: []string{name}} }
	for _, c := range []struct {
		name string
		file string
		o    Options
		want string
	}{
		{"x.npy", string(complexes), Options{}, "name one with --column real or --column imag"},
		{"x.npy", string(complexes), column("1"), "--column 1.real or --column 1.imag"},
		{"x.npz", string(npz(map[string][]byte{"z": complexes}, zip.Store)), column("z"),
			"--column z.real or --column z.imag"},
		{"x.npy", string(file("{'descr': [('z', '<c8')], 'fortran_order': False, "+
			"'shape': (1,), }", make([]byte, 8)...)), column("z"),
			"--column z.real or --column z.imag"},
		{"x.npy", string(file("{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }",
			make([]byte, 32)...)), Options{}, "x.astype('c16')"},
		{"x.csv", "\x001\x00;\x002\x00\n", column("1"), "or -f UTF-16BE"},
		{"x.csv", "1.234,5\n2,5\n", Options{Marks: comma}, "add --decimal , --thousands ."},
		{"x.csv", "\"1,5\";2\n", column("1"), "add --separator ';'"},
		{"x.csv", "2;\"1,5\"\n", column("1"), "add --separator ';'"},
		{"x.csv", "2\t\"1,5\"\n", column("1"), "add --format tsv"},
		{"x.csv", "1 \"2\"3\n", column("1"), "put the whole cell in quotes"},
	} {
		_, err := readAll(write(t, c.name, []byte(c.file)), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.file[:min(len(c.file), 12)], err, c.want)
		}
	}
}
