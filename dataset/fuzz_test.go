package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/dataset/internal/parquet"
)

// drain reads all of a file in memory.
func drain(
	open func(in *input, o Options, k *keys) (source, error),
	b []byte,
	o Options,
) (rows int, err error) {
	r := &Reader{name: "fuzz"}
	if o.Key != "" {
		r.keys = newKeys()
	}
	if r.src, err = open(&input{name: "fuzz", Reader: bytes.NewReader(b), at: bytes.NewReader(b),
		size: int64(len(b))}, o, r.keys); err != nil {
		return 0, err
	}
	defer r.Close()
	var block Block
	for {
		if err := r.Next(&block); err != nil {
			if err == io.EOF {
				err = nil
			}
			return rows, err
		}
		rows += block.Rows()
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(npyOf("<f8", false, "(2, 1)", []float64{1, 2}))
	f.Add(npyOf(">i8", true, "(1, 2)", []int64{1, 2}))
	f.Add(npyOf("|b1", true, "(0, 9)", []int8{}))
	f.Add(npyOf("<c16", true, "(1, 1)", []float64{1, 2}))
	f.Add(file("{'descr': [('a', '<U1'), ('b', [('1', '<f4', (2,))])], "+
		"'fortran_order': False, 'shape': (1,), }", make([]byte, 12)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := drain(openNPY, b, Options{})
		if err == nil && rows > len(b) {
			t.Errorf("%d values of %d bytes", rows, len(b))
		}
		drain(openNPY, b, Options{Columns: []string{"1"}, Key: "2"})
		drain(openNPY, b, Options{Columns: []string{"b.1.2"}, Key: "a"})
		drain(openNPY, b, Options{Columns: []string{"imag", "real"}, SkipNaN: true})
	})
}

// FuzzRaw reads raw values with and without the marks of records.
func FuzzRaw(f *testing.F) {
	f.Add([]byte("\x04\x00\x00\x00abcd\x04\x00\x00\x00"))
	f.Add([]byte("\xfe\xff\xff\xffab\x02\x00\x00\x00\x02\x00\x00\x00cd\xfe\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, marks := range []int{0, 4, 8, NoRecordMarks} {
			o := Options{DType: "u8", RecordMarks: marks, Offset: 1}
			rows, err := drain(openRaw, b, o)
			if err == nil && (rows > len(b) || marks > 0 && rows+2*marks > len(b) && rows > 0) {
				t.Errorf("%d values of %d bytes with marks of %d", rows, len(b), marks)
			}
		}
	})
}

func FuzzNPZ(f *testing.F) {
	x := npyOf("<f8", false, "(2,)", []float64{1, 2})
	f.Add(npz(map[string][]byte{"x": x}, zip.Store))
	f.Add(npz(map[string][]byte{"x": x, "y": x}, zip.Deflate))
	f.Fuzz(func(t *testing.T, b []byte) {
		drain(openNPZ, b, Options{})
		drain(openNPZ, b, Options{Columns: []string{"x"}, Key: "y"})
	})
}

// FuzzParquet reads changed files: without a panic, and without more values
// than rows. The number of rows is bounded only by time, since a few bytes may
// hold any number of equal values.
func FuzzParquet(f *testing.F) {
	f.Add(parquetFile([]inner{{1}, {2}}, 1))
	f.Add(parquetFile(records3(), 2))
	for _, b := range keptFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := parquet.Open(bytes.NewReader(b), int64(len(b)))
		const most = 1 << 20
		if err != nil || file.Rows > most {
			return
		}
		for _, c := range file.Columns {
			rows, err := drain(openParquet, b, Options{Columns: []string{c.Name}, SkipEmpty: true})
			if err == nil && int64(rows) != file.Rows {
				t.Errorf("column %s has %d rows of %d", c.Name, rows, file.Rows)
			}
			drain(openParquet, b, Options{Columns: []string{file.Columns[0].Name}, Key: c.Name,
				SkipEmpty: true})
		}
	})
}

// FuzzRecords compares the cells of a text with those that encoding/csv finds.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\"\"\",b\r\n\r\n1,\"x\ny\"", "\"", "a\"b",
		"\ufeffa", "\"a\"b", ",\n,", "\"\n\"", "a\r\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.HasPrefix(b, []byte("\ufeff")) ||
			bytes.Contains(b, []byte{'\r'}) &&
				bytes.Contains(bytes.ReplaceAll(b, []byte("\r\n"), nil), []byte{'\r'}) {
			return // encoding/csv keeps the mark, and takes a single \r otherwise
		}
		if bytes.Contains(b, []byte("\r\n")) && bytes.IndexByte(b, '"') >= 0 {
			return // encoding/csv makes \n of \r\n in quotes
		}
		want := csv.NewReader(bytes.NewReader(b))
		want.FieldsPerRecord = -1
		got := newRecords(bytes.NewReader(b), ',')
		for {
			cells, err := want.Read()
			n, gotErr := got.next(1 << 20)
			if err != nil || gotErr != nil {
				if (err == io.EOF) != (gotErr == io.EOF) {
					t.Fatalf("the errors are %v and %v", gotErr, err)
				}
				return
			}
			same := n == len(cells) &&
				slices.EqualFunc(got.cells, cells,
					func(a []byte, b string) bool { return string(a) == b })
			if line, _ := want.FieldPos(0); !same || int64(line) != got.line {
				t.Fatalf("line %d: %q, want %d: %q", got.line, got.cells, line, cells)
			}
		}
	})
}

// FuzzText reads a text as numbers.
func FuzzText(f *testing.F) {
	f.Add([]byte("a,b\n1,2\nNA,x\n"))
	f.Add([]byte("0x1p-3\n1_0\n+inf\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		drain(openText, b, Options{SkipEmpty: true})
		drain(openText, b, Options{Columns: []string{"1"}, Key: "2", Separator: ';'})
		drain(openText, b, Options{Columns: []string{"b"}, Key: "a"})
	})
}
