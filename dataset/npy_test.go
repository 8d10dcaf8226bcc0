package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// file is a .npy file with that header and body.
func file(header string, body ...byte) []byte {
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(b, header...), body...)
}

func encode(order binary.AppendByteOrder, bits ...uint32) []byte {
	var b []byte
	for _, v := range bits {
		b = order.AppendUint32(b, v)
	}
	return b
}

func TestDecode(t *testing.T) {
	bits := []uint32{0x3f800000, 0x80000000, 0x7f800000, 0x00000001, 0x7fc00000, 0xc0490fdb}
	values := func(order ...int) []float64 {
		var x []float64
		for _, i := range order {
			x = append(x, float64(math.Float32frombits(bits[i])))
		}
		return x
	}
	little := encode(binary.LittleEndian, bits...)
	for _, c := range []struct {
		name, header string
		body         []byte
		want         Array
	}{
		{"vector", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", little, Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"big-endian", "{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }", encode(binary.BigEndian, bits...), Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"rows", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", little, Array{fp.Binary32, []int{2, 3}, values(0, 1, 2, 3, 4, 5)}},
		{"columns", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", little, Array{fp.Binary32, []int{2, 3}, values(0, 2, 4, 1, 3, 5)}},
		{"Fortran's vector", "{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", little, Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"half", "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", []byte{0x00, 0x3c, 0x01, 0x80}, Array{fp.Binary16, []int{2}, []float64{1, -0x1p-24}}},
		{"double", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", []byte{1, 0, 0, 0, 0, 0, 0xf0, 0x3f}, Array{fp.Binary64, []int{1}, []float64{1 + 0x1p-52}}},
		{"empty", "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }", nil, Array{fp.Binary32, []int{0}, nil}},
	} {
		got, err := DecodeNPY(bytes.NewReader(file(c.header, c.body...)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		same := slices.EqualFunc(got.Values, c.want.Values, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if got.Format != c.want.Format || !slices.Equal(got.Shape, c.want.Shape) || !same {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, header, complaint string }{
		{"integers", "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "none of float64"},
		{"objects", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "none of float64"},
		{"short", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "ends before"},
		{"huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999), }", "too large"},
		{"promises", "{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000,), }", "ends before"},
		{"Fortran's cube", "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 1), }", "dimensions"},
		{"no header", "", ""},
	} {
		_, err := DecodeNPY(bytes.NewReader(file(c.header, 0, 0, 0, 0)))
		if err == nil || !strings.Contains(err.Error(), c.complaint) {
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
	for _, b := range []string{"", "x", "\x93NUMPY", "not a .npy file at all", "\x93NUMPY\x02\x00\xff\xff\xff\xff{}"} {
		if _, err := DecodeNPY(strings.NewReader(b)); err == nil {
			t.Errorf("%q is taken for a .npy file", b)
		}
	}
	// A header that claims more than there is, one without an end, and one whose
	// keys come in an order that the parser does not expect.
	valid := file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0, 0)
	for _, b := range [][]byte{
		append(append(slices.Clone(valid[:8]), 0xff, 0xff), strings.Repeat("x", 100)...),
		append(append(slices.Clone(valid[:8]), 100, 0), strings.Repeat("x", 100)...),
		valid[:30],
		file("{'shape': (1,), 'fortran_order': False, 'descr': '<f4', }", 0, 0, 0, 0),
	} {
		_, err := DecodeNPY(bytes.NewReader(b))
		if err == nil || !strings.Contains(err.Error(), "header") || strings.Contains(err.Error(), "runtime error") {
			t.Errorf("%q: the error is %v", b, err)
		}
	}
	if _, err := ReadNPY(filepath.Join(t.TempDir(), "none.npy")); !os.IsNotExist(err) {
		t.Errorf("of a file that is not there the error is %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(file("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", 0, 0, 0, 0, 0, 0, 0x80, 0x3f))
	f.Add(file("{'descr': '>f2', 'fortran_order': False, 'shape': (), }", 0, 0))
	f.Add([]byte("\x93NUMPY\x02\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := DecodeNPY(bytes.NewReader(b))
		if err != nil {
			return
		}
		n := 1
		for _, d := range a.Shape {
			n *= d
		}
		if !a.Format.Valid() || len(a.Values) != n {
			t.Errorf("%d values of %v in the shape %v", len(a.Values), a.Format, a.Shape)
		}
	})
}
