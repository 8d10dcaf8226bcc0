package explain

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestVariantsAreDocumented compares the table of the recipe for hypotheses
// with the catalogue: the same variants, in the same order.
func TestVariantsAreDocumented(t *testing.T) {
	var want []string
	for _, v := range variants() {
		want = append(want, string(v.cause)+": "+v.value)
	}
	var got []string
	row := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (.+) \\|$")
	for _, m := range row.FindAllStringSubmatch(page(t, "develop/recipes/hypothesis.md"), -1) {
		got = append(got, m[1]+": "+m[2])
	}
	if !slices.Equal(got, want) {
		t.Errorf("the recipe has %q, the catalogue %q", got, want)
	}
}

// TestCausesAreDocumented compares the table of docs/use/explain.md with the
// causes.
func TestCausesAreDocumented(t *testing.T) {
	_, section, _ := strings.Cut(page(t, "use/explain.md"), "\n## Causes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var got []string
	row := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|")
	for _, m := range row.FindAllStringSubmatch(section, -1) {
		got = append(got, m[1])
	}
	var want []string
	for _, c := range Causes() {
		want = append(want, string(c))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/use/explain.md has the causes %q, not %q", got, want)
	}
}

// TestCausesHaveAdvice looks for causes without advice.
func TestCausesHaveAdvice(t *testing.T) {
	for _, c := range Causes() {
		if advice[c] == "" {
			t.Errorf("there is no advice for %s", c)
		}
	}
}

// page returns a page of docs.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
