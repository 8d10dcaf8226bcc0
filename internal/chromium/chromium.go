//go:build unix

package chromium

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// A Browser is a Chromium driven by the DevTools protocol over a pipe.
type Browser struct {
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

// Start starts a Chromium that ends with the test, with all its
// processes.
func Start(t *testing.T) *Browser {
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
	b := &Browser{t: t, to: inW, waiting: map[int]chan reply{}}
	go b.read(outR)
	t.Cleanup(func() {
		inW.Close()
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		outR.Close()
		os.RemoveAll(profile)
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true},
		&attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	b.Call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1400, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

// read hands replies to the calls that wait for them, and collects errors.
func (b *Browser) read(from *os.File) {
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

func (b *Browser) note(method string, params json.RawMessage) {
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

// Call calls a method and waits for its result.
func (b *Browser) Call(method string, params any, result any) {
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

// Eval evaluates an expression, awaiting it, into result.
func (b *Browser) Eval(expr string, result any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.Call("Runtime.evaluate",
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

// AwaitPaint waits until the page is painted.
func (b *Browser) AwaitPaint() {
	b.t.Helper()
	b.Eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "+
		"requestAnimationFrame(() => done(1)))))", nil)
}

// Navigate opens a URL, and waits until the page is loaded.
func (b *Browser) Navigate(url string) {
	b.t.Helper()
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Eval("new Promise(done => { const look = () => document.readyState === 'complete' ? "+
		"done(1) : setTimeout(look, 10); look(); })", nil)
}

// Picture returns a PNG of what the window shows.
func (b *Browser) Picture() []byte {
	b.t.Helper()
	b.AwaitPaint()
	var r struct{ Data []byte }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &r)
	return r.Data
}

// Clean fails the test for every exception, console error and request so far.
func (b *Browser) Clean() {
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
