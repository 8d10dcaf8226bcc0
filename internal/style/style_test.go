package style

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	root       = "../.."
	maxComment = 80  // columns of a comment line; a tab counts four
	maxCode    = 100 // columns of any other line
	maxLines   = 500 // lines of a file
)

var (
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	gonums    = regexp.MustCompile(`^// Copyright ©\d+ The Gonum Authors\.`)
	directive = regexp.MustCompile(`^//([a-z]+:|line |export )`)
)

func TestGoFiles(t *testing.T) {
	files := 0
	eachFile(t, ".go", func(path string, source []byte) {
		files++
		if !generated.Match(source) && !gonums.Match(source) {
			complain(t, path, source, tooWide)
		}
	})
	if files < 100 {
		t.Fatalf("found only %d Go files", files)
	}
}

func TestScripts(t *testing.T) {
	for _, extension := range []string{".js", ".py", ".css"} {
		eachFile(t, extension, func(path string, source []byte) {
			complain(t, path, source, func(string) string { return "" })
		})
	}
}

// complain reports a file that is too long, and each line that wide objects to.
func complain(t *testing.T, path string, source []byte, wide func(line string) string) {
	t.Helper()
	if n := bytes.Count(source, []byte("\n")); n > maxLines {
		t.Errorf("%s has %d lines: split it, a file holds at most %d", path, n, maxLines)
	}
	n := 0
	for line := range strings.Lines(string(source)) {
		n++
		if what := wide(strings.TrimRight(line, "\n")); what != "" {
			t.Errorf("%s:%d: %s", path, n, what)
		}
	}
}

// tooWide returns the limit that a line of Go exceeds, or "". A comment may
// hold a single word of any width, and tables and formulas, which gofmt indents
// by a tab, as wide as code.
func tooWide(line string) string {
	text := strings.TrimLeft(line, "\t ")
	width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
	isComment := strings.HasPrefix(text, "//")
	prose := isComment && !strings.HasPrefix(text, "//\t") && !directive.MatchString(text)
	oneWord := !strings.ContainsAny(strings.Trim(text, "/ \t-"), " \t")
	switch {
	case prose && width > maxComment && !oneWord:
		return "a comment wider than 80 columns"
	case (!isComment || strings.HasPrefix(text, "//\t")) && width > maxCode:
		return "code wider than 100 columns"
	}
	return ""
}

func TestTooWide(t *testing.T) {
	for _, tt := range []struct {
		line string
		ok   bool
	}{
		{"// " + strings.Repeat("x ", 38) + "x", true},
		{"// " + strings.Repeat("x ", 39) + "x", false},
		{"\t// " + strings.Repeat("x ", 37) + "x", false},
		{"// " + strings.Repeat("x", 90), true},
		{"//\t" + strings.Repeat("x ", 45), true},
		{"//\t" + strings.Repeat("x ", 50), false},
		{"//go:generate " + strings.Repeat("x ", 60), true},
		{strings.Repeat("é", 100), true},
		{strings.Repeat("x", 101), false},
		{"\t" + strings.Repeat("x", 97), false},
	} {
		if what := tooWide(tt.line); (what == "") != tt.ok {
			t.Errorf("%q: %q", tt.line, what)
		}
	}
}

// eachFile calls do for every file of the module with an extension.
func eachFile(t *testing.T, extension string, do func(path string, source []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (name[0] == '.' || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != extension {
			return nil
		}
		source, err := os.ReadFile(path)
		if err == nil {
			do(strings.TrimPrefix(filepath.ToSlash(path), root+"/"), source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
