package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestLongRecords refuses a stream of Fortran's records that are longer than
// what is seen of it at the start.
func TestLongRecords(t *testing.T) {
	for _, width := range []int{4, 8} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, values := range []int{1, 3, 40_000, 100_000} {
				b := markedRecord(width, order, values)
				cure := fmt.Sprintf("add --record-marks %d", width)
				if order == binary.BigEndian {
					cure += " --order big"
				}
				for _, content := range [][]byte{b, bytes.Repeat(b, 2)} {
					got, err := readAll("-", Options{Format: "raw", Stdin: &pieces{content, 1000}})
					if err == nil || !strings.Contains(err.Error(), cure) {
						t.Errorf("%d values, marks of %d bytes: %d, %v, want %s", values, width,
							len(got.columns), err, cure)
					}
				}
				for _, o := range []Options{
					{RecordMarks: NoRecordMarks, DType: "u8"},
					{RecordMarks: width, BigEndian: order == binary.BigEndian},
				} {
					o.Format, o.Stdin = "raw", &pieces{b, 1000}
					if _, err := readAll("-", o); err != nil {
						t.Errorf("%+v: %v", o, err)
					}
				}
			}
		}
	}
}

// markedRecord returns a record of numbers with its marks.
func markedRecord(width int, order binary.AppendByteOrder, values int) []byte {
	mark := order.AppendUint32(nil, uint32(8*values))
	if width == 8 {
		mark = order.AppendUint64(nil, uint64(8*values))
	}
	b := bytes.Clone(mark)
	for range values {
		b = order.AppendUint64(b, math.Float64bits(1.5))
	}
	return append(b, mark...)
}

// TestUnmarkedStream reads streams that only begin like records.
func TestUnmarkedStream(t *testing.T) {
	small := make([]byte, 300_000) // 0, 0, 57, 57, … as uint64
	for i := 16; i < len(small); i += 8 {
		small[i] = 57
	}
	record := markedRecord(4, binary.LittleEndian, 40_000)
	for name, b := range map[string][]byte{
		"integers":         small,
		"zeros":            make([]byte, 1<<20),
		"nothing":          nil,
		"a record cut off": record[:len(record)-8],
		"something after":  append(bytes.Clone(record), make([]byte, 4)...),
	} {
		o := Options{Format: "raw", DType: "u32", Stdin: &pieces{b, 1000}}
		if _, err := readAll("-", o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
