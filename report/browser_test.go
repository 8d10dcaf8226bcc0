//go:build unix

package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/internal/chromium"
)

var screenshots = flag.String(
	"screenshots",
	"",
	"folder for the screenshots of the browser tests",
)

// browser is a Chromium that shows pages of this package.
type browser struct {
	*chromium.Browser
	t *testing.T
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	return &browser{chromium.Start(t), t}
}

func (b *browser) open(drawings ...Drawing) {
	b.t.Helper()
	b.openPage(Page{Drawings: drawings}, "")
}

// openPage shows a page from the element with an ID on, and waits for its first
// tree.
func (b *browser) openPage(p Page, id string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := HTML(f, p); err != nil {
		b.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.Call("Page.navigate", map[string]any{"url": "file://" + path + "#" + id}, nil)
	b.Eval("new Promise(done => { const look = () => document.readyState === 'complete' && "+
		"document.querySelector('canvas[data-drawn]') ? done(1) : "+
		"setTimeout(look, 10); look(); })", nil)
	b.AwaitPaint()
}

// view holds the state that the canvas reports, and the colours on it.
type view struct {
	Items, Rows, Drawn int
	Scale              float64
	View               string
	Inked              int // pixels that are not of the background's colour
	Status             string
}

func (b *browser) view() view {
	b.t.Helper()
	b.AwaitPaint()
	var v view
	b.Eval(`(() => {
		const c = document.querySelector('canvas'), d = c.dataset;
		const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		let inked = 0;
		for (let i = 0; i < p.length; i += 4) if (p[i] !== p[0] || p[i+1] !== p[1] || p[i+2] `+
		`!== p[2]) inked++;
		return {items: +d.items, rows: +d.rows, drawn: +d.drawn, scale: +d.scale, view: d.view,`+
		` inked, status: document.querySelector('[role=status]').textContent};
	})()`, &v)
	return v
}

func (b *browser) click(id int) {
	b.t.Helper()
	b.AwaitPaint()
	var p *struct{ X, Y float64 }
	b.Eval(fmt.Sprintf("document.querySelector('.viewer').canvasViewer.where(%d)", id), &p)
	if p == nil {
		b.t.Fatalf("node %d is not shown", id)
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		b.Call(
			"Input.dispatchMouseEvent",
			map[string]any{
				"type":       kind,
				"x":          p.X,
				"y":          p.Y,
				"button":     "left",
				"clickCount": 1,
				"buttons":    1,
			},
			nil,
		)
	}
}

func (b *browser) press(key string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key}, nil)
	}
}

func (b *browser) do(button string) {
	b.t.Helper()
	b.Eval("document.querySelector('[data-do="+button+"]').click()", nil)
}

func (b *browser) shot(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	path := filepath.Join(*screenshots, name+".png")
	if err := os.WriteFile(path, b.Picture(), 0o644); err != nil {
		b.t.Fatal(err)
	}
}
