package cli

import "testing"

func TestBare(t *testing.T) {
	for word, want := range map[string]string{
		"1.5,":            "1.5",
		"[2.5":            "2.5",
		"(0,0)-(50,23.1)": "(0,0)-(50,23.1)",
		"f(1.5);":         "f(1.5)",
	} {
		if got := bare(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
