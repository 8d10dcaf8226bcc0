//go:build unix

package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

var screenshots = flag.String(
	"screenshots",
	"",
	"folder for the screenshots of the browser tests",
)

// browser is a Chromium driven by the DevTools protocol over a pipe.
type browser struct {
	t       *testing.T
	to      *os.File
	session string

	mu       sync.Mutex
	next     int
	waiting  map[int]chan reply
	problems []string // exceptions, console errors, requests for anything but the page
	ended    bool
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// startBrowser starts a Chromium that ends with the test, with all its
// processes.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := require.Program(t, "chromium")
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "lastbit-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{inR, outW}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inR.Close()
	outW.Close()
	b := &browser{t: t, to: inW, waiting: map[int]chan reply{}}
	go b.read(outR)
	t.Cleanup(func() {
		inW.Close()
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		outR.Close()
		os.RemoveAll(profile)
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true},
		&attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1400, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

// read hands replies to the calls that wait for them, and collects errors.
func (b *browser) read(from *os.File) {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.ended = true
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = nil
			return
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			reply
		}
		if json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		if c, ok := b.waiting[m.ID]; ok && m.ID != 0 {
			c <- m.reply
			delete(b.waiting, m.ID)
		}
		b.note(m.Method, m.Params)
		b.mu.Unlock()
	}
}

func (b *browser) note(method string, params json.RawMessage) {
	var p struct {
		Type    string
		Entry   struct{ Level, Text string }
		Request struct{ URL string }
	}
	json.Unmarshal(params, &p)
	switch {
	case method == "Runtime.exceptionThrown",
		method == "Runtime.consoleAPICalled" && (p.Type == "error" || p.Type == "warning"),
		method == "Log.entryAdded" && p.Entry.Level == "error":
		b.problems = append(b.problems, method+": "+string(params))
	case method == "Network.requestWillBeSent" && !isLocal(p.Request.URL):
		b.problems = append(b.problems, "the page asks for "+p.Request.URL)
	}
}

// call calls a method and waits for its result.
func (b *browser) call(method string, params any, result any) {
	b.t.Helper()
	b.mu.Lock()
	if b.ended {
		b.mu.Unlock()
		b.t.Fatal("the browser has ended")
	}
	b.next++
	c := make(chan reply, 1)
	b.waiting[b.next] = c
	msg := map[string]any{"id": b.next, "method": method}
	if params != nil {
		msg["params"] = params
	}
	if b.session != "" {
		msg["sessionId"] = b.session
	}
	b.mu.Unlock()
	text, err := json.Marshal(msg)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	select {
	case r, ok := <-c:
		if !ok {
			b.t.Fatalf("%s: the browser has ended", method)
		}
		if r.Error != nil {
			b.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(time.Minute):
		b.t.Fatalf("%s: no answer", method)
	}
}

// eval evaluates an expression, awaiting it, into result.
func (b *browser) eval(expr string, result any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate",
		map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expr, r.ExceptionDetails)
	}
	if result != nil && r.Result.Value != nil {
		if err := json.Unmarshal(r.Result.Value, result); err != nil {
			b.t.Fatal(err)
		}
	}
}

// awaitPaint waits until the page is painted.
func (b *browser) awaitPaint() {
	b.t.Helper()
	b.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "+
		"requestAnimationFrame(() => done(1)))))", nil)
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
	b.call("Page.navigate", map[string]any{"url": "file://" + path + "#" + id}, nil)
	b.eval("new Promise(done => { const look = () => document.readyState === 'complete' && "+
		"document.querySelector('canvas[data-drawn]') ? done(1) : "+
		"setTimeout(look, 10); look(); })", nil)
	b.awaitPaint()
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
	b.awaitPaint()
	var v view
	b.eval(`(() => {
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
	b.awaitPaint()
	var p *struct{ X, Y float64 }
	b.eval(fmt.Sprintf("document.querySelector('.viewer').canvasViewer.where(%d)", id), &p)
	if p == nil {
		b.t.Fatalf("node %d is not shown", id)
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		b.call(
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
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key}, nil)
	}
}

func (b *browser) do(button string) {
	b.t.Helper()
	b.eval("document.querySelector('[data-do="+button+"]').click()", nil)
}

func (b *browser) shot(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	b.awaitPaint()
	var r struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// clean fails the test for every exception, console error and request so far.
func (b *browser) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Error(p)
	}
	b.problems = nil
}

// isLocal reports whether a URL needs no network.
func isLocal(url string) bool {
	return strings.HasPrefix(url, "file:") || strings.HasPrefix(url, "data:") ||
		url == "about:blank"
}
