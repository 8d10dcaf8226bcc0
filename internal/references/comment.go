package references

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxWidth bounds the columns of a comment line.
const maxWidth = 80

var (
	heading = regexp.MustCompile(`^(\s*)// References:\s*(.*)$`)
	cited   = regexp.MustCompile(`^\s*//   - \[(\w+)\]`)
	rest    = regexp.MustCompile(`^\s*//     \S`)

	// byHand matches a list of references that Rewrite would not touch.
	byHand = regexp.MustCompile(`(?m)^// # References$`)
)

// Rewrite returns a Go source with the references under each "// References:"
// line written in full. It accepts keys after the colon too, separated by
// commas. A key missing from the bibliography is an error, and a list under a
// heading "# References" is one too.
func (b Bibliography) Rewrite(source string) (string, error) {
	if byHand.MatchString(source) {
		return "", errors.New(`write "References:", not a heading: then the list is generated`)
	}
	var out strings.Builder
	lines := strings.SplitAfter(source, "\n")
	for i := 0; i < len(lines); {
		m := heading.FindStringSubmatch(strings.TrimRight(lines[i], "\n"))
		if m == nil {
			out.WriteString(lines[i])
			i++
			continue
		}
		keys := splitKeys(m[2])
		for i++; i < len(lines); i++ {
			if c := cited.FindStringSubmatch(lines[i]); c != nil {
				keys = append(keys, c[1])
			} else if !rest.MatchString(lines[i]) {
				break
			}
		}
		full, err := b.list(m[1], keys)
		if err != nil {
			return "", err
		}
		out.WriteString(full)
	}
	return out.String(), nil
}

func splitKeys(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '.' })
}

// list returns the heading and one wrapped list item for each key, in comments
// behind the indent.
func (b Bibliography) list(indent string, keys []string) (string, error) {
	if len(keys) == 0 {
		return "", fmt.Errorf("a list of references names none: write \"  - [Key]\" under it")
	}
	var out strings.Builder
	out.WriteString(indent + "// References:\n")
	for _, key := range keys {
		entry, ok := b[key]
		if !ok {
			return "", fmt.Errorf("docs/references.bib has no %s", key)
		}
		line := indent + "//   - [" + key + "]"
		for _, word := range strings.Fields(entry.String()) {
			if columns(line)+1+utf8.RuneCountInString(word) > maxWidth {
				out.WriteString(line + "\n")
				line = indent + "//    "
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// columns returns the width of a line; a tab counts four.
func columns(line string) int {
	return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
}
