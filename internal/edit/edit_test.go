package edit

import "testing"

func TestApply(t *testing.T) {
	const text = "abcdef"
	for _, tt := range []struct {
		edits []Edit
		want  string
	}{
		{nil, "abcdef"},
		{[]Edit{{0, 0, "<"}, {6, 6, ">"}}, "<abcdef>"},
		{[]Edit{{4, 6, "x"}, {0, 2, ""}}, "cdx"},
		{[]Edit{{2, 2, "1"}, {2, 2, "2"}}, "ab12cdef"},
		{[]Edit{{2, 4, "x"}, {2, 2, "1"}}, "ab1xef"},
		{[]Edit{{2, 4, "x"}, {4, 4, "1"}, {4, 5, "y"}}, "abx1yf"},
		{[]Edit{{0, 6, ""}}, ""},
	} {
		if got := string(Apply([]byte(text), tt.edits)); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.edits, got, tt.want)
		}
	}
	if text := []byte(nil); len(Apply(text, nil)) != 0 {
		t.Error("nothing became something")
	}
}

func TestApplyPanics(t *testing.T) {
	for _, edits := range [][]Edit{
		{{1, 3, ""}, {2, 4, ""}}, {{1, 3, ""}, {1, 3, ""}}, {{1, 4, ""}, {2, 2, "x"}},
		{{3, 2, ""}}, {{5, 7, ""}}, {{-1, 0, ""}}, {{7, 7, "x"}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", edits)
				}
			}()
			Apply([]byte("abcdef"), edits)
		}()
	}
}

// TestApplyKeeps holds that neither the text nor the order of edits changes.
func TestApplyKeeps(t *testing.T) {
	text, edits := []byte("abcdef"), []Edit{{4, 5, "x"}, {0, 1, "y"}}
	Apply(text, edits)
	if string(text) != "abcdef" || edits[0] != (Edit{4, 5, "x"}) || edits[1] != (Edit{0, 1, "y"}) {
		t.Errorf("%s, %v", text, edits)
	}
}
