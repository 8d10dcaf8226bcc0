package lock

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Agrees reports whether this machine can compute as both profiles.
func (p *Pin) Agrees() bool {
	for _, w := range p.Ways {
		if !w.Found {
			return false
		}
	}
	return true
}

// WritePin writes the settings for people: the answer first.
func WritePin(w io.Writer, p *Pin) error {
	b := bufio.NewWriter(w)
	out := text.For(w).To(b)
	all := text.Count(p.Operations, "operation")
	if len(p.Ways) == 0 {
		out.Line("", out.Good("nothing to set")+": the two agree on "+all+p.except())
		p.writeFunctions(out)
		return b.Flush()
	}
	out.Line("", p.answer(out, all)+p.except())
	fmt.Fprintln(out)
	out.Line("", fmt.Sprintf("The two differ on %d of %s:", len(p.Differ), all))
	for _, name := range p.Differ {
		out.Line("  ", name)
	}
	fmt.Fprintln(out)
	rows := [][]string{}
	for _, way := range p.Ways {
		left := "all " + all
		if n := len(way.Left); n > 0 {
			left = fmt.Sprintf("%s left after %s", text.Count(n, "operation"),
				text.Count(way.Tried, "set"))
		}
		rows = append(rows, []string{"here as " + way.Profile, assign(way.Settings), left})
	}
	text.Table(out, "  ", rows)
	for _, way := range p.Ways {
		for _, name := range way.Left {
			out.Line("  ", "not as "+way.Profile+": "+name)
		}
	}
	p.writeFunctions(out)
	return b.Flush()
}

// Answer returns the answer in one line.
func (p *Pin) Answer() string {
	all := text.Count(p.Operations, "operation")
	if len(p.Ways) == 0 {
		return "nothing to set: the two agree on " + all
	}
	return p.answer(text.For(io.Discard), all)
}

// except adds the elementary functions that differ to an answer.
func (p *Pin) except() string {
	if len(p.Functions) == 0 {
		return ""
	}
	return ", but not on " + text.Count(len(p.Functions), "elementary function")
}

// writeFunctions writes the elementary functions that differ.
func (p *Pin) writeFunctions(out *text.Printer) {
	if len(p.Functions) == 0 {
		return
	}
	fmt.Fprintln(out)
	out.Line("", "The two have other results of these functions, which pin tries no setting for:")
	out.Line("  ", strings.Join(p.Functions, ", "))
}

// answer returns the line that answers the question.
func (p *Pin) answer(out *text.Printer, all string) string {
	a, b := p.Ways[0], p.Ways[1]
	switch {
	case a.Found && len(a.Settings) == 0 && b.Found:
		return fmt.Sprintf("%s makes this machine, which computes as %s, agree with %s on all %s",
			out.Good(assign(b.Settings)), a.Profile, b.Profile, all)
	case b.Found && len(b.Settings) == 0 && a.Found:
		return fmt.Sprintf("%s makes this machine, which computes as %s, agree with %s on all %s",
			out.Good(assign(a.Settings)), b.Profile, a.Profile, all)
	case a.Found && b.Found:
		return fmt.Sprintf("%s for %s, and %s for %s, make this machine agree on all %s",
			out.Good(assign(a.Settings)), a.Profile, out.Good(assign(b.Settings)), b.Profile, all)
	}
	var missed []string
	for _, w := range p.Ways {
		if !w.Found {
			missed = append(missed, w.Profile)
		}
	}
	return fmt.Sprintf("%s: no set of settings tried makes this machine compute as %s",
		out.Bad("not found"), strings.Join(missed, " or as "))
}

// assign writes settings as a shell takes them.
func assign(settings []string) string {
	if len(settings) == 0 {
		return "nothing to set"
	}
	words := make([]string, len(settings))
	for i, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if strings.ContainsAny(value, " ;,") {
			value = `"` + value + `"`
		}
		words[i] = name + "=" + value
	}
	return strings.Join(words, " ")
}
