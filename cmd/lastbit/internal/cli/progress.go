package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// patience is how long nothing is shown: what is quicker needs no progress.
const patience = time.Second

// pause is how long a drawing stays at least.
const pause = 100 * time.Millisecond

// progress shows on a terminal what is being done, with the calls made and
// expected. It may be used by several goroutines; nil shows nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	start time.Time
	bar   *progressbar.ProgressBar
	drawn time.Time
	ended bool
}

// newProgress returns nil where progress would be in the way: for JSON, and
// where standard error is no terminal.
func (a *app) newProgress() *progress {
	f, ok := a.stderr.(*os.File)
	if a.json || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &progress{w: f, start: time.Now()}
}

// show is called after every step done.
func (p *progress) show(what string, done, expected int) {
	if p == nil || time.Since(p.start) < patience {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || time.Since(p.drawn) < pause {
		return
	}
	p.drawn = time.Now()
	if p.bar == nil {
		p.bar = progressbar.NewOptions(expected,
			progressbar.OptionSetDescription(what),
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(30))
	}
	p.bar.ChangeMax(max(expected, done+1)) // a full bar would clear itself
	p.bar.Describe(what)
	_ = p.bar.Set(done)
}

// of returns the progress of a revelation.
func (p *progress) of(target string) func(step string, done, expected int) {
	if p == nil {
		return nil
	}
	return func(step string, done, expected int) {
		p.show(fmt.Sprintf("%s: %s, calls", target, step), done, expected)
	}
}

// end takes the bar off the screen, for good.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
