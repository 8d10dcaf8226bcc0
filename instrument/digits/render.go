package digits

import "strings"

// Render returns an output with every token as it is shown: with only the
// digits that are right. Spaces stay.
func Render(plain []byte, tokens []Token) string {
	var out strings.Builder
	text := string(plain)
	for _, t := range tokens {
		i := strings.Index(text, t.Plain)
		out.WriteString(text[:i])
		out.WriteString(t.Shown)
		text = text[i+len(t.Plain):]
	}
	out.WriteString(text)
	return out.String()
}
