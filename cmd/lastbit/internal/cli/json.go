package cli

import (
	"encoding/json"
	"slices"
)

// printJSON writes a value on one line.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// wantsJSON reports whether arguments ask for JSON. They need not parse. After
// two dashes there are no flags, except for sweep, which has a command there.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 && !slices.Contains(args[:i], "sweep") {
		args = args[:i]
	}
	i := slices.Index(args, "--format")
	return slices.Contains(args, "--json") || slices.Contains(args, "--format=json") ||
		i >= 0 && i+1 < len(args) && args[i+1] == "json"
}
