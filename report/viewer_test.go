//go:build unix

package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

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
		{"numpy", Drawing{
			Title: "np.sum", Verdict: "tree", Verified: true, Tree: pairwiseTree(n),
		}, 8, 40},
		{"chain", Drawing{Title: "chain", Tree: chainTree(n)}, 1, 1},
		{"random", Drawing{Title: "random", Tree: randomTree(n, 6, 2)}, 20, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			b.open(c.d)
			first := b.view()
			if first.Rows < c.start || first.Rows > c.most || first.Drawn == 0 ||
				first.Inked < 200 {
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
			b.Clean()
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
	b.Call("Input.dispatchMouseEvent",
		map[string]any{"type": "mouseWheel", "x": 700, "y": 500, "deltaX": 0, "deltaY": -200}, nil)
	wheeled := b.view()
	for range 1000 { // the wheel's event is on its way when the call returns
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
	if moved := b.view(); moved.View == wheeled.View || moved.Items != wheeled.Items ||
		moved.Scale != wheeled.Scale {
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
		b.Call(
			"Input.dispatchMouseEvent",
			map[string]any{
				"type":       kind,
				"x":          900 + 30*i,
				"y":          300 + 20*i,
				"button":     "left",
				"buttons":    1,
				"clickCount": 1,
			},
			nil,
		)
	}
}

func searchLeaf(t *testing.T, b *browser, n int) {
	t.Helper()
	b.do("fold")
	b.Eval("(() => { const f = document.querySelector('form.leaf'); f.leaf.value = 1234; "+
		"f.requestSubmit(); })()", nil)
	v := b.view()
	var p *struct{ X, Y float64 }
	b.Eval("document.querySelector('.viewer').canvasViewer.where(1234)", &p)
	if p == nil || p.X < 0 || p.X > 1400 || p.Y < 0 || p.Y > 1000 ||
		!strings.HasPrefix(v.Status, "Leaf 1234") {
		t.Errorf("leaf 1234 is at %v, status %q", p, v.Status)
	}
	b.Eval("document.querySelector('.viewer').canvasViewer.goTo(99999)", nil)
	if v := b.view(); !strings.Contains(v.Status, fmt.Sprint(n-1)) {
		t.Errorf("a leaf that is not there: %q", v.Status)
	}
}

// TestBrowserKeys walks a small tree by keyboard alone.
func TestBrowserKeys(t *testing.T) {
	b := startBrowser(t)
	b.open(Drawing{Title: "small", Tree: pairwiseTree(32)})
	b.Eval("document.querySelector('canvas').focus()", nil)
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
	b.Clean()
}

// TestBrowserDark compares the backgrounds of the two colour schemes, on a page
// of several findings.
func TestBrowserDark(t *testing.T) {
	b := startBrowser(t)
	g := gallery()
	b.open(g["numpy1024"], g["dot1000"], g["fused64"], g["random300"], g["chain1000"], g["numpy32"],
		g["ragged500"])
	background := func() (s string) {
		b.AwaitPaint()
		b.Eval("getComputedStyle(document.body).backgroundColor + "+
			"document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, "+
			"1).data.join()", &s)
		return s
	}
	light := background()
	b.shot("gallery-light")
	b.Call(
		"Emulation.setEmulatedMedia",
		map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}},
		},
		nil,
	)
	dark := background()
	b.shot("gallery-dark")
	if light == dark {
		t.Errorf("both schemes are %s", light)
	}
	for i := 2; i <= 7; i++ {
		b.Eval(fmt.Sprintf("document.getElementById('f%d').scrollIntoView()", i), nil)
		b.Eval(fmt.Sprintf("new Promise(done => { const look = () => document.querySelector('#f%d "+
			"canvas[data-drawn]') ? done(1) : setTimeout(look, 10); look(); })", i), nil)
		b.shot(fmt.Sprintf("gallery-dark-%d", i))
	}
	b.Clean()
}

// TestBrowserFolded follows a link to a drawing that is folded, in a narrow
// window: it opens, its tree is drawn, and nothing is wider than the window.
func TestBrowserFolded(t *testing.T) {
	b := startBrowser(t)
	g := gallery()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": false,
	}, nil)
	d := g["numpy1024"]
	d.Meaning, d.FamilyMeaning = "one fixed order", "halves of halves"
	d.Witness = &Witness{What: "a witness", Values: []Trait{{"x", strings.Repeat("0.1, ", 50)}}}
	b.openPage(Page{
		Title: "Folded", Lead: "A sentence.", Folded: true,
		Drawings: []Drawing{g["chain1000"], d, g["fused64"]},
	}, "f2")
	var open []bool
	b.Eval("[...document.querySelectorAll('details.finding')].map(d => d.open)", &open)
	if !slices.Equal(open, []bool{false, true, false}) {
		t.Errorf("the drawings are open: %v", open)
	}
	var wide int
	b.Eval("document.documentElement.scrollWidth", &wide)
	if wide > 360 {
		t.Errorf("the page is %d pixels wide", wide)
	}
	b.shot("folded-narrow")
	b.Clean()
}

// TestBrowserParts opens a tree that the page has under another anchor, and the
// explanation of a word at the right edge of a narrow window.
func TestBrowserParts(t *testing.T) {
	b := startBrowser(t)
	b.Call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": true}, nil)
	d := gallery()["chain1000"]
	part := Part{ID: "a", Title: "A part",
		Body: `<p style="text-align:right">these results are 2 ULPs</p><p>a chain and a chain</p>`}
	part.Add(d)
	second := part.Add(d)
	b.openPage(Page{Lead: "Parts.", Parts: []Part{part}}, second)
	var got struct {
		Same, Once bool
		Wide       int
		Meaning    string
	}
	b.Eval(`(() => {
		const words = [...document.querySelectorAll('.part>p>abbr')];
		words[0].focus();
		const shown = getComputedStyle(words[0], '::after').content;
		return {same: document.querySelector('#a-f2 canvas').dataset.items > 0,
			once: words.map(w => w.textContent).join() === 'ULPs,chain',
			wide: document.documentElement.scrollWidth, meaning: shown};
	})()`, &got)
	if !got.Same || !got.Once || got.Wide > 360 || !strings.Contains(got.Meaning, "last place") {
		t.Errorf("%+v", got)
	}
	b.Clean()
}
