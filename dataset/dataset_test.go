package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// write makes a file with that content.
func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows is a part.
func rows(from, to int64) func(int64) (int64, int64) {
	return func(int64) (int64, int64) { return from, to }
}

// content is all that a reader reads.
type content struct {
	columns [][]string
	keys    []string
}

// readAll reads a file, with its numbers as exact decimals.
func readAll(name string, o Options) (content, error) {
	var c content
	r, err := Open(name, o)
	if err != nil {
		return c, err
	}
	defer r.Close()
	c.columns = make([][]string, len(r.Columns()))
	var keys []string
	var b Block
	for {
		if err := r.Next(&b); err != nil {
			if err == io.EOF {
				err = nil
			}
			return c, err
		}
		keys = append(keys, b.Fresh...)
		for _, k := range b.Keys {
			if k < 0 {
				c.keys = append(c.keys, "none")
			} else {
				c.keys = append(c.keys, keys[k])
			}
		}
		for j := range b.Columns {
			c.columns[j] = append(c.columns[j], texts64(&b.Columns[j])...)
		}
	}
}

func texts64(c *Column) []string {
	s := make([]string, len(c.Values))
	for i, v := range c.Values {
		switch {
		case slices.Contains(c.Empty, i):
			s[i] = "empty"
		case c.Rest != nil && c.Rest[i] != 0:
			sum := new(big.Float).SetPrec(200).SetFloat64(v)
			s[i] = sum.Add(sum, big.NewFloat(c.Rest[i])).Text('f', 0)
		case math.Abs(v) >= 1<<53 && v == math.Trunc(v) && !math.IsInf(v, 0):
			s[i] = fmt.Sprintf("%.0f", v)
		default:
			s[i] = fmt.Sprint(v)
		}
	}
	return s
}

// npy is a .npy file.
func npyOf(descr string, fortran bool, shape string, values any) []byte {
	order := binary.ByteOrder(binary.LittleEndian)
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	var b bytes.Buffer
	if err := binary.Write(&b, order, values); err != nil {
		panic(err)
	}
	f := map[bool]string{true: "True", false: "False"}[fortran]
	return file("{'descr': '"+descr+"', 'fortran_order': "+f+", 'shape': "+shape+", }", b.Bytes()...)
}

