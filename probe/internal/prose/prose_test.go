package prose

import "testing"

func TestList(t *testing.T) {
	for _, test := range []struct {
		values []int
		want   string
	}{
		{nil, ""}, {[]int{1}, "1"}, {[]int{1, 2}, "1 and 2"}, {[]int{1, 2, 3}, "1, 2 and 3"},
	} {
		if got := List(test.values, "and"); got != test.want {
			t.Errorf("List(%v) = %q, want %q", test.values, got, test.want)
		}
	}
}
