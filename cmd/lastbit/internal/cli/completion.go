package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// addCompletion adds the verb that prints a completion script, with an example.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // nothing to complete
	}
	cmd.Args = refuseUnknownVerb
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.Short = "Print a script that makes a shell complete verbs, flags and targets"
	cmd.Long = `Completion prints a script for your shell. The shell then completes verbs, flags,
their values, and targets: lastbit reveal py:<TAB>. The help of each shell below
explains where to put it. For one session:

  bash        source <(lastbit completion bash)
  zsh         source <(lastbit completion zsh)
  fish        lastbit completion fish | source
  powershell  lastbit completion powershell | Out-String | Invoke-Expression`
	cmd.Example = "  lastbit completion bash > lastbit.bash"
}

// completeTargets completes the addresses of at most limit targets; 0 means any
// number.
func (a *app) completeTargets(limit int) cobra.CompletionFunc {
	return func(
		_ *cobra.Command, args []string, typed string,
	) ([]string, cobra.ShellCompDirective) {
		if limit > 0 && len(args) >= limit {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		words := a.drivers.Complete(typed)
		directive := cobra.ShellCompDirectiveNoFileComp
		for _, w := range words {
			if strings.HasSuffix(w, ":") || strings.HasSuffix(w, "/") { // more to come
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return words, directive
	}
}

// completeReplay completes the files of lastbit replay: a tree, then arrays.
func completeReplay(
	_ *cobra.Command, args []string, _ string,
) ([]string, cobra.ShellCompDirective) {
	extension := "npy"
	switch len(args) {
	case 0:
		extension = "json"
	case 1, 2:
	default:
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{extension}, cobra.ShellCompDirectiveFilterFileExt
}
