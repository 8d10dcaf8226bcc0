package dataset

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
)

// gzipped compresses each part as a member of its own.
func gzipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		_, err := io.WriteString(z, p)
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestCompressed(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	matrix := string(npyOf("<f8", false, "(2, 3)", six))
	fortran := string(npyOf("<f8", true, "(2, 3)", six))
	long := strings.Repeat("12.5\n", 1<<18)
	for _, c := range []struct {
		name  string
		parts []string
		o     Options
		want  string // the values, or a part of the error
	}{
		{"x.csv.gz", []string{"a,b\n1,2\n3,4\n"}, Options{Columns: []string{"b"}}, "[[2 4]]"},
		{"x.CSV.GZ", []string{"a\n1\n", "2\n"}, Options{}, "[[1 2]]"},
		{"x.tsv.gz", []string{"a\tb\n1\t2\n"}, Options{Columns: []string{"b"}}, "[[2]]"},
		{"x.gz", []string{"a\n1\n"}, Options{Format: "csv"}, "[[1]]"},
		{"x.csv.gz", []string{""}, Options{}, "[[]]"},
		{"x.npy.gz", []string{matrix}, Options{}, "[[1 2 3 4 5 6]]"},
		{"x.npy.gz", []string{matrix}, Options{Columns: []string{"3"}}, "[[3 6]]"},
		{"x.npy.gz", []string{fortran}, Options{Columns: []string{"3"}},
			"cannot be read while it is compressed; decompress it first"},
		{"x.npy.gz", []string{matrix[:len(matrix)-1]}, Options{},
			"the file ends before its 6 rows do"},
		{"x.npy.gz", []string{matrix}, Options{Part: rows(0, 1)},
			"only of a .npy or a raw file can a part be read"},
		{"x.raw.gz", []string{"\x01\x02"}, Options{DType: "u8"}, "[[1 2]]"},
		{"x.npz.gz", []string{"PK"}, Options{}, "an archive cannot be read while it is compressed"},
		{"x.parquet.gz", []string{"PAR1"}, Options{},
			"a parquet file cannot be read while it is compressed"},
		{"x.txt.gz", []string{"1\n"}, Options{}, "its name does not show its format"},
	} {
		got, err := readAll(write(t, c.name, gzipped(t, c.parts...)), c.o)
		s := fmt.Sprint(got.columns)
		if err != nil {
			s = err.Error()
		}
		if s != c.want && (err == nil || !strings.Contains(s, c.want)) {
			t.Errorf("%s of %.40q: %s, want %s", c.name, c.parts, s, c.want)
		}
	}
	whole := gzipped(t, long)
	for what, b := range map[string][]byte{
		"empty": nil, "text": []byte("1\n2\n"), "cut off": whole[:len(whole)/2],
		"without its checksum": whole[:len(whole)-4], "followed by text": append(whole, "1\n"...),
	} {
		if _, err := readAll(write(t, "x.csv.gz", b), Options{}); err == nil ||
			!strings.Contains(err.Error(), "it cannot be decompressed") {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
	if _, err := readAll(write(t, "x.csv", whole), Options{}); err == nil ||
		!strings.Contains(err.Error(), "it is compressed; give it a name that ends in .gz") {
		t.Errorf("of a compressed file with another name the error is %v", err)
	}
}

// TestCompressedProgress counts the bytes of the file, not those in it.
func TestCompressedProgress(t *testing.T) {
	b := gzipped(t, strings.Repeat("12.5\n", 1<<18))
	r, err := Open(write(t, "x.csv.gz", b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var block Block
	for err == nil {
		err = r.Next(&block)
	}
	if done, total := r.Progress(); err != io.EOF || done != int64(len(b)) || total != done {
		t.Errorf("read %d of %d bytes, and the file has %d: %v", done, total, len(b), err)
	}
}
