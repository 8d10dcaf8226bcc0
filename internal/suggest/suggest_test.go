package suggest

import (
	"slices"
	"testing"
)

func TestClosest(t *testing.T) {
	verbs := []string{"audit", "reveal", "compare", "replay", "targets", "bench", "libm", "sum",
		"merge"}
	targets := []string{"py:numpy.sum", "py:numpy.mean", "go:naive", "blas:openblas", "sim:h100",
		"sim:v100"}
	tests := []struct {
		word string
		from []string
		want []string
	}{
		{"revael", verbs, []string{"reveal"}},
		{"repaly", verbs, []string{"replay"}},
		{"REVEAL", verbs, []string{"reveal"}},
		{"sun", verbs, []string{"sum"}},
		{"target", verbs, []string{"targets"}},
		{"comp", verbs, []string{"compare"}},
		{"banana", verbs, nil},
		{"", verbs, nil},
		{"x", verbs, nil},
		{"py:numpy.sun", targets, []string{"py:numpy.sum"}},
		{"go:niave", targets, []string{"go:naive"}},
		{"blas:openblass", targets, []string{"blas:openblas"}},
		{"sim:w100", targets, []string{"sim:h100", "sim:v100"}},
		{"aa", []string{"ab", "ac", "ad", "ae", "ab"}, []string{"ab", "ac", "ad"}},
		{"größe", []string{"grosse", "größer"}, []string{"größer"}},
	}
	for _, test := range tests {
		if got := Closest(test.word, test.from); !slices.Equal(got, test.want) {
			t.Errorf("Closest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}

func TestQuestion(t *testing.T) {
	tests := []struct {
		word, want string
	}{
		{"aa", "did you mean ab, ac or ad?"},
		{"ax", "did you mean ab, ac or ad?"},
		{"abcdefgh", ""},
	}
	for _, test := range tests {
		if got := Question(test.word, []string{"ab", "ac", "ad"}); got != test.want {
			t.Errorf("Question(%q) = %q, want %q", test.word, got, test.want)
		}
	}
	if got := Question("ab", []string{"abc"}); got != "did you mean abc?" {
		t.Errorf("Question of one candidate = %q", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1},
		{"ca", "abc", 3}, // 2 if a part could be edited twice
	}
	for _, test := range tests {
		if got := distance([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
