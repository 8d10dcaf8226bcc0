package ask

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGlossaryIsDocumented compares the glossary in the package comment with
// the section "Inside reveal" of docs/reference/glossary.md.
func TestGlossaryIsDocumented(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/reference/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`\n//     `).ReplaceAllString(string(source), " ")
	var want []string
	term := regexp.MustCompile(`(?m)^//   - (.*?): (.*)$`)
	for _, m := range term.FindAllStringSubmatch(text, -1) {
		want = append(want, "- **"+m[1]+"**: "+m[2])
	}
	_, section, _ := strings.Cut(string(page), "\n## Inside reveal\n")
	section, _, _ = strings.Cut(section, "\n## ")
	got := regexp.MustCompile(`(?m)^- .*$`).FindAllString(section, -1)
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) < 20 {
		t.Errorf("docs/reference/glossary.md has\n%s\nand the package comment\n%s",
			strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
