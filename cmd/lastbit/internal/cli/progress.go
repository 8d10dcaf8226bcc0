package cli

import "github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"

// newProgress returns the progress of a verb, or nil beside JSON and where
// standard error is not a terminal: nil shows nothing.
func (a *app) newProgress() *terminal.Progress {
	if a.json {
		return nil
	}
	return terminal.NewProgress(a.stderr)
}
