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

var screenshots = flag.String("screenshots", "", "folder into which the browser tests put pictures of what they see")

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
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000",
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
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1400, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

// read hands replies to those who wait and collects what went wrong.
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
	case method == "Network.requestWillBeSent" && !strings.HasPrefix(p.Request.URL, "file:") && !strings.HasPrefix(p.Request.URL, "data:") && p.Request.URL != "about:blank":
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
	b.call("Runtime.evaluate", map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expr, r.ExceptionDetails)
	}
	if result != nil && r.Result.Value != nil {
		if err := json.Unmarshal(r.Result.Value, result); err != nil {
			b.t.Fatal(err)
		}
	}
}

// settle waits until what was asked for is painted.
func (b *browser) settle() {
	b.t.Helper()
	b.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1)))))", nil)
}

func (b *browser) open(drawings ...Drawing) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := HTML(f, Page{Drawings: drawings}); err != nil {
		b.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	b.eval("new Promise(done => { const look = () => document.readyState === 'complete' && document.querySelector('canvas[data-drawn]') ? done(1) : setTimeout(look, 10); look(); })", nil)
	b.settle()
}

// view is what the canvas says about itself, and the colours on it.
type view struct {
	Items, Rows, Drawn int
	Scale              float64
	View               string
	Inked              int // pixels that are not of the background's colour
	Status             string
}

func (b *browser) view() view {
	b.t.Helper()
	b.settle()
	var v view
	b.eval(`(() => {
		const c = document.querySelector('canvas'), d = c.dataset;
		const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		let inked = 0;
		for (let i = 0; i < p.length; i += 4) if (p[i] !== p[0] || p[i+1] !== p[1] || p[i+2] !== p[2]) inked++;
		return {items: +d.items, rows: +d.rows, drawn: +d.drawn, scale: +d.scale, view: d.view, inked, status: document.querySelector('[role=status]').textContent};
	})()`, &v)
	return v
}

