package order

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAlgorithmsAreDocumented compares the table of the recipe for algorithms
// with Table.
func TestAlgorithmsAreDocumented(t *testing.T) {
	recipe, err := os.ReadFile("../../../docs/develop/recipes/order.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, a := range Table() {
		row := "| `" + a.Name + "` | " + a.Line + " | " + a.Reference
		want = append(want, strings.TrimSpace(row)+" |")
	}
	got := regexp.MustCompile("(?m)^\\| `[a-z-]+` \\| .*$").FindAllString(string(recipe), -1)
	if !slices.Equal(got, want) {
		t.Errorf("the recipe has\n%s\nand Table\n%s", strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}
