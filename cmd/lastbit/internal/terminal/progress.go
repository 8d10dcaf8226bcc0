package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// patience is the time before anything is shown: quicker work needs no
// progress.
const patience = time.Second

// minPause is the shortest time between two drawings.
const minPause = 100 * time.Millisecond

// Widths of the line of progress. The cursor needs the last column: a terminal
// may wrap a line that fills it.
const (
	cursor   = 1
	minBar   = 10 // without the brackets
	maxBar   = 30
	maxDrawn = 100
)

// Progress shows the current step on one line of a terminal, with the steps
// done and expected. Several goroutines may use it. A nil Progress shows
// nothing.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	width func() int // of the terminal, which may change
	start time.Time
	drawn time.Time
	shown bool
	ended bool
}

// NewProgress returns the progress that is shown on w, or nil where w is not a
// terminal that obeys ANSI sequences.
func NewProgress(w io.Writer) *Progress {
	f, ok := asTerminal(w)
	if !ok || !obeysSequences(f) {
		return nil
	}
	return &Progress{w: f, width: func() int { return columnsOf(f) }, start: time.Now()}
}

// Show is called after every step done.
func (p *Progress) Show(step string, done, expected int) {
	if p == nil || time.Since(p.start) < patience {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || time.Since(p.drawn) < minPause {
		return
	}
	p.drawn, p.shown = time.Now(), true
	room := maxDrawn
	if columns := p.width(); columns > 0 {
		room = min(columns-cursor, room)
	}
	line := fitLine(text.Visible(step), done, max(expected, done), room)
	fmt.Fprint(p.w, "\r"+line+"\x1b[K")
}

// For returns the progress of calls to a target, or nil where nothing is shown.
func (p *Progress) For(target string) func(step string, done, expected int) {
	if p == nil {
		return nil
	}
	return func(step string, done, expected int) {
		p.Show(target+": "+step+", calls", done, expected)
	}
}

// End clears the line, for good.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.ended {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.ended = true
}

// fitLine returns at most room characters: the count of steps, as much of the
// step's name as fits, and a bar if there is room left.
func fitLine(step string, done, expected, room int) string {
	count := fmt.Sprintf("(%d/%d)", done, expected)
	if room < text.Width(count) {
		return ""
	}
	room -= text.Width(count) + 1
	if room < 2 {
		return count
	}
	step = text.Shorten(step, room)
	bar := min(room-text.Width(step)-len(" []"), maxBar)
	if bar < minBar {
		return step + " " + count
	}
	full := bar * done / max(expected, 1)
	return step + " [" + strings.Repeat("=", full) + strings.Repeat(" ", bar-full) + "] " + count
}
