package cli

import "github.com/spf13/cobra"

// addCompletion adds the verb that prints a completion script, with an example.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Example = "  lastbit completion bash > lastbit.bash"
		}
	}
}