func (b *browser) click(id int) {
	b.t.Helper()
	b.settle()
	var p *struct{ X, Y float64 }
	b.eval(fmt.Sprintf("document.querySelector('.viewer').canvasViewer.where(%d)", id), &p)
	if p == nil {
		b.t.Fatalf("node %d is not shown", id)
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": p.X, "y": p.Y, "button": "left", "clickCount": 1, "buttons": 1}, nil)
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
	b.settle()
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

// TestBrowser16384 uses the page as a reader does: it folds, zooms, moves and
// searches trees of 16 384 leaves.
func TestBrowser16384(t *testing.T) {
	b := startBrowser(t)
	const n = 16384
	for _, c := range []struct {
		name  string
		d     Drawing
		start int // fewest and most rows shown at first
		most  int
	}{
		{"numpy", Drawing{Title: "np.sum", Verdict: "tree", Verified: true, Tree: pairwiseTree(n)}, 8, 40},
		{"chain", Drawing{Title: "chain", Tree: chainTree(n)}, 1, 1},
		{"random", Drawing{Title: "random", Tree: randomTree(n, 6, 2)}, 20, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			b.open(c.d)
			first := b.view()
			if first.Rows < c.start || first.Rows > c.most || first.Drawn == 0 || first.Inked < 200 {
				t.Errorf("at first: %+v", first)
			}
			b.shot(c.name + "-first")
			b.do("unfold")
			all := b.view()
			if all.Rows != n || all.Items != 2*n-1 || all.Inked < 50 {
				t.Errorf("unfolded: %+v", all)
			}
			b.shot(c.name + "-unfolded")
			foldAndZoom(t, b, c.d.Tree.Root())
			searchLeaf(t, b, n)
			b.shot(c.name + "-leaf")
			b.do("fold")
			if v := b.view(); v.Rows != 1 || v.Items != 1 {
				t.Errorf("folded: %+v", v)
			}
			b.do("summary")
			if v := b.view(); v.Rows != first.Rows || v.Inked != first.Inked {
				t.Errorf("the summary is not the first view: %+v, %+v", v, first)
			}
			b.clean()
		})
	}
}

func foldAndZoom(t *testing.T, b *browser, root int) {
	t.Helper()
	b.do("summary")
	before := b.view()
	b.click(root)
	clicked := b.view()
	if clicked.Items == before.Items || clicked.Inked == before.Inked {
		t.Errorf("a click on the root changes nothing: %+v, %+v", before, clicked)
	}
	b.press("+")
	zoomed := b.view()
	if zoomed.Scale <= clicked.Scale || zoomed.Items != clicked.Items {
		t.Errorf("zoom: %+v after %+v", zoomed, clicked)
	}
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": 700, "y": 500, "deltaX": 0, "deltaY": -200}, nil)
	wheeled := b.view()
	for range 100 { // the wheel's event is on its way when the call returns
		if wheeled.Scale > zoomed.Scale {
			break
		}
		time.Sleep(20 * time.Millisecond)
		wheeled = b.view()
	}
	if wheeled.Scale <= zoomed.Scale {
		t.Errorf("wheel: %+v after %+v", wheeled, zoomed)
	}
	drag(b)
	if moved := b.view(); moved.View == wheeled.View || moved.Items != wheeled.Items || moved.Scale != wheeled.Scale {
		t.Errorf("drag: %+v after %+v", moved, wheeled)
	}
	b.press("0")
	if fitted := b.view(); fitted.Items != clicked.Items {
		t.Errorf("zooming and moving lose the folding: %+v after %+v", fitted, clicked)
	}
}

func drag(b *browser) {
	b.t.Helper()
	for i, kind := range []string{"mousePressed", "mouseMoved", "mouseMoved", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": 900 + 30*i, "y": 300 + 20*i, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
}

func searchLeaf(t *testing.T, b *browser, n int) {
	t.Helper()
	b.do("fold")
	b.eval("(() => { const f = document.querySelector('form.leaf'); f.leaf.value = 1234; f.requestSubmit(); })()", nil)
	v := b.view()
	var p *struct{ X, Y float64 }
	b.eval("document.querySelector('.viewer').canvasViewer.where(1234)", &p)
	if p == nil || p.X < 0 || p.X > 1400 || p.Y < 0 || p.Y > 1000 || !strings.HasPrefix(v.Status, "Leaf 1234") {
		t.Errorf("leaf 1234 is at %v, status %q", p, v.Status)
	}
	b.eval("document.querySelector('.viewer').canvasViewer.goTo(99999)", nil)
	if v := b.view(); !strings.Contains(v.Status, fmt.Sprint(n-1)) {
		t.Errorf("a leaf that is not there: %q", v.Status)
	}
}

// TestBrowserKeys walks a small tree by keyboard alone.
func TestBrowserKeys(t *testing.T) {
	b := startBrowser(t)
	b.open(Drawing{Title: "small", Tree: pairwiseTree(32)})
	b.eval("document.querySelector('canvas').focus()", nil)
	all := b.view()
	if all.Rows != 32 {
		t.Fatalf("a small tree is not unfolded: %+v", all)
	}
	for _, step := range []struct{ key, status string }{
		{"ArrowRight", "Node addition"}, {"ArrowDown", "Leaves 16"}, {"ArrowLeft", "folded"},
		{"Enter", "unfolded"}, {"End", "Leaf 31"}, {"ArrowLeft", "Leaves "}, {"Home", "0–31"},
	} {
		b.press(step.key)
		if v := b.view(); !strings.Contains(v.Status, step.status) {
			t.Errorf("after %s the status is %q, without %q", step.key, v.Status, step.status)
		}
	}
	b.clean()
}

// TestBrowserDark compares the backgrounds of the two colour schemes, on a page
// of several findings.
func TestBrowserDark(t *testing.T) {
	b := startBrowser(t)
	g := gallery()
	b.open(g["numpy1024"], g["dot1000"], g["fused64"], g["random300"], g["chain1000"], g["numpy32"], g["ragged500"])
	background := func() (s string) {
		b.settle()
		b.eval("getComputedStyle(document.body).backgroundColor + document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data.join()", &s)
		return s
	}
	light := background()
	b.shot("gallery-light")
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	dark := background()
	b.shot("gallery-dark")
	if light == dark {
		t.Errorf("both schemes are %s", light)
	}
	for i := 2; i <= 7; i++ {
		b.eval(fmt.Sprintf("document.getElementById('f%d').scrollIntoView()", i), nil)
		b.eval(fmt.Sprintf("new Promise(done => { const look = () => document.querySelector('#f%d canvas[data-drawn]') ? done(1) : setTimeout(look, 10); look(); })", i), nil)
		b.shot(fmt.Sprintf("gallery-dark-%d", i))
	}
	b.clean()
}
