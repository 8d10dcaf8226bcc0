package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// manualPage returns the page of a verb in the language of man(7).
func manualPage(cmd *cobra.Command, date string) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var r roff
	r.line(".TH", strings.ToUpper(pageName(cmd)), "1", date, "lastbit", "User Commands")
	r.line(".SH", "NAME")
	r.text(pageName(cmd) + " - " + cmd.Short)
	r.line(".SH", "SYNOPSIS")
	r.text(strings.TrimSpace(usageLine(cmd)))
	r.line(".SH", "DESCRIPTION")
	r.paragraphs(text.Or(cmd.Long, cmd.Short))
	r.flags("OPTIONS", cmd.LocalFlags())
	r.flags("GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		r.line(".SH", "EXAMPLES")
		r.verbatim(cmd.Example)
	}
	if !cmd.HasParent() {
		r.line(".SH", "ENVIRONMENT")
		for _, v := range environment {
			r.line(".TP")
			r.bold(v.name)
			r.text(v.use)
		}
	}
	r.seeAlso(cmd)
	return r.String()
}

// roff collects the lines of a page.
type roff struct{ strings.Builder }

// line writes a macro with its arguments.
func (r *roff) line(macro string, args ...string) {
	r.WriteString(macro)
	for _, s := range args {
		r.WriteString(` "` + escapeRoff(s) + `"`)
	}
	r.WriteByte('\n')
}

// text writes lines that are filled.
func (r *roff) text(s string) {
	for line := range strings.SplitSeq(s, "\n") {
		line = escapeRoff(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line // it is not a macro
		}
		r.WriteString(line + "\n")
	}
}

// bold writes a line in bold.
func (r *roff) bold(s string) { r.WriteString(`\fB` + escapeRoff(s) + `\fR` + "\n") }

// verbatim writes lines unchanged.
func (r *roff) verbatim(s string) {
	r.line(".nf")
	r.text(s)
	r.line(".fi")
}

// paragraphs writes a help text, and its indented lines unchanged.
func (r *roff) paragraphs(s string) {
	for i, p := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			r.line(".PP")
		}
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") {
			r.verbatim(p)
		} else {
			r.text(p)
		}
	}
}

// flags writes a section on flags.
func (r *roff) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	r.line(".SH", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, use := pflag.UnquoteUsage(f)
		r.line(".TP")
		r.bold(strings.TrimSpace(name + " " + kind))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			use += " (default " + f.DefValue + ")"
		}
		r.text(use)
	})
}

// seeAlso names the pages above and below a verb's.
func (r *roff) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent())+"(1)")
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			pages = append(pages, pageName(c)+"(1)")
		}
	}
	r.line(".SH", "SEE ALSO")
	r.text(strings.Join(pages, ", "))
}

// escapeRoff escapes a text so that roff prints it unchanged, with hyphens that
// can be copied into a shell.
func escapeRoff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`).Replace(s)
}
