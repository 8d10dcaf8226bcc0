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
		{"vector", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", little,
			Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"big-endian", "{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }",
			encode(binary.BigEndian, bits...),
			Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"rows", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", little,
			Array{fp.Binary32, []int{2, 3}, values(0, 1, 2, 3, 4, 5)}},
		{"columns", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", little,
			Array{fp.Binary32, []int{2, 3}, values(0, 2, 4, 1, 3, 5)}},
		{"Fortran's vector", "{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", little,
			Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"half", "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }",
			[]byte{0x00, 0x3c, 0x01, 0x80}, Array{fp.Binary16, []int{2}, []float64{1, -0x1p-24}}},
		{"bfloat16", "{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }",
			[]byte{0x80, 0x3f, 0x01, 0x80, 0x80, 0x7f},
			Array{fp.BFloat16, []int{3}, []float64{1, -0x1p-133, math.Inf(1)}}},
		{"double", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
			[]byte{1, 0, 0, 0, 0, 0, 0xf0, 0x3f},
			Array{fp.Binary64, []int{1}, []float64{1 + 0x1p-52}}},
		{"empty", "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }", nil,
			Array{fp.Binary32, []int{0}, nil}},
		{"other order of keys", "{'shape': (6,), 'fortran_order': False, 'descr': '<f4'}", little,
			Array{fp.Binary32, []int{6}, values(0, 1, 2, 3, 4, 5)}},
		{"no spaces", "{'descr':'<f4','fortran_order':True,'shape':(2,3)}", little,
			Array{fp.Binary32, []int{2, 3}, values(0, 2, 4, 1, 3, 5)}},
		{"many spaces",
			" {\n'descr' : \"<f4\" , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } ", little,
			Array{fp.Binary32, []int{2, 3}, values(0, 1, 2, 3, 4, 5)}},
		{"Python 2", "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }", little,
			Array{fp.Binary32, []int{2, 3}, values(0, 1, 2, 3, 4, 5)}},
	} {
		got, err := DecodeNPY(bytes.NewReader(file(c.header, c.body...)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		same := slices.EqualFunc(got.Values, c.want.Values,
			func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if got.Format != c.want.Format || !slices.Equal(got.Shape, c.want.Shape) || !same {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, header, complaint string }{
		{"integers", "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
			"none of float64"},
		{"objects", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "none of float64"},
		{"short", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "ends before"},
		{"huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999), }",
			"too large"},
		{"promises", "{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000,), }",
			"ends before"},
		{"Fortran's cube", "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 1), }",
			"dimensions"},
		{"no header", "", "header is broken"},
		{"records", "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }",
			"records"},
		{"a key twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
			"twice"},
		{"a key missing", "{'descr': '<f4', 'shape': (1,), }", "the three of"},
		{"another key", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
			"a key \"x\""},
		{"something behind", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x",
			"header is broken"},
		{"no tuple", "{'descr': '<f4', 'fortran_order': False, 'shape': (1), }",
			"header is broken"},
		{"no number", "{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }",
			"header is broken"},
		{"a negative dimension", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
			"header is broken"},
		{"a number too large",
			"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
			"too large"},
		{"no boolean", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", "header is broken"},
		{"no comma", "{'descr': '<f4' 'fortran_order': False, 'shape': (1,), }",
			"header is broken"},
		{"an escape", "{'descr': '<f4\\'', 'fortran_order': False, 'shape': (1,), }",
			"header is broken"},
		{"not closed", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,", "header is broken"},
		{"commas", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,), }",
			"header is broken"},
	} {
		_, err := DecodeNPY(bytes.NewReader(file(c.header, 0, 0, 0, 0)))
		if err == nil || !strings.Contains(err.Error(), c.complaint) {
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
	for _, b := range []string{"", "x", "\x93NUMPY", "not a .npy file at all",
		"\x93NUMPY\x02\x00\xff\xff\xff\xff{}"} {
		if _, err := DecodeNPY(strings.NewReader(b)); err == nil {
			t.Errorf("%q is taken for a .npy file", b)
		}
	}
	// A header that claims more data than the file has, one without an end, one
	// cut off, and one of an unknown version.
	valid := file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0, 0)
	for _, b := range [][]byte{
		append(append(slices.Clone(valid[:8]), 0xff, 0xff), strings.Repeat("x", 100)...),
		append(append(slices.Clone(valid[:8]), 100, 0), strings.Repeat("x", 100)...),
		valid[:30],
		append(append(slices.Clone(valid[:6]), 4), valid[7:]...),
	} {
		_, err := DecodeNPY(bytes.NewReader(b))
		if err == nil ||
			!strings.Contains(err.Error(), "header") &&
				!strings.Contains(err.Error(), "version 4 of") {
			t.Errorf("%q: the error is %v", b, err)
		}
	}
	if _, err := ReadNPY(filepath.Join(t.TempDir(), "none.npy")); !os.IsNotExist(err) {
		t.Errorf("of a file that is not there the error is %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(file("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", 0, 0, 0, 0, 0, 0, 0x80,
		0x3f))
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

// TestVersions reads the header of each version of the format.
func TestVersions(t *testing.T) {
	v1 := file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0x80, 0x3f)
	for _, version := range []byte{1, 2, 3} {
		b := v1
		if version > 1 {
			b = append(append([]byte(npyMagic), version, 0, v1[8], v1[9], 0, 0), v1[10:]...)
		}
		a, err := DecodeNPY(bytes.NewReader(b))
		if err != nil || !slices.Equal(a.Values, []float64{1}) {
			t.Errorf("version %d: %v, %v", version, a, err)
		}
		got, err := readAll(write(t, "x.npy", b), Options{})
		if err != nil || !slices.Equal(got.columns[0], []string{"1"}) {
			t.Errorf("version %d: %v, %v", version, got, err)
		}
	}
}

// FuzzHeader writes the headers that the parser takes as NumPy does, and reads
// them again.
func FuzzHeader(f *testing.F) {
	f.Add("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }")
	f.Add("{\"shape\":(3L,),'descr':'>i8','fortran_order':False}\n")
	f.Add("{'descr': '|O', 'fortran_order': False, 'shape': ()}")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := parseHeader(s)
		if err != nil {
			return
		}
		order := map[bool]string{true: "True", false: "False"}[h.fortran]
		again, err := parseHeader("{'descr': \"" + h.descr + "\", 'fortran_order': " + order +
			", 'shape': " + shapeText(h.shape) + ", }")
		if strings.Contains(h.descr, "\"") {
			return
		}
		if err != nil || again.descr != h.descr || again.fortran != h.fortran ||
			!slices.Equal(again.shape, h.shape) {
			t.Errorf("%q is %v, and that is read as %v, %v", s, h, again, err)
		}
	})
}
