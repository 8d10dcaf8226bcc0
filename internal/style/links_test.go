package style

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`^#{1,6} +(.*)$`)
	inCode  = regexp.MustCompile("`[^`]*`")
)

// documents returns the text of README.md, CONTRIBUTING.md, CHANGELOG.md and
// every page of docs, by their paths in the module.
func documents(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	eachFile(t, ".md", func(name string, source []byte) {
		if !strings.Contains(name, "/") || strings.HasPrefix(name, "docs/") {
			pages[name] = string(source)
		}
	})
	for _, name := range []string{
		"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md",
	} {
		if pages[name] == "" {
			t.Fatalf("there is no %s", name)
		}
	}
	return pages
}

// TestLinks follows every relative link of the documents: its file and its
// anchor exist.
func TestLinks(t *testing.T) {
	pages, links := documents(t), 0
	for name, text := range pages {
		for _, to := range linksOf(text) {
			links++
			if what := broken(pages, name, to); what != "" {
				t.Errorf("%s: the link %s leads nowhere: %s", name, to, what)
			}
		}
	}
	if links < 100 {
		t.Errorf("found only %d links", links)
	}
}

// TestPagesAreListed checks that docs/README.md links to every page below it.
func TestPagesAreListed(t *testing.T) {
	pages := documents(t)
	listed := map[string]bool{"docs/README.md": true}
	for _, to := range linksOf(pages["docs/README.md"]) {
		listed[path.Join("docs", to)] = true
	}
	for name := range pages {
		if strings.HasPrefix(name, "docs/") && !listed[name] {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}

// TestRecipesAreListed checks that CONTRIBUTING.md links to every recipe.
func TestRecipesAreListed(t *testing.T) {
	pages := documents(t)
	listed := linksOf(pages["CONTRIBUTING.md"])
	recipes := 0
	for name := range pages {
		if !strings.HasPrefix(name, "docs/develop/recipes/") {
			continue
		}
		if recipes++; !slices.Contains(listed, name) {
			t.Errorf("CONTRIBUTING.md does not list %s", name)
		}
	}
	if recipes == 0 {
		t.Error("there are no recipes")
	}
}

// broken returns what a relative link from a page lacks, or "".
func broken(pages map[string]string, from, to string) string {
	file, anchor, hasAnchor := strings.Cut(to, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	if strings.HasPrefix(target, "..") {
		return "it leaves the module"
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
		return "there is no file " + target
	}
	if !hasAnchor {
		return ""
	}
	text, ok := pages[target]
	if !ok {
		return target + " is not a page with headings"
	}
	if !anchors(text)[anchor] {
		return "there is no such heading in " + target
	}
	return ""
}

// prose returns the lines of a page, blank where they are code.
func prose(text string) []string {
	lines, fenced := strings.Split(text, "\n"), false
	for i, line := range lines {
		if fence := strings.HasPrefix(line, "```"); fence || fenced {
			fenced = fenced != fence
			lines[i] = ""
		}
	}
	return lines
}

// linksOf returns the relative links of a page, those to files of the web not.
func linksOf(text string) []string {
	var all []string
	for _, line := range prose(text) {
		for _, m := range link.FindAllStringSubmatch(inCode.ReplaceAllString(line, "x"), -1) {
			if !strings.Contains(m[1], "://") && !strings.HasPrefix(m[1], "mailto:") {
				all = append(all, m[1])
			}
		}
	}
	return all
}

// anchors returns the anchors that GitHub makes of the headings of a page.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, line := range prose(text) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		id := anchorOf(m[1])
		for n, one := 1, id; all[id]; n++ {
			id = one + "-" + string(rune('0'+n))
		}
		all[id] = true
	}
	return all
}

// anchorOf lowers a heading, drops what is neither a letter, a digit, a hyphen
// nor an underscore, and joins the words by hyphens.
func anchorOf(heading string) string {
	heading = link.ReplaceAllString(heading, "]")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestAnchors(t *testing.T) {
	const page = "# NumPy's files\n```\n# code\n```\n## `run` and BLAS\n## `run` and BLAS\n"
	got := anchors(page)
	for _, want := range []string{"numpys-files", "run-and-blas", "run-and-blas-1"} {
		if !got[want] {
			t.Errorf("%v lacks %s", got, want)
		}
	}
	if got["code"] {
		t.Error("a comment in code is a heading")
	}
}

func TestBrokenLinks(t *testing.T) {
	pages := map[string]string{"README.md": "# One\n", "docs/README.md": "## Two\n"}
	for to, ok := range map[string]bool{
		"docs/README.md": true, "docs/README.md#two": true, "#one": true, "Makefile": true,
		"docs/README.md#three": false, "#two": false, "docs/nowhere.md": false,
		"Makefile#x": false, "../x": false,
	} {
		if what := broken(pages, "README.md", to); (what == "") != ok {
			t.Errorf("%s: %q", to, what)
		}
	}
}
