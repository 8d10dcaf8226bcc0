package dataset

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	matrix := npyOf("<f8", false, "(2, 3)", six)
	fortran := npyOf("<f8", true, "(2, 3)", six)
	archive := npz(
		map[string][]byte{
			"x": npyOf("<f4", false, "(2,)", []float32{1, 0.1}),
			"y": npyOf(">i8", false, "(2,)", []int64{5, -math.MaxInt64}),
		},
		zip.Deflate,
	)
	pq := parquetFile(records3(), 2)
	csv := "name,price,n\r\na,1.5,1\r\n\"b,\"\"c\"\"\",-0, 2\r\n\r\n\"two\r\nlines\",\"1e-3\",3"
	for _, c := range []struct {
		what, name string
		file       []byte
		o          Options
		want       string
	}{
		{"vector", "x.npy", npyOf("<f8", false, "(6,)", six), Options{}, "[[1 2 3 4 5 6]] []"},
		{"its column", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Columns: []string{"1"}},
			"[[1 2 3 4 5 6]] []"},
		{"part", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Part: rows(2, 5)},
			"[[3 4 5]] []"},
		{"no part", "x.npy", npyOf("<f8", false, "(6,)", six), Options{Part: rows(2, 2)},
			"[[]] []"},
		{"first half", "x.npy", npyOf("<f8", false, "(6,)", six),
			Options{Part: func(n int64) (int64, int64) { return 0, n / 2 }}, "[[1 2 3]] []"},
		{"empty", "x.npy", npyOf("<f8", false, "(0,)", []float64{}), Options{}, "[[]] []"},
		{"scalar", "x.npy", npyOf("<f8", false, "()", []float64{7}), Options{}, "[[7]] []"},
		{"big-endian", "x.npy", npyOf(">f8", false, "(6,)", six), Options{}, "[[1 2 3 4 5 6]] []"},
		{"single", "x.npy", npyOf("<f4", false, "(2,)", []float32{0.1, 1}), Options{},
			"[[0.10000000149011612 1]] []"},
		{"single, big-endian", "x.npy", npyOf(">f4", false, "(2,)", []float32{0.1, 1}), Options{},
			"[[0.10000000149011612 1]] []"},
		{"half", "x.npy", npyOf(">f2", false, "(2,)", []uint16{0x3c00, 0x8001}), Options{},
			"[[1 -5.960464477539063e-08]] []"},
		{"int64", "x.npy", npyOf("<i8", false, "(4,)",
			[]int64{math.MinInt64, math.MaxInt64, -1<<53 - 1, 7}), Options{},
			"[[-9223372036854775808 9223372036854775807 -9007199254740993 7]] []"},
		{"uint64", "x.npy", npyOf(">u8", false, "(2,)", []uint64{math.MaxUint64, 1}), Options{},
			"[[18446744073709551615 1]] []"},
		{"int32", "x.npy", npyOf("<i4", false, "(2,)", []int32{math.MinInt32, 1}), Options{},
			"[[-2.147483648e+09 1]] []"},
		{"uint16", "x.npy", npyOf(">u2", false, "(2,)", []uint16{65535, 1}), Options{},
			"[[65535 1]] []"},
		{"int8", "x.npy", npyOf("|i1", false, "(2,)", []int8{-128, 1}), Options{}, "[[-128 1]] []"},
		{"bool", "x.npy", npyOf("|b1", false, "(2,)", []bool{true, false}), Options{},
			"[[1 0]] []"},
		{"matrix", "x.npy", matrix, Options{}, "[[1 2 3 4 5 6]] []"},
		{"columns", "x.npy", matrix, Options{Columns: []string{"3", "1"}}, "[[3 6] [1 4]] []"},
		{"a row", "x.npy", matrix, Options{Columns: []string{"3", "1"}, Part: rows(1, 2)},
			"[[6] [4]] []"},
		{"key", "x.npy", matrix, Options{Columns: []string{"3"}, Key: "1"}, "[[3 6]] [1 4]"},
		{"Fortran's", "x.npy", fortran, Options{}, "[[1 2 3 4 5 6]] []"},
		{"Fortran's columns", "x.npy", fortran, Options{Columns: []string{"3", "1"}},
			"[[5 6] [1 2]] []"},
		{"Fortran's row", "x.npy", fortran, Options{Columns: []string{"3"}, Key: "2",
			Part: rows(1, 2)}, "[[6]] [4]"},
		{"wide key", "x.npy", npyOf("<u8", false, "(2, 2)", []uint64{1, math.MaxUint64, 2, 3}),
			Options{Columns: []string{"1"}, Key: "2"}, "[[1 2]] [18446744073709551615 3]"},
		{"single key", "x.npy", npyOf("<f4", false, "(3, 2)",
			[]float32{1, 0.1, 2, float32(math.NaN()), 3, float32(math.Copysign(0, -1))}),
			Options{Columns: []string{"1"}, Key: "2"}, "[[1 2 3]] [0.1 NaN -0]"},

		{"archive", "x.npz", archive, Options{Columns: []string{"y", "x"}},
			"[[5 -9223372036854775807] [1 0.10000000149011612]] []"},
		{"archive's key", "x.npz", archive, Options{Key: "y"},
			"[[1 0.10000000149011612]] [5 -9223372036854775807]"},
		{"one member", "x.npz", npz(map[string][]byte{"a": matrix}, zip.Store), Options{},
			"[[1 2 3 4 5 6]] []"},

		{"raw", "x.raw", []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, Options{}, "[[1]] []"},
		{"raw f32", "x.bin", []byte{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0},
			Options{DType: "f32", BigEndian: true}, "[[1 2]] []"},
		{"raw i16", "x", []byte{0xff, 0xff, 2, 0}, Options{Format: "raw", DType: "i16"},
			"[[-1 2]] []"},
		{"raw part", "x.raw", []byte{1, 2, 3, 4}, Options{DType: "u8", Part: rows(1, 3)},
			"[[2 3]] []"},

		{"csv", "x.csv", []byte(csv), Options{Columns: []string{"price", "n"}},
			"[[1.5 -0 0.001] [1 2 3]] []"},
		{"csv by number", "x.csv", []byte(csv), Options{Columns: []string{"2"}},
			"[[1.5 -0 0.001]] []"},
		{"csv key", "x.csv", []byte(csv), Options{Columns: []string{"n"}, Key: "name"},
			"[[1 2 3]] [a b,\"c\" two\r\nlines]"},
		{"no header", "x.csv", []byte("1\n2\n"), Options{}, "[[1 2]] []"},
		{"header", "x.csv", []byte("\ufeffx\n2\n"), Options{}, "[[2]] []"},
		{"header of numbers", "x.csv", []byte("2019\n2\n"), Options{Header: WithHeader},
			"[[2]] []"},
		{"key, no header", "x.csv", []byte("a,1\nb,2\n"), Options{Key: "1"}, "[[1 2]] [a b]"},
		{"NaN is not a header", "x.csv", []byte("NaN\ninf\n-Infinity\n"), Options{},
			"[[NaN +Inf -Inf]] []"},
		{"empty cells", "x.csv", []byte("a,b\n,1\nNA,null\n2, \n"),
			Options{Columns: []string{"a", "b"}, SkipEmpty: true},
			"[[empty empty 2] [1 empty empty]] []"},
		{"words for missing", "x.csv", []byte("None\n1\nnone\nn/a\nN/A\n2\n"),
			Options{SkipEmpty: true}, "[[empty 1 empty empty empty 2]] []"},
		{"a word in another column", "x.csv", []byte("x,5\n1,2\n"),
			Options{Columns: []string{"2"}, Header: NoHeader}, "[[5 2]] []"},
		{"a word beside a number", "x.csv", []byte("x,5\n1,2\n"),
			Options{Columns: []string{"1", "2"}, Header: WithHeader}, "[[1] [2]] []"},
		{"missing beside a number", "x.csv", []byte("n/a,5\n1,2\n"),
			Options{Columns: []string{"1", "2"}, SkipEmpty: true}, "[[empty 1] [5 2]] []"},
		{"CR in quotes", "x.csv", []byte("\"a\rb\",x\r\n\"c\",1\r\n"),
			Options{Columns: []string{"x"}, Key: "a\rb"}, "[[1]] [c]"},
		{"quoted empty line", "x.csv", []byte("a\n\"\"\n\n1\n"), Options{SkipEmpty: true},
			"[[empty 1]] []"},
		{"nothing", "x.csv", nil, Options{}, "[[]] []"},
		{"only a header", "x.csv", []byte("a,b"), Options{Columns: []string{"b"}}, "[[]] []"},
		{"tsv", "x.tsv", []byte("a\tb\n1,5\t2\n"), Options{Columns: []string{"b"}, Key: "a"},
			"[[2]] [1,5]"},
		{"semicolons", "x.csv", []byte("a;b\n1;2\n"),
			Options{Columns: []string{"b"}, Separator: ';'}, "[[2]] []"},

		{"parquet", "x.parquet", pq, Options{Columns: []string{"f64", "f32", "i32", "in.price"}},
			"[[1.5 -0 +Inf] [0.10000000149011612 0 0] [-7 0 0] [9 0 -1]] []"},
		{"parquet's integers", "x.parquet", pq,
			Options{Columns: []string{"i64", "u64", "u32", "bool"}},
			"[[-9223372036854775808 9007199254740993 -3] " +
				"[18446744073709551615 9223372036854775808 0] [4.294967295e+09 0 0] [1 0 0]] []"},
		{"parquet's key", "x.parquet", pq, Options{Columns: []string{"i32"}, Key: "key"},
			"[[-7 0 0]] [a b a]"},
		{"parquet's numbers as keys", "x.parquet", pq,
			Options{Columns: []string{"i32"}, Key: "u64"},
			"[[-7 0 0]] [18446744073709551615 9223372036854775808 0]"},
		{"parquet's nulls", "x.parquet", pq, Options{Columns: []string{"maybe"}, SkipEmpty: true},
			"[[0.5 empty 0.5]] []"},
		{"parquet's null keys", "x.parquet", pq,
			Options{Columns: []string{"maybe"}, Key: "some", SkipEmpty: true},
			"[[0.5 empty empty]] [k none none]"},
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
