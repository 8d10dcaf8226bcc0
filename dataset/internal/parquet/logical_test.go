package parquet

import "testing"

// TestNullType holds the type NULL, whose values are numbers if it has any,
// against the physical types.
func TestNullType(t *testing.T) {
	for p, want := range map[Physical]Meaning{Boolean: Number, Int32: Number, Int64: Number,
		Int96: Unknown, Float: Number, Double: Number, ByteArray: Unknown,
		FixedByteArray: Unknown} {
		e := schemaElement{physical: p, length: 2, converted: -1,
			logical: &Logical{Meaning: Number, Name: "NULL"}}
		if got := e.meaning().Meaning; got != want {
			t.Errorf("NULL of physical type %d has meaning %d, want %d", p, got, want)
		}
	}
}
