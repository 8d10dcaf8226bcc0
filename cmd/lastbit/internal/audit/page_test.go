package audit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// page returns the page of a report with everything that a page can show.
func page(t *testing.T) string {
	t.Helper()
	refused := func(f *reveal.Finding) {
		refuse(reveal.NotASum)(f)
		f.Witness = &reveal.Witness{
			What: "a summand <is> dropped",
			X:    reveal.Numbers{1, 2, 3}, Seen: reveal.Numbers{3}, Want: &reveal.Numbers{6},
		}
	}
	table := tableOf(
		probe.Sum,
		target{"go:naive", 0, chain, nil},
		target{"go:pairwise", 1, pairwise, nil},
		target{
			"clib:/lib.so:<f>",
			2,
			chain,
			refused,
		},
		target{"go:exact", 0, chain, refuse(reveal.Exact)},
	)
	table.Failed = append(table.Failed,
		Failure{"py:gone", &probe.Fault{ID: "failed", Cause: "it is gone", Cure: "install it"}})
	r := &Report{
		Tables:  []*Table{table, tableOf(probe.Dot, target{"go:naive", 0, chain, nil})},
		Machine: ThisMachine(),
		Libraries: []Library{
			{Name: "NumPy 1", Kernels: []string{"AVX2"}, Runtimes: []string{"/usr/bin/python3"}},
		},
		Absent: []probe.Listing{{Library: "JAX", Absent: "no module"}},
	}
	r.summarise()
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage checks the content of a page, and that it loads nothing and escapes
// its texts.
func TestPage(t *testing.T) {
	html := page(t)
	for _, want := range []string{
		`<p class="lead">These 4 ways to add give up to `, "To make them agree:",
		">NumPy 1<", "<b>JAX</b> no module", `<a href="#sum-f32">sum · float32</a>`,
		"is not a sum: a summand &lt;is&gt; dropped", "<code>6 (0x40c00000)</code>",
		"<b>py:gone</b> could not be run: it is gone; install it.",
		`<a href="#sum-f32-A-B"><b>1 %</b><span>1 ULP</span><span>3 summands</span>`,
		`id="sum-f32-A-B"`, "clib:/lib.so:&lt;f&gt;", `<details class="finding">`,
		"<dt>Summation tree</dt>", "one after the other: ((x0 &#43; x1)",
		"agreed on every input tried; one is chain and the other exact: order does not matter.",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	loads := regexp.MustCompile(`(?i)@import|url\(|src=|https?://[^"'\s<]*|` +
		`<(iframe|object|embed|base)\b`)
	for _, s := range loads.FindAllString(html, -1) {
		if s != "http://www.w3.org/2000/svg" {
			t.Errorf("the page loads or names %q", s)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bid="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if ids[m[1]] {
			t.Errorf("two elements have the ID %s", m[1])
		}
		ids[m[1]] = true
	}
	refers := regexp.MustCompile(`(?:href="#|labelledby=")([^"]*)"`)
	for _, m := range refers.FindAllStringSubmatch(html, -1) {
		if !ids[m[1]] {
			t.Errorf("no element has the ID %s", m[1])
		}
	}
	wellFormed(t, regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(html, ""))
}

func wellFormed(t *testing.T, html string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
