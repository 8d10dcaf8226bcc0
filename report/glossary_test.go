package report

import (
	"os"
	"strings"
	"testing"
)

// TestGlossaryIsDocumented compares the section "Words" of the glossary in docs
// with the glossary of pages.
func TestGlossaryIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, term := range Glossary() {
		want.WriteString("- **" + term.Word + "**: " + term.Meaning + "\n")
	}
	_, section, _ := strings.Cut(string(page), "\n## Words\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var got strings.Builder
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "- ") {
			got.WriteString(line)
		}
	}
	if got.String() != want.String() {
		t.Errorf("the section Words of docs/reference/glossary.md is\n%s\nnot\n%s",
			got.String(), want.String())
	}
}
