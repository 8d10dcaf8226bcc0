package report

import (
	"os"
	"strings"
	"testing"
)

// TestGlossaryIsInReadme compares the section "Words" of the README with the
// glossary of pages.
func TestGlossaryIsInReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, term := range Glossary() {
		want.WriteString("- **" + term.Word + "**: " + term.Meaning + "\n")
	}
	_, section, _ := strings.Cut(string(readme), "\n## Words\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var got strings.Builder
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "- ") {
			got.WriteString(line)
		}
	}
	if got.String() != want.String() {
		t.Errorf("the section Words of the README is\n%s\nnot\n%s", got.String(), want.String())
	}
}
