package cli

import "github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"

// newProgress returns the progress of a verb, which shows nothing beside JSON.
func (a *app) newProgress() *progress {
	if a.json {
		return nil
	}
	if p := terminal.NewProgress(a.stderr); p != nil {
		return &progress{p}
	}
	return nil
}

type progress struct{ *terminal.Progress }

func (p *progress) show(what string, done, expected int) {
	if p != nil {
		p.Show(what, done, expected)
	}
}

func (p *progress) of(target string) func(step string, done, expected int) {
	if p == nil {
		return nil
	}
	return p.For(target)
}

func (p *progress) end() {
	if p != nil {
		p.End()
	}
}
