package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
)

// choices are the words that a flag takes.
type choices struct {
	words []string          // in help and completion
	also  []string          // other words to suggest
	takes func(string) bool // whether another word is taken; may be nil
	fault probe.Fault       // of any other word: ID, cause, perhaps a cure; may be zero
}

// choice is the value of a flag that takes its default, or one of a few words.
type choice struct {
	choices
	value          *string
	flag, fallback string
}

// choiceVar defines a flag of fl that takes one of a few words, and completes
// it.
func choiceVar(
	cmd *cobra.Command, fl *pflag.FlagSet, p *string, name, value string, c choices,
	usage string,
) {
	*p = value
	fl.Var(&choice{c, p, name, value}, name, usage)
	complete(cmd, name, c.words)
}

// Set implements pflag.Value.
func (c *choice) Set(s string) error {
	known := s == c.fallback || slices.Contains(c.words, s) || c.takes != nil && c.takes(s)
	if !known {
		return c.refuse(c.flag, s)
	}
	*c.value = s
	return nil
}

// String implements pflag.Value.
func (c *choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Type implements pflag.Value.
func (c *choice) Type() string { return "string" }

// refuse returns the fault of a word that the flag does not take.
func (c choices) refuse(flag, word string) error {
	f := c.fault
	if f.ID == "" {
		f = probe.Fault{ID: "bad-usage", Cause: "unknown value"}
	}
	f.Thing, f.Cure = "--"+flag+" "+word, text.Or(f.Cure, "use "+text.List(c.words))
	if question := suggest.Question(word, slices.Concat(c.words, c.also)); question != "" {
		f.Cure = question + " Or " + f.Cure
	}
	return &f
}

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return choices{words: words}.refuse(flag, value)
}

// complete registers completion of a flag's values.
func complete(cmd *cobra.Command, flag string, values []string) {
	completions := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, completions); err != nil {
		panic(err) // a mistake in this package: the flag does not exist
	}
}

// notEmpty refuses flags that were given without a value: they would be
// ignored.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		value := cmd.Flags().Lookup(name).Value
		words := []string{value.String()}
		if list, ok := value.(pflag.SliceValue); ok {
			words = list.GetSlice()
		}
		if len(words) == 0 || slices.Contains(words, "") {
			return &probe.Fault{
				ID:    "bad-usage",
				Thing: "--" + name,
				Cause: "its value is empty",
				Cure:  "give one, or leave it out",
			}
		}
	}
	return nil
}
