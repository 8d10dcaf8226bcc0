package sums

import (
	"encoding/json"
	"math"
	"testing"
)

func TestDistanceWords(t *testing.T) {
	for d, want := range map[ulpDistance]string{0: "the same 0", 1: "1 ULP off 1",
		12: "12 ULPs off 12", math.MaxUint64: "not comparable null"} {
		b, err := json.Marshal(d)
		if got := d.String() + " " + string(b); got != want || err != nil {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
	for key, want := range map[string]string{"a": "a", "ä b": "ä b", "": `""`, " a": `" a"`,
		"a\n": `"a\n"`, `"`: `"\""`} {
		if got := Printable(key); got != want {
			t.Errorf("%q is printed as %s, want %s", key, got, want)
		}
	}
}
