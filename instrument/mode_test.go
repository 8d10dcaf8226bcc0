package instrument

import "testing"

// TestParseMode reads modes, which print as they are written, and refuses
// others.
func TestParseMode(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"random", "sr", "mca:2", "mca:53", "vprec:24,8", "vprec:2,11"} {
		if m, err := ParseMode(text); err != nil || m.String() != text {
			t.Errorf("%s is %s, %v", text, m, err)
		}
	}
	for _, text := range []string{"", "Random", "random:1", "sr:", "mca", "mca:", "mca:1", "mca:54",
		"mca:24,8", "vprec:24", "vprec:24,12", "vprec:24,8,1", "vprec:x,8", "mca:-3"} {
		if m, err := ParseMode(text); err == nil {
			t.Errorf("%q is %s", text, m)
		}
	}
}