func npz(members map[string][]byte, method uint16) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
		if err == nil {
			_, err = w.Write(members[name])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

type inner struct {
	Price float64 `parquet:"price"`
}

type record struct {
	F64   float64  `parquet:"f64"`
	F32   float32  `parquet:"f32"`
	I32   int32    `parquet:"i32"`
	I64   int64    `parquet:"i64"`
	U32   uint32   `parquet:"u32"`
	U64   uint64   `parquet:"u64"`
	Bool  bool     `parquet:"bool"`
	Maybe *float64 `parquet:"maybe,optional"`
	Key   string   `parquet:"key,dict"`
	Some  *string  `parquet:"some,optional"`
	In    inner    `parquet:"in"`
	List  []int64  `parquet:"list,list"`
	Day   int32    `parquet:"day,date"`
	Money int64    `parquet:"money,decimal(2:18)"`
}

func records3() []record {
	half, k := 0.5, "k"
	return []record{
		{F64: 1.5, F32: 0.1, I32: -7, I64: math.MinInt64, U32: math.MaxUint32, U64: math.MaxUint64, Bool: true, Maybe: &half, Key: "a", Some: &k, In: inner{9}},
		{F64: math.Copysign(0, -1), I64: 1<<53 + 1, U64: 1 << 63, Key: "b", List: []int64{1, 2}},
		{F64: math.Inf(1), I64: -3, Key: "a", In: inner{-1}, Maybe: &half},
	}
}

// parquetFile is rows in groups of so many.
func parquetFile[T any](rows []T, group int) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	for part := range slices.Chunk(rows, group) {
		if _, err := w.Write(part); err != nil {
			panic(err)
		}
		if err := w.Flush(); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestOpen(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	matrix := npyOf("<f8", false, "(2, 3)", six)
	fortran := npyOf("<f8", true, "(2, 3)", six)
	archive := npz(map[string][]byte{"x": npyOf("<f4", false, "(2,)", []float32{1, 0.1}), "y": npyOf(">i8", false, "(2,)", []int64{5, -math.MaxInt64})}, zip.Deflate)
	pq := parquetFile(records3(), 2)
	csv := "name,price,n\r\na,1.5,1\r\n\"b,\"\"c\"\"\",-0, 2\r\n\r\n\"two\r\nlines\",\"1e-3\",3"
	for _, c := range []struct {
		what, name string
		file       []byte
		o          Options
		want       string
	}{
		{"vector", "x.npy", npyOf("<f8", false, "(6,)", six), Options{}, "[[1 2 3 4 5 6]] []"},
		{"its column", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Columns: []string{"1"}}, "[[1 2 3 4 5 6]] []"},
		{"part", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Part: rows(2, 5)}, "[[3 4 5]] []"},
		{"no part", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Part: rows(2, 2)}, "[[]] []"},
		{"first half", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Part: func(n int64) (int64, int64) { return 0, n / 2 }}, "[[1 2 3]] []"},
		{"empty", "x.npy", npyOf("<f8", false, "(0,)", []float64{}), Options{}, "[[]] []"},
		{"scalar", "x.npy", npyOf("<f8", false, "()", []float64{7}), Options{}, "[[7]] []"},
		{"big-endian", "x.npy", npyOf(">f8", false, "(6,)", six), Options{}, "[[1 2 3 4 5 6]] []"},
		{"single", "x.npy", npyOf("<f4", false, "(2,)", []float32{0.1, 1}), Options{}, "[[0.10000000149011612 1]] []"},
		{"single, big-endian", "x.npy", npyOf(">f4", false, "(2,)", []float32{0.1, 1}), Options{}, "[[0.10000000149011612 1]] []"},
		{"half", "x.npy", npyOf(">f2", false, "(2,)", []uint16{0x3c00, 0x8001}), Options{}, "[[1 -5.960464477539063e-08]] []"},
		{"int64", "x.npy", npyOf("<i8", false, "(4,)", []int64{math.MinInt64, math.MaxInt64, -1<<53 - 1, 7}), Options{}, "[[-9223372036854775808 9223372036854775807 -9007199254740993 7]] []"},
		{"uint64", "x.npy", npyOf(">u8", false, "(2,)", []uint64{math.MaxUint64, 1}), Options{}, "[[18446744073709551615 1]] []"},
		{"int32", "x.npy", npyOf("<i4", false, "(2,)", []int32{math.MinInt32, 1}), Options{}, "[[-2.147483648e+09 1]] []"},
		{"uint16", "x.npy", npyOf(">u2", false, "(2,)", []uint16{65535, 1}), Options{}, "[[65535 1]] []"},
		{"int8", "x.npy", npyOf("|i1", false, "(2,)", []int8{-128, 1}), Options{}, "[[-128 1]] []"},
		{"bool", "x.npy", npyOf("|b1", false, "(2,)", []bool{true, false}), Options{}, "[[1 0]] []"},
		{"matrix", "x.npy", matrix, Options{}, "[[1 2 3 4 5 6]] []"},
		{"columns", "x.npy", matrix, Options{Columns: []string{"3", "1"}}, "[[3 6] [1 4]] []"},
		{"a row", "x.npy", matrix, Options{Columns: []string{"3", "1"}, Part: rows(1, 2)}, "[[6] [4]] []"},
		{"key", "x.npy", matrix, Options{Columns: []string{"3"}, Key: "1"}, "[[3 6]] [1 4]"},
		{"Fortran's", "x.npy", fortran, Options{}, "[[1 2 3 4 5 6]] []"},
		{"Fortran's columns", "x.npy", fortran, Options{Columns: []string{"3", "1"}}, "[[5 6] [1 2]] []"},
		{"Fortran's row", "x.npy", fortran, Options{Columns: []string{"3"}, Key: "2", Part: rows(1, 2)}, "[[6]] [4]"},
		{"wide key", "x.npy", npyOf("<u8", false, "(2, 2)", []uint64{1, math.MaxUint64, 2, 3}), Options{Columns: []string{"1"}, Key: "2"}, "[[1 2]] [18446744073709551615 3]"},
		{"single key", "x.npy", npyOf("<f4", false, "(3, 2)", []float32{1, 0.1, 2, float32(math.NaN()), 3, float32(math.Copysign(0, -1))}), Options{Columns: []string{"1"}, Key: "2"}, "[[1 2 3]] [0.1 NaN -0]"},

		{"archive", "x.npz", archive, Options{Columns: []string{"y", "x"}}, "[[5 -9223372036854775807] [1 0.10000000149011612]] []"},
		{"archive's key", "x.npz", archive, Options{Key: "y"}, "[[1 0.10000000149011612]] [5 -9223372036854775807]"},
		{"one member", "x.npz", npz(map[string][]byte{"a": matrix}, zip.Store), Options{}, "[[1 2 3 4 5 6]] []"},

		{"raw", "x.raw", []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, Options{}, "[[1]] []"},
		{"raw f32", "x.bin", []byte{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}, Options{DType: "f32", BigEndian: true}, "[[1 2]] []"},
		{"raw i16", "x", []byte{0xff, 0xff, 2, 0}, Options{Format: "raw", DType: "i16"}, "[[-1 2]] []"},
		{"raw part", "x.raw", []byte{1, 2, 3, 4}, Options{DType: "u8", Part: rows(1, 3)}, "[[2 3]] []"},

		{"csv", "x.csv", []byte(csv), Options{Columns: []string{"price", "n"}}, "[[1.5 -0 0.001] [1 2 3]] []"},
		{"csv by number", "x.csv", []byte(csv), Options{Columns: []string{"2"}}, "[[1.5 -0 0.001]] []"},
		{"csv key", "x.csv", []byte(csv), Options{Columns: []string{"n"}, Key: "name"}, "[[1 2 3]] [a b,\"c\" two\r\nlines]"},
		{"no header", "x.csv", []byte("1\n2\n"), Options{}, "[[1 2]] []"},
		{"header", "x.csv", []byte("\ufeffx\n2\n"), Options{}, "[[2]] []"},
		{"header of numbers", "x.csv", []byte("2019\n2\n"), Options{Header: WithHeader}, "[[2]] []"},
		{"key, no header", "x.csv", []byte("a,1\nb,2\n"), Options{Key: "1"}, "[[1 2]] [a b]"},
		{"NaN is no header", "x.csv", []byte("NaN\ninf\n-Infinity\n"), Options{}, "[[NaN +Inf -Inf]] []"},
		{"empty cells", "x.csv", []byte("a,b\n,1\nNA,null\n2, \n"), Options{Columns: []string{"a", "b"}, SkipEmpty: true}, "[[empty empty 2] [1 empty empty]] []"},
		{"words for missing", "x.csv", []byte("None\n1\nnone\nn/a\nN/A\n2\n"), Options{SkipEmpty: true}, "[[empty 1 empty empty empty 2]] []"},
		{"a word in another column", "x.csv", []byte("x,5\n1,2\n"), Options{Columns: []string{"2"}}, "[[5 2]] []"},
		{"a word beside a number", "x.csv", []byte("x,5\n1,2\n"), Options{Columns: []string{"1", "2"}, Header: WithHeader}, "[[1] [2]] []"},
		{"missing beside a number", "x.csv", []byte("n/a,5\n1,2\n"), Options{Columns: []string{"1", "2"}, SkipEmpty: true}, "[[empty 1] [5 2]] []"},
		{"CR in quotes", "x.csv", []byte("\"a\rb\",x\r\n\"c\",1\r\n"), Options{Columns: []string{"x"}, Key: "a\rb"}, "[[1]] [c]"},
		{"quoted empty line", "x.csv", []byte("a\n\"\"\n\n1\n"), Options{SkipEmpty: true}, "[[empty 1]] []"},
		{"nothing", "x.csv", nil, Options{}, "[[]] []"},
		{"only a header", "x.csv", []byte("a,b"), Options{Columns: []string{"b"}}, "[[]] []"},
		{"tsv", "x.tsv", []byte("a\tb\n1,5\t2\n"), Options{Columns: []string{"b"}, Key: "a"}, "[[2]] [1,5]"},
		{"semicolons", "x.csv", []byte("a;b\n1;2\n"), Options{Columns: []string{"b"}, Separator: ';'}, "[[2]] []"},

		{"parquet", "x.parquet", pq, Options{Columns: []string{"f64", "f32", "i32", "in.price"}}, "[[1.5 -0 +Inf] [0.10000000149011612 0 0] [-7 0 0] [9 0 -1]] []"},
		{"parquet's integers", "x.parquet", pq, Options{Columns: []string{"i64", "u64", "u32", "bool"}}, "[[-9223372036854775808 9007199254740993 -3] [18446744073709551615 9223372036854775808 0] [4.294967295e+09 0 0] [1 0 0]] []"},
		{"parquet's key", "x.parquet", pq, Options{Columns: []string{"i32"}, Key: "key"}, "[[-7 0 0]] [a b a]"},
		{"parquet's numbers as keys", "x.parquet", pq, Options{Columns: []string{"i32"}, Key: "u64"}, "[[-7 0 0]] [18446744073709551615 9223372036854775808 0]"},
		{"parquet's nulls", "x.parquet", pq, Options{Columns: []string{"maybe"}, SkipEmpty: true}, "[[0.5 empty 0.5]] []"},
		{"parquet's null keys", "x.parquet", pq, Options{Columns: []string{"maybe"}, Key: "some", SkipEmpty: true}, "[[0.5 empty empty]] [k none none]"},
	} {
		got, err := readAll(write(t, c.name, c.file), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if s := fmt.Sprint(got.columns, got.keys); s != c.want {
			t.Errorf("%s: got %s, want %s", c.what, s, c.want)
		}
		if c.o.Format = formatOf(c.name); c.o.Format == "" {
			continue
		}
		c.o.Stdin = bytes.NewReader(c.file)
		stream, err := readAll("-", c.o)
		if s := fmt.Sprint(stream.columns, stream.keys); err == nil && s != c.want {
			t.Errorf("%s: a stream gave %s, want %s", c.what, s, c.want)
		} else if err != nil && !strings.Contains(err.Error(), "cannot be read from a stream") {
			t.Errorf("%s: a stream: %v", c.what, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	two := npyOf("<f8", false, "(2,)", []float64{1, 2})
	matrix := npyOf("<f8", false, "(1, 2)", []float64{1, 2})
	archive := npz(map[string][]byte{"x": two, "y": matrix, "z": npyOf("<f8", false, "(1,)", []float64{1}), "o": file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 0)}, zip.Deflate)
	four := []float64{1, 2, 3, 4}
	orders := npz(map[string][]byte{"c": npyOf("<f8", false, "(2, 2)", four), "f": npyOf("<f8", true, "(2, 2)", four)}, zip.Store)
	broken := slices.Clone(npz(map[string][]byte{"x": two}, zip.Store))
	broken[bytes.Index(broken, []byte("NUMPY"))+130] ^= 1 // within the values
	pq := parquetFile(records3(), 2)
	long := strings.Repeat("x", longestRecord+1)
	for _, c := range []struct {
		name string
		file string
		o    Options
		want string // a part of the error
	}{
		{"x.npy", string(two[:len(two)-1]), Options{}, "x.npy: the file ends before its 2 values do"},
		{"x.npy", string(two) + "x", Options{}, "x.npy: something follows"},
		{"x.npy", string(two), Options{Part: rows(1, 3)}, "has 2 rows, and not those from 1 to 3"},
		{"x.npy", string(two), Options{Part: rows(-1, 1)}, "has 2 rows"},
		{"x.npy", string(two), Options{Columns: []string{"2"}}, "x.npy, column 2: it has 1 columns"},
		{"x.npy", string(two), Options{Columns: []string{"price"}}, "column price: its columns have no names"},
		{"x.npy", string(matrix), Options{Key: "1"}, "which of its columns?"},
		{"x.npy", string(matrix), Options{Columns: []string{"0"}}, "count them from 1"},
		{"x.npy", string(npyOf("<f8", false, "(1, 1, 1)", []float64{1})), Options{Columns: []string{"1"}}, "3 dimensions has no columns"},
		{"x.npy", string(npyOf("|b1", false, "(3,)", []byte{0, 1, 2})), Options{}, "x.npy, row 3: a boolean is neither"},
		{"x.npy", string(npyOf("<c8", false, "(1,)", []float64{0})), Options{}, "values of type \"<c8\""},
		{"x.npy", string(npyOf("<M8[ns]", false, "(1,)", []float64{0})), Options{}, "values of type"},
		{"x.npy", string(npyOf("=f8", false, "(1,)", []float64{0})), Options{}, "byte order"},
		{"x.npy", string(file("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }")), Options{}, "too large"},
		{"x.npy", "no", Options{}, "it is no .npy file"},
		{"x.npy", string(file("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2305843009213693952), }")), Options{Columns: []string{"1"}}, "order='F'"},

		{"x.npz", string(archive), Options{}, "it has 4 columns; name one with --column: o, x, y, z"},
		{"x.npz", string(archive), Options{Columns: []string{"a"}}, "x.npz, column a: the archive has no array of that name; it has o, x"},
		{"x.npz", string(archive), Options{Columns: []string{"x", "z"}}, "column z: it has 1 rows, and x has 2"},
		{"x.npz", string(archive), Options{Columns: []string{"x", "y"}}, "column y: its shape is (1, 2), and that of x is (2,); bring"},
		{"x.npz", string(archive), Options{Columns: []string{"y"}, Key: "x"}, "column x: its shape is (2,), and that of y is (1, 2)"},
		{"x.npz", string(orders), Options{Columns: []string{"c", "f"}}, "column f: its values are stored in Fortran order, and those of c in C order; write both in one order"},
		{"x.npz", string(orders), Options{Columns: []string{"f"}, Key: "c"}, "column c: its values are stored in C order"},
		{"x.npz", string(archive), Options{Columns: []string{"o"}}, "column o: values of type"},
		{"x.npz", string(archive[:len(archive)-1]), Options{}, "cannot be read as a .npz archive"},
		{"x.npz", string(broken), Options{}, "checksum"},
		{"x.npz", string(npz(map[string][]byte{"x": append(slices.Clone(two), 1)}, zip.Store)), Options{}, "something follows"},
		{"x.npz", string(npz(map[string][]byte{"x": two[:len(two)-9]}, zip.Store)), Options{}, "row 1: the file ends before its 2 rows do"},

		{"x.raw", "123456789", Options{}, "x.raw, row 2: the file ends after 1 of the 8 bytes"},
		{"x.raw", "12345678", Options{DType: "f8"}, "no type \"f8\""},
		{"x.raw", "12345678", Options{Columns: []string{"1"}}, "no columns"},
		{"x.raw", "12345678", Options{Part: rows(0, 2)}, "has 1 rows"},

		{"x.csv", "a,b\n1,2\n3,4x\n", Options{Columns: []string{"b"}}, "x.csv:3, column b: \"4x\" is no number"},
		{"x.csv", "a,b\n1,2\n3\n", Options{Columns: []string{"a"}}, "x.csv:3: 1 cells, where the first line has 2"},
		{"x.csv", "a,b\n1,2\n3,4,5\n", Options{Columns: []string{"a"}}, "x.csv:3: 3 cells"},
		{"x.csv", "a,b\n1,2\n\n\n,4\n", Options{Columns: []string{"a"}}, "x.csv:5, column a: the cell is empty"},
		{"x.csv", "a,b\n\"1\n\",2\n5,x\n", Options{Columns: []string{"b"}}, "x.csv:4, column b: \"x\""},
		{"x.csv", "a\nNA\n", Options{}, "\"NA\" stands for a missing value"},
		{"x.csv", "None\n1\n", Options{}, "x.csv:1, column 1: \"None\" stands for a missing value"},
		{"x.csv", "a\n1_000\n", Options{}, "x.csv:2, column a: \"1_000\" is no number"},
		{"x.csv", "a\n0x1p-2\n", Options{}, "x.csv:2, column a: \"0x1p-2\" is no number"},
		{"x.csv", "a\n0X10\n", Options{}, "is no number"},
		{"x.csv", "1_0\n1\n", Options{}, "x.csv:1, column 1: \"1_0\" is no number"},
		{"x.csv", "x,5\n1,2\n", Options{Columns: []string{"1", "2"}}, "x.csv:1: \"x\" is a word, as in a header, and \"5\" is a number, as in data; add --header or --no-header"},
		{"x.csv", "x\r1\r2\r", Options{}, "x.csv:1: a carriage return (CR) is not followed"},
		{"x.csv", "x\n1\r2\n", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "x\n1\r\r\n", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "x\n1\r", Options{}, "x.csv:2: a carriage return"},
		{"x.csv", "\"x\"\r\"1\"\r", Options{}, "x.csv:1: a carriage return"},
		{"x.csv", "\"x\",y\r1,2\r", Options{Columns: []string{"1"}}, "x.csv:1: a carriage return"},
		{"x.csv", "a\n1e400\n", Options{}, "beyond the largest float64"},
		{"x.csv", "a\n1\"2\n", Options{}, "x.csv:2: a quote stands inside"},
		{"x.csv", "a\n\"1\"2\n", Options{}, "x.csv:2: a quote stands inside"},
		{"x.csv", "a\n\"1\n2\n", Options{}, "x.csv:2: a quote is not closed"},
		{"x.csv", "a,b\n1,2\n", Options{}, "it has 2 columns; name one with --column: a, b"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"c"}}, "x.csv:1, column c: there is no column of that name; the first line names a, b"},
		{"x.csv", "a,a\n1,2\n", Options{Columns: []string{"a"}}, "two columns have that name"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"3"}}, "column 3: it has 2 columns"},
		{"x.csv", "a,b\n1,2\n", Options{Columns: []string{"a"}, Header: NoHeader}, "without a header"},
		{"x.csv", "a\n1\n", Options{Header: NoHeader}, "x.csv:1, column 1: \"a\" is no number"},
		{"x.csv", "1.2.3\n1\n", Options{}, "x.csv:1, column 1: \"1.2.3\" is no number"},
		{"x.csv", "", Options{Columns: []string{"a"}}, "the file is empty"},
		{"x.csv", strings.Repeat(",", mostColumns), Options{Columns: []string{"1"}}, "x.csv:1: it has 1048577 columns, and 1048576 are the most"},
		{"x.csv", "a\n1\n", Options{Part: rows(1, 2)}, "only of a .npy or a raw file can"},
		{"x.csv", "a\n" + long, Options{}, "x.csv:2: a line, or a cell in quotes, is longer"},
		{"x.csv", "a\n\"" + long, Options{}, "x.csv:2: a line, or a cell in quotes, is longer"},

		{"x.parquet", string(pq), Options{}, "it has 14 columns; name one with --column: f64, f32"},
		{"x.parquet", string(pq), Options{Columns: []string{"price"}}, "column price: the file has no column of that name; it has f64"},
		{"x.parquet", string(pq), Options{Columns: []string{"key"}}, "column key: texts are no numbers"},
		{"x.parquet", string(pq), Options{Columns: []string{"day"}}, "values of type DATE are no numbers"},
		{"x.parquet", string(pq), Options{Columns: []string{"money"}}, "values of type DECIMAL(18,2) are no numbers"},
		{"x.parquet", string(pq), Options{Columns: []string{"list.list.element"}}, "its cells are lists"},
		{"x.parquet", string(pq), Options{Columns: []string{"maybe"}}, "x.parquet, row 2, column maybe: the cell is empty (null)"},
		{"x.parquet", string(pq[:len(pq)-1]), Options{}, "cannot be read as a parquet file"},
		{"x.parquet", string(pq[len(pq)/2:]), Options{}, "cannot be read as a parquet file"},
		{"x.parquet", "PAR1\xff\xff\xff\xffPAR1", Options{}, "footer is longer than the file"},
		{"x.parquet", "", Options{}, "cannot be read as a parquet file"},

		{"x.dat", "1", Options{}, "its name does not tell its format"},
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
		if _, err := readAll("-", Options{Format: c.format, Stdin: strings.NewReader(c.text)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a stream of %s: the error is %v, want %s", c.format, err, c.want)
		}
	}
}

