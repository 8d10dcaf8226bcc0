package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
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
	return file(
		"{'descr': '"+descr+"', 'fortran_order': "+f+", 'shape': "+shape+", }",
		b.Bytes()...)
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
		{
			F64:   1.5,
			F32:   0.1,
			I32:   -7,
			I64:   math.MinInt64,
			U32:   math.MaxUint32,
			U64:   math.MaxUint64,
			Bool:  true,
			Maybe: &half,
			Key:   "a",
			Some:  &k,
			In:    inner{9},
		},
		{F64: math.Copysign(0, -1), I64: 1<<53 + 1, U64: 1 << 63, Key: "b", List: []int64{1, 2}},
		{F64: math.Inf(1), I64: -3, Key: "a", In: inner{-1}, Maybe: &half},
	}
}

// parquetFile returns a file of rows in groups of a given length.
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
