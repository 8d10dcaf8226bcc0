package cli

import "github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"

// newProgress returns the progress of a verb, or nil with JSON and where
// standard error is not a terminal. A nil Progress shows nothing.
func (a *app) newProgress() *terminal.Progress {
	if a.json {
		return nil
	}
	return terminal.NewProgress(a.stderr)
}
