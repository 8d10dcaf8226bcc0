package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// helpWidth is the width of help texts, unless the terminal is narrower.
const helpWidth = 80

// helpCommand returns the verb that prints the help of another.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Print the help of a command",
		Long:              "Help prints the description of a command, its flags, and examples.",
		Example:           "  lastbit help reveal",
		ValidArgsFunction: completeVerbs,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return refuseUnknownVerb(about, rest)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// completeVerbs completes the verbs below the typed one.
func completeVerbs(
	cmd *cobra.Command, args []string, _ string,
) ([]string, cobra.ShellCompDirective) {
	about, _, err := cmd.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return verbNames(about), cobra.ShellCompDirectiveNoFileComp
}

// verbNames lists the verbs below a command.
func verbNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// helpPrinter returns a printer for the help of a verb.
func (a *app) helpPrinter() *text.Printer {
	p := terminal.NewPrinter(a.out.w, a.color).To(a.out)
	if p.Width == 0 || p.Width > helpWidth {
		p.Width = helpWidth
	}
	return p
}

// writeHelp writes the output of --help: the description of a verb, then its
// usage.
func writeHelp(p *text.Printer, cmd *cobra.Command) {
	fmt.Fprintln(p, refill(strings.TrimSpace(text.Or(cmd.Long, cmd.Short)), p.Width))
	writeUsage(p, cmd)
}

// refill wraps the paragraphs of a text to a width. Indented lines are not
// wrapped.
func refill(s string, width int) string {
	var paragraphs []string
	for p := range strings.SplitSeq(s, "\n\n") {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			p = strings.Join(text.Wrap(strings.ReplaceAll(p, "\n", " "), width), "\n")
		}
		paragraphs = append(paragraphs, p)
	}
	return strings.Join(paragraphs, "\n\n")
}

// writeUsage writes the usage of a verb: its command line, examples, verbs
// below it, flags and environment.
func writeUsage(p *text.Printer, cmd *cobra.Command) {
	section := func(title, body string) {
		if body != "" {
			fmt.Fprintf(p, "\n%s\n%s\n", p.Heading(title+":"), strings.TrimRight(body, "\n "))
		}
	}
	section("Usage", "  "+usageLine(cmd))
	section("Examples", cmd.Example)
	for _, group := range cmd.Groups() {
		section(group.Title, verbLines(cmd, group.ID, p.Width))
	}
	section("Available Commands", verbLines(cmd, "", p.Width))
	section("Flags", cmd.LocalFlags().FlagUsagesWrapped(p.Width))
	section("Global flags", cmd.InheritedFlags().FlagUsagesWrapped(p.Width))
	if !cmd.HasParent() {
		section("Environment", definitions(environment, p.Width))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(p)
		text.WriteWrapped(p, "", "For more about a command: "+cmd.CommandPath()+" COMMAND --help")
	}
}

// usageLine returns the form of a command line.
func usageLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

// verbLines lists the verbs of a group below a command.
func verbLines(cmd *cobra.Command, group string, width int) string {
	var rows []variable
	for _, c := range cmd.Commands() {
		if c.GroupID == group && (c.IsAvailableCommand() || c.Name() == "help") {
			rows = append(rows, variable{c.Name(), c.Short})
		}
	}
	return table(rows, nameColumn(verbNames(cmd)), width)
}

// definitions lays out names and their meanings in two columns.
func definitions(rows []variable, width int) string {
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	return table(rows, nameColumn(names), width)
}

// nameColumn returns the width of a column of names.
func nameColumn(names []string) int {
	column := 0
	for _, name := range names {
		column = max(column, text.Width(name))
	}
	return column
}

// table lays out names and their meanings in two columns, the first of the
// given width.
func table(rows []variable, column, width int) string {
	var b strings.Builder
	for _, r := range rows {
		indent := "  " + text.Pad(r.name, column) + "   "
		for _, line := range text.Wrap(r.use, max(width-text.Width(indent), 20)) {
			b.WriteString(indent + line + "\n")
			indent = strings.Repeat(" ", column+5)
		}
	}
	return b.String()
}
