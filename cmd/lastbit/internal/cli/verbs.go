package cli

import "github.com/spf13/cobra"

// addVerbs adds the verbs to the command, grouped by the question that they
// answer. Hidden ones belong to no group.
func (a *app) addVerbs(root *cobra.Command) {
	group := func(id, title string, verbs ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: id, Title: title})
		for _, verb := range verbs {
			verb.GroupID = id
		}
		root.AddCommand(verbs...)
	}
	group("report", "All of it on one page", reportCommand(a), initCommand(a))
	group("reveal", "Which order, and which of them agree",
		auditCommand(a), revealCommand(a), compareCommand(a), invariantCommand(a),
		sweepCommand(a), targetsCommand(a))
	group("explain", "Why results differ, and whether anything changed",
		explainCommand(a), lockCommand(a), checkCommand(a), pinCommand(a))
	group("reproduce", "The same bits on every machine",
		sumCommand(a), mergeCommand(a), sqlCommand(a),
		replayCommand(a), runCommand(a), libmCommand(a),
		vetCommand(a), portableCommand(a))
	group("validate", "How many digits are right", digitsCommand(a))
	group("more", "More", benchCommand(a), versionCommand(a))
	root.SetHelpCommand(helpCommand())
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	root.AddCommand(blasWorkerCommand(a), manCommand(a), showCommand(a))
}
