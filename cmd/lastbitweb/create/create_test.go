//go:build unix

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/chromium"
	"github.com/lastbit/lastbit/internal/require"
)

var screenshots = flag.String("screenshots", "", "folder for screenshots of the page")

// TestPage builds the page, opens it as a file, and uses it.
func TestPage(t *testing.T) {
	require.Program(t, "chromium")
	dir := t.TempDir()
	if err := create(t.Context(), "../../..", dir); err != nil {
		t.Fatal(err)
	}
	b := chromium.Start(t)
	b.Navigate("file://" + filepath.Join(dir, "index.html"))
	p := &page{b, t}
	p.wait("document.body.dataset.ready === 'yes'")

	p.answers("sum-answer", "The plain sum is off by", "document.body")
	p.click("many")
	p.answers("sum-answer", "21 orders gave ", "$('many')")
	if got := p.text("$('exact').textContent"); got != "6.54259" {
		t.Errorf("the exact sum is %s", got)
	}
	p.set("numbers", "0,1 0,2")
	p.click("add")
	p.answers("sum-answer", `number 1, "0,1", has a comma`, "a comma")
	p.set("numbers", "1 2 3")
	p.click("shuffle")
	p.answers("sum-answer", "In 2 orders the plain sum is the exact one.", "small integers")

	p.set("argument", "0.5")
	p.click("one")
	p.answers("function-answer", "Math.sin(0.5) = 0.479425538604203 here", "sin(0.5)")
	p.click("scan")
	p.answers("function-answer", "arguments between -10 and 10", "a scan")
	p.set("argument", "half")
	p.click("one")
	p.answers("function-answer", "“half” is not a number", "half")

	p.click("compare")
	p.answers("arrays-answer", "choose two files", "no files")
	p.click("example")
	p.wait("!document.getElementById('arrays-more').hidden")
	p.answers("arrays-answer", "of 400 elements differ", "the example")
	if got := p.text("$('cause').textContent"); got !=
		"The results differ in the order of the additions." {
		t.Errorf("the cause is %q", got)
	}
	if got := p.text("String($('bits').childElementCount)"); got != "32" {
		t.Errorf("there are %s bits", got)
	}
	if got := p.text("$('a').files[0].name"); got != "left.npy" {
		t.Errorf("the file A is %q", got)
	}
	p.Eval("take([npy('same.npy', '3,', [1, 2, 3]), npy('same.npy', '3,', [1, 2, 3])])", nil)
	p.set("op", "")
	p.click("compare")
	p.wait("$('arrays-answer').textContent !== 'Comparing …'")
	p.answers("arrays-answer", "The arrays are the same bits: 3 elements.", "two files dropped")
	p.click("example")
	p.wait("!document.getElementById('arrays-more').hidden")
	p.shots()
	b.Clean()
}

// page uses the page in a browser.
type page struct {
	*chromium.Browser
	t *testing.T
}

// text evaluates an expression to a text.
func (p *page) text(expression string) (text string) {
	p.t.Helper()
	p.Eval(expression, &text)
	return text
}

// wait waits until a condition holds.
func (p *page) wait(condition string) {
	p.t.Helper()
	p.Eval("new Promise(done => { const look = () => "+condition+
		" ? done(1) : setTimeout(look, 20); look(); })", nil)
}

func (p *page) click(id string) {
	p.t.Helper()
	p.Eval("$('"+id+"').click()", nil)
}

// set writes a text into a field.
func (p *page) set(id, value string) {
	p.t.Helper()
	p.Eval("$('"+id+"').value = '"+value+"'", nil)
}

// answers compares the beginning, or a part, of an answer.
func (p *page) answers(id, want, what string) {
	p.t.Helper()
	if got := p.text("$('" + id + "').textContent"); !strings.Contains(got, want) {
		p.t.Errorf("%s: the answer is %q, want %q", what, got, want)
	}
}

// shots writes pictures of the page, light and dark, wide and narrow.
func (p *page) shots() {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		for name, width := range map[string]int{"wide": 1400, "narrow": 420} {
			p.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width,
				"height": 2200, "deviceScaleFactor": 1, "mobile": false}, nil)
			p.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
				{"name": "prefers-color-scheme", "value": scheme}}}, nil)
			path := filepath.Join(*screenshots, scheme+"-"+name+".png")
			if err := os.WriteFile(path, p.Picture(), 0o644); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}