// TestBlocks reads files that are longer than a block, whose last one is short.
func TestBlocks(t *testing.T) {
	n := 2*blockValues + 77
	x := make([]float64, n)
	var csv strings.Builder
	rows := make([]inner, n)
	for i := range x {
		x[i] = float64(i)
		fmt.Fprintln(&csv, i)
		rows[i].Price = x[i]
	}
	for name, file := range map[string][]byte{
		"x.npy": npyOf(">f8", false, fmt.Sprintf("(%d,)", n), x), "x.csv": []byte(csv.String()), "x.parquet": parquetFile(rows, n/3),
		"x.npz": npz(map[string][]byte{"x": npyOf("<f8", false, fmt.Sprintf("(%d,)", n), x)}, zip.Deflate),
	} {
		path := write(t, name, file)
		a, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Pair(a, b)
		if err != nil {
			t.Fatal(err)
		}
		var block Block
		next := 0
		for {
			if err = p.Next(&block); err != nil {
				break
			}
			for i, v := range block.Columns[0].Values {
				if v != float64(next+i) || block.Columns[1].Values[i] != v {
					t.Fatalf("%s: value %d is %v and %v", name, next+i, v, block.Columns[1].Values[i])
				}
			}
			next += block.Rows()
			if block.Rows() != blockValues/2 && next != n {
				t.Errorf("%s: a block of %d rows in the middle", name, block.Rows())
			}
		}
		if err != io.EOF || next != n {
			t.Errorf("%s: %d rows, %v", name, next, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPairRefuses(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	files := map[string][]byte{
		"3.raw": make([]byte, 24), "6.raw": make([]byte, 48), "2.csv": []byte("1\n2\n"), "6.csv": []byte("1\n2\n3\n4\n5\n6\n"),
		"vector.npy": npyOf("<f8", false, "(6,)", six), "row.npy": npyOf("<f8", true, "(1, 6)", six), "other row.npy": npyOf("<f8", false, "(1, 6)", six),
		"c.npy": npyOf("<f8", false, "(2, 3)", six), "fortran.npy": npyOf("<f8", true, "(2, 3)", six), "transposed.npy": npyOf("<f8", true, "(3, 2)", six),
	}
	for _, c := range []struct{ a, b, want string }{
		{"6.raw", "3.raw", "6.raw: it has 6 rows, and 3.raw has 3"},
		{"2.csv", "3.raw", "2.csv: it has 2 rows, and 3.raw has more"},
		{"c.npy", "fortran.npy", "c.npy: its values are stored in C order, and those of fortran.npy in Fortran order; write both in one order, with numpy.ascontiguousarray"},
		{"c.npy", "transposed.npy", "c.npy: its shape is (2, 3), and that of transposed.npy is (3, 2)"},
		{"vector.npy", "row.npy", "its shape is (6,), and that of row.npy is (1, 6)"},
		{"c.npy", "6.csv", "its shape is (2, 3), and the rows of 6.csv have none; write it as a vector"},
		{"6.raw", "fortran.npy", "6.raw: its rows have no shape, and that of fortran.npy is (2, 3)"},
		{"row.npy", "other row.npy", ""}, {"row.npy", "6.csv", ""}, {"c.npy", "c.npy", ""}, {"vector.npy", "6.raw", ""},
	} {
		t.Chdir(t.TempDir())
		var r [2]*Reader
		for i, name := range []string{c.a, c.b} {
			err := os.WriteFile(name, files[name], 0o666)
			if err == nil {
				r[i], err = Open(name, Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		p, err := Pair(r[0], r[1])
		if err == nil {
			err = p.Next(&Block{})
			p.Close()
		}
		if c.want == "" && err == nil {
			continue
		}
		if c.want == "" || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %s: the error is %v, want %s", c.a, c.b, err, c.want)
		}
	}
}
