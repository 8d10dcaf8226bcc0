package text

import (
	"reflect"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"chain", 5, []string{"chain"}},
		{"chain, fma", 10, []string{"chain, fma"}},
		{"chain, fma", 9, []string{"chain,", "fma"}},
		{"strided(8)+pairwise", 12, []string{"strided(8)+", "pairwise"}},
		{"begins with +0", 13, []string{"begins with", "+0"}},
		{"a longword b", 4, []string{"a", "longword", "b"}},
		{"×× ×× ××", 5, []string{"×× ××", "××"}},
	} {
		if got := Wrap(c.s, c.width); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Wrap(%q, %d) is %q, not %q", c.s, c.width, got, c.want)
		}
	}
}
