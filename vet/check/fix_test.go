package check

import "testing"

// TestApply checks edits at one place: a sum in an operand of another sum.
func TestApply(t *testing.T) {
	const text = "e += r*a + t"
	edits := []Edit{
		{"", 2, 4, "= float64(e) +"}, {"", 5, 5, "float64("}, {"", 12, 12, ")"},
		{"", 5, 5, "float64("}, {"", 8, 8, ")"},
	}
	const want = "e = float64(e) + float64(float64(r*a) + t)"
	if got := string(apply([]byte(text), edits)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
