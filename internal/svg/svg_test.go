package svg

import "testing"

func TestNum(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1.04: "1", 1.26: "1.3", -3: "-3", 100: "100"} {
		if got := Num(x); got != want {
			t.Errorf("Num(%v) is %q, not %q", x, got, want)
		}
	}
}

func TestEscape(t *testing.T) {
	if got := Escape(`a<b & "c"`); got != "a&lt;b &amp; &#34;c&#34;" {
		t.Error(got)
	}
}

// TestTextWidth checks that the bound grows with the size and with every
// letter.
func TestTextWidth(t *testing.T) {
	if TextWidth("il", 10) >= TextWidth("MW", 10) || TextWidth("a", 12) <= TextWidth("a", 10) ||
		TextWidth("", 10) != 0 {
		t.Error("a narrow text is not narrower, a large one not wider, or an empty one not empty")
	}
}
