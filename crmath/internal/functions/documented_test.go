package functions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFunctionsAreDocumented compares the table of the recipe for functions
// with the rows, and looks for each function in docs/use/functions.md.
func TestFunctionsAreDocumented(t *testing.T) {
	rows, err := Read(filepath.Join(crmath, "internal/f64"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, r := range rows {
		want[r["shape"]] = append(want[r["shape"]], "`"+r.Name()+"`")
	}
	recipe := document(t, "develop/recipes/function.md")
	for _, shape := range Shapes {
		row := regexp.MustCompile("(?m)^\\| `" + shape + "` \\| (.*) \\|$")
		m := row.FindStringSubmatch(recipe)
		if m == nil || !slices.Equal(strings.Fields(m[1]), want[shape]) {
			t.Errorf("the recipe has %q of the shape %s, not %q", m, shape, want[shape])
		}
	}
	_, table, _ := strings.Cut(document(t, "use/functions.md"), "\n## One line\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, r := range rows {
		if !regexp.MustCompile("`" + r.Name() + "[`(]").MatchString(table) {
			t.Errorf("docs/use/functions.md lacks %s", r.Name())
		}
	}
}

// document returns a page of docs.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(crmath, "../docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
