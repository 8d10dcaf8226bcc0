//go:build unix

package overview

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/internal/chromium"
)

var (
	screenshots = flag.String("screenshots", "", "folder for screenshots of the page")
	look        = flag.String("page", "", "the page of the screenshots, in place of the test's own")
)

// mode is a way to look at a page.
type mode struct {
	name, media, scheme string
	width               int
}

// TestBrowser shows the page in every mode: it does not overflow the window,
// each answer leads to something that is shown, and words are explained to the
// mouse, the keyboard and screen readers.
func TestBrowser(t *testing.T) {
	b := chromium.Start(t)
	path := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(f, fullReport(t)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if *look != "" {
		path = *look
	}
	for _, m := range []mode{
		{"light", "screen", "light", 1200}, {"dark", "screen", "dark", 1200},
		{"print", "print", "light", 794}, {"narrow", "screen", "light", 400},
	} {
		t.Run(m.name, func(t *testing.T) { showIn(t, b, m, path) })
	}
	b.Clean()
}

func showIn(t *testing.T, b *chromium.Browser, m mode, path string) {
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": m.width, "height": 1600,
		"deviceScaleFactor": 1, "mobile": false}, nil)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": m.media,
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": m.scheme}}}, nil)
	b.Navigate("file://" + path)
	var got struct {
		Wide, Window, Words, Answers int
		Dead                         []string
	}
	b.Eval(`(() => {
		const answers = [...document.querySelectorAll('.answers a')];
		const words = [...document.querySelectorAll('abbr')].filter(a => a.tabIndex === 0 &&
			a.dataset.meaning && document.getElementById(a.getAttribute('aria-describedby')));
		return {wide: document.documentElement.scrollWidth, window: innerWidth,
			words: words.length, answers: answers.length,
			dead: answers.filter(a => {
				a.click();
				const e = document.querySelector(':target');
				return !e || !e.getClientRects().length;
			}).map(a => a.getAttribute('href'))};
	})()`, &got)
	if got.Wide > got.Window {
		t.Errorf("the page is %d pixels wide in a window of %d", got.Wide, got.Window)
	}
	if got.Answers == 0 || got.Words < 3 || len(got.Dead) > 0 {
		t.Errorf("%+v", got)
	}
	if *screenshots == "" {
		return
	}
	for i, anchor := range []string{"", "ways", "functions", "invariance", "go", "differences"} {
		b.Eval("(document.getElementById('"+anchor+"') || document.body).scrollIntoView()", nil)
		name := filepath.Join(*screenshots, fmt.Sprintf("%s-%d-%s.png", m.name, i, anchor))
		if err := os.WriteFile(name, b.Picture(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
