package sqlsum

import "strings"

// subquery returns a SELECT in parentheses, without the semicolons at its end.
// The SELECT may end in a comment.
func subquery(s string) string {
	return "(\n" + withoutSemicolons(s) + "\n)"
}

// withoutSemicolons returns a statement without the semicolons at its end, also
// if comments follow them. The engines do not agree where a string ends after a
// backslash or a dollar sign, and what # begins: there it removes no comment.
func withoutSemicolons(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\\$#") {
		if end := endOfCode(s); strings.Contains(s[end:], ";") {
			s = s[:end]
		}
	}
	for strings.HasSuffix(s, ";") {
		s = strings.TrimSpace(strings.TrimRight(s, ";"))
	}
	return s
}

// endOfCode returns the length of s without the blanks, semicolons and comments
// at its end.
func endOfCode(s string) int {
	end := 0
	for at := 0; at < len(s); {
		n, isCode := lexeme(s[at:])
		if at += n; isCode {
			end = at
		}
	}
	return end
}

// lexeme returns the length of what s begins with, and whether it is code: a
// string or a quoted name, or one byte. Otherwise it is a comment, a semicolon
// or a blank.
func lexeme(s string) (n int, isCode bool) {
	through := func(from int, end string) int {
		if i := strings.Index(s[from:], end); i >= 0 {
			return from + i + len(end)
		}
		return len(s)
	}
	switch {
	case s[0] == '\'' || s[0] == '"' || s[0] == '`':
		return through(1, s[:1]), true
	case strings.HasPrefix(s, "--"):
		return through(2, "\n"), false
	case strings.HasPrefix(s, "/*"):
		return through(2, "*/"), false
	default:
		return 1, !strings.Contains("; \t\r\n", s[:1])
	}
}
