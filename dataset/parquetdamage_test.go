package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keptFiles returns the files of testdata/parquet.
func keptFiles(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "parquet", "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = b
	}
	return files
}

// sumBytes returns the exact sum of a column of a file in memory.
func sumBytes(b []byte, column string, block *Block) (*exactSum, error) {
	in := &input{name: "x", Reader: bytes.NewReader(b), at: bytes.NewReader(b),
		size: int64(len(b))}
	r := &Reader{name: "x"}
	var err error
	o := Options{Columns: []string{column}, SkipEmpty: true}
	if r.src, err = openParquet(in, o, nil); err != nil {
		return nil, err
	}
	defer r.Close()
	s := &exactSum{}
	for {
		if err := r.Next(block); err == io.EOF {
			return s, nil
		} else if err != nil {
			return nil, err
		}
		s.addColumn(&block.Columns[0])
	}
}

// The columns of the kept files, with their sums.
var keptSums = map[string]map[string]string{
	"lz4.parquet":         {"amount": "125125"},
	"booleans.parquet":    {"flag": "8"},
	"differences.parquet": {"i": "-6"},
	"checked.parquet":     keptTable,
	"packed.parquet":      keptTable,
	"plain.parquet":       {"amount": "915/2", "some": "1518004554"},
	"duckdb.parquet":      keptTable,
	"polars.parquet":      keptTable,
	"fastparquet.parquet": {"amount": "915/2", "some": "1518004554", "flag": "40",
		"rank": "120"},
}

var keptTable = map[string]string{"amount": "915/2", "some": "1518004554", "flag": "40",
	"money": "35427/2"}

// TestParquetKept sums files that parquet-go reads wrongly, or refuses, among
// others.
func TestParquetKept(t *testing.T) {
	var block Block
	for name, b := range keptFiles(t) {
		for column, want := range keptSums[name] {
			got, err := sumBytes(b, column, &block)
			if err != nil || got.String() != want {
				t.Errorf("%s, column %s: %v, %v; want %s", name, column, got, err, want)
			}
		}
		if len(keptSums[name]) == 0 {
			t.Errorf("no sum of %s is known", name)
		}
	}
	keys := map[string]map[string]int{"key": {"=key0": 15, "=key1": 15, "=key2": 15, "=key3": 15},
		"none": {"": 60}}
	for key, want := range keys {
		name := filepath.Join("testdata", "parquet", "fastparquet.parquet")
		got, err := tally(name, "amount", key, &block)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s, keys %s: %v, %v; want %v", name, key, got, err, want)
		}
	}
}

// TestParquetDamage changes every bit of files with checksums: each time the
// sum is the same or the file is refused.
func TestParquetDamage(t *testing.T) {
	files := keptFiles(t)
	for _, name := range []string{"checked.parquet", "packed.parquet"} {
		b := files[name]
		block := Block{}
		refused, total := 0, 0
		for i := range b {
			for bit := range 8 {
				b[i] ^= 1 << bit
				for column, want := range keptSums[name] {
					total++
					switch got, err := sumBytes(b, column, &block); {
					case err != nil:
						refused++
					case got.String() != want:
						t.Errorf("%s, bit %d of byte %d: column %s is %s, want %s", name, bit, i,
							column, got, want)
					}
				}
				b[i] ^= 1 << bit
			}
		}
		t.Logf("%s: %d of %d changes are refused", name, refused, total)
		for i := range b {
			if _, err := sumBytes(b[:i], "amount", &block); err == nil {
				t.Errorf("%s: the first %d bytes are read", name, i)
			}
		}
	}
}

// TestParquetStatistics changes values and statistics of a file without
// checksums, so that only one of them shows it.
func TestParquetStatistics(t *testing.T) {
	number := func(v float64) string {
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	file := string(keptFiles(t)["plain.parquet"])
	var block Block
	for _, c := range []struct{ column, old, new, want string }{
		{"amount", number(7.25), number(1e9), "above the maximum"},
		{"amount", number(7.25), number(-1), "below the minimum"},
		{"amount", number(7.25), number(7.5), ""}, // nothing shows it
	} {
		if strings.Count(file, c.old) != 1 {
			t.Fatalf("%q is there %d times", c.old, strings.Count(file, c.old))
		}
		b := []byte(strings.Replace(file, c.old, c.new, 1))
		_, err := sumBytes(b, c.column, &block)
		var e *Error
		if c.want == "" && err == nil {
			continue
		}
		if !errors.As(err, &e) || e.Column != c.column || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: the error is %v, want %s", c.new, c.old, err, c.want)
		}
	}
}
