package overview

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/reveal"
)

// drivers returns a table that lists some targets only.
func drivers(addresses ...string) open.Table {
	table := open.Drivers(open.Config{Stderr: io.Discard})
	for i := range table {
		table[i].List = nil
	}
	table[0].List = func(context.Context) (all []probe.Listing) {
		for _, a := range addresses {
			all = append(all, probe.Listing{Address: a, Ops: []probe.Op{probe.Sum},
				DTypes: []fp.Format{fp.Binary32}})
		}
		return all
	}
	return table
}

// auditStep audits some targets.
func auditStep(addresses ...string) Step {
	return Step{Verb: "audit", Run: func(ctx context.Context, r *Report, show Show) (err error) {
		q := audit.Request{Ops: []probe.Op{probe.Sum}, DTypes: []fp.Format{fp.Binary32}, N: 16}
		r.Audit, err = audit.Run(ctx, drivers(addresses...), q, audit.Progress(show))
		return err
	}}
}

// fullReport returns a report with a section in each state. Its texts have
// signs of HTML.
func fullReport(t *testing.T) *Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	digit := 1.5
	fault := &probe.Fault{ID: "no-go", Thing: "<go>", Cause: "it is & not here", Cure: "install it"}
	return Make(ctx, []Step{
		auditStep("go:naive", "go:pairwise", "go:kahan"),
		{Verb: "libm", Run: func(context.Context, *Report, Show) error { return fault }},
		{Verb: "lock", Absent: "there is no <lock> here"},
		{Verb: "vet", Run: func(_ context.Context, r *Report, _ Show) error {
			r.Vet = &Vet{Packages: 1, Findings: []Place{
				{File: "<a>.go", Line: 3, Analyzer: "libm", Message: "math.Exp <differs>"},
				{File: "<a>.go", Line: 7, Analyzer: "fma", Message: "fuses", Source: "s += x<y"},
			}, Failed: []*probe.Fault{fault}}
			return nil
		}},
		{Verb: "digits", Run: func(_ context.Context, r *Report, _ Show) error {
			loss := digits.Line{File: "<m>.go", Line: 2, Lost: 3}
			r.Digits = []*Program{{Name: "./<m>", Answer: "1 of 1 number lost digits", Wrong: 1,
				Output: "x = 1.25\n", Result: &digits.Report{Runs: 8, Tokens: []digits.Token{
					{Line: 1, Token: 3, Plain: "1.25", Shown: "1.", Digits: &digit}}},
				Listing: &digits.Listing{Files: []digits.ListedFile{{Name: "<m>.go",
					Lines: []digits.ListedLine{{Number: 1, Text: "package m"},
						{Number: 2, Text: "a <- b", Loss: &loss}}}}}},
				{Name: "./gone", Error: fault}}
			return nil
		}},
		{Verb: "explain", Run: func(_ context.Context, r *Report, _ Show) error {
			r.Explain = []*Pair{{A: "<a>", B: "b", Error: fault}}
			cancel()
			return errors.New("ended by its context")
		}},
		{Verb: "invariant", Run: func(context.Context, *Report, Show) error {
			t.Error("a section began after the interrupt")
			return nil
		}},
	}, func(string, int, int) {})
}

// TestMake checks the states of sections: each is done, or names its reason.
func TestMake(t *testing.T) {
	r := fullReport(t)
	want := map[string]State{"audit": Done, "libm": Failed, "lock": Absent, "vet": Done,
		"digits": Done, "explain": Interrupted, "invariant": Interrupted}
	if len(r.Sections) != len(want) || !r.Interrupted {
		t.Errorf("%d sections, interrupted %v", len(r.Sections), r.Interrupted)
	}
	for _, s := range r.Sections {
		if s.State != want[s.Verb] || (s.State == Done) != (s.Why == "") {
			t.Errorf("%s is %s: %q", s.Verb, s.State, s.Why)
		}
	}
	if f := r.section("libm").Error; f == nil || f.ID != "no-go" {
		t.Errorf("the fault of libm is %v", f)
	}
	var all strings.Builder
	WriteText(&all, r)
	for _, want := range []string{
		"These 3 ways to add give 3 different results here.",
		"go:naive and go:pairwise differ on",
		"Elementary functions: <go>: it is & not here; install it.",
		"2 places in your Go code compute other bits elsewhere.",
		"<a>.go:7 is the first line that a compiler fuses.",
		"1 package of your Go code could not be examined.",
		"The program ./<m> prints 1 number with digits that are not right.",
		"./gone: <go>: it is & not here; install it.",
		"Batch, threads and ranks: the report was interrupted before this section began.",
		"– This project: there is no <lock> here",
	} {
		if !strings.Contains(strings.Join(strings.Fields(all.String()), " "), want) {
			t.Errorf("the answers lack %q:\n%s", want, &all)
		}
	}
}

// TestEstimate checks the time that is left: of the step by its own pace, once
// there is one, and of the steps after it.
func TestEstimate(t *testing.T) {
	c := clock{start: time.Now().Add(-10 * time.Second), steps: []Step{
		{Verb: "audit", Seconds: 25}, {Verb: "lock", Seconds: 5, Absent: "no"},
		{Verb: "vet", Seconds: 6}}}
	for _, p := range []struct {
		done, of int
		want     string
	}{
		{0, 0, "1 of 2, some 21 s left: audit: x"}, {1, 100, "1 of 2, some 21 s left: audit: x"},
		{50, 100, "1 of 2, some 16 s left: audit: x"},
		{100, 100, "1 of 2, some 6 s left: audit: x"},
	} {
		if got := c.name("x", p.done, p.of); got != p.want {
			t.Errorf("after %d of %d: %s, want %s", p.done, p.of, got, p.want)
		}
	}
}

// maxPage is the largest page of the reports in these tests. Style, script and
// words are most of it.
const maxPage = 200_000

// TestHTML checks the structure of the page: it is well-formed, loads nothing,
// and every link leads to a part of it.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, fullReport(t)); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if len(page) > maxPage {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, u := range regexp.MustCompile(`https?://[^"'\s<]*`).FindAllString(page, -1) {
		if u != "http://www.w3.org/2000/svg" {
			t.Errorf("the page names %s", u)
		}
	}
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("the anchor %s is there twice", m[1])
		}
	}
	links := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(links) < 15 {
		t.Errorf("only %d links", len(links))
	}
	for _, m := range links {
		if ids[m[1]] == 0 {
			t.Errorf("the page links to #%s, which it lacks", m[1])
		}
	}
	body := regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(page, "")
	d := xml.NewDecoder(strings.NewReader(body))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"<a>.go", "s += x<y", "<lock>", "a <- b"} {
		if strings.Contains(body, text) {
			t.Errorf("%q is not escaped", text)
		}
	}
	for _, want := range []string{"This report was interrupted", `href="#go-2"`, `id="sum-f32-A-B"`,
		"data-tree=", "1 marked line<"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// written returns the report that Read gets back from its JSON.
func written(t *testing.T, r *Report) *Report {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.json")
	var b bytes.Buffer
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	back, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// TestJSON reads a report back, and checks the names of its fields.
func TestJSON(t *testing.T) {
	r := fullReport(t)
	back := written(t, r)
	if !slices.Equal(back.Answers, r.Answers) || !back.Made.Equal(r.Made) || !back.Interrupted {
		t.Errorf("%+v\nwas\n%+v", back.Answers, r.Answers)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report", "made", "interrupted", "answers", "sections", "machine",
		"audit", "vet", "digits", "explain"} {
		if fields[name] == nil {
			t.Errorf("the JSON has no field %s", name)
		}
	}
}

// TestRead refuses files that are no reports.
func TestRead(t *testing.T) {
	const noFinding = `{"report": 1, "audit": {"tables": [{"groups": [{"members": [{}]}]}]}}`
	for text, want := range map[string]string{
		"":                            "it is not the JSON of a report",
		`{"audit": 1}`:                "it is not the JSON of a report",
		`{"report": 99}`:              "it is of version 99",
		`{"report": 1, "machine": 2}`: "it is not the JSON of a report",
		noFinding:                     "no finding",

		`{"report": 1, "sections": [{"verb": "x"}]}`: "a section of it is unknown",
	} {
		name := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(name)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != "bad-data" || !strings.Contains(f.Cause, want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// member returns the finding of a target.
func member(t *testing.T, r *Report, target string) *reveal.Finding {
	t.Helper()
	for _, g := range r.Audit.Tables[0].Groups {
		for _, m := range g.Members {
			if m.Finding.Key.Target == target {
				return m.Finding
			}
		}
	}
	t.Fatalf("no finding of %s", target)
	return nil
}

// compare compares two reports.
func compare(t *testing.T, a, b *Report) *Diff {
	t.Helper()
	d, err := Compare(t.Context(), a, b, [2]string{"a.json", "b.json"})
	if err != nil {
		t.Fatal(err)
	}
	var text, page bytes.Buffer
	if err := errors.Join(d.WriteText(&text), d.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text.String(), d.Answer()) || !strings.Contains(page.String(), "<h1>") {
		t.Errorf("text and page:\n%s\n%.100s", &text, &page)
	}
	return d
}

// TestCompare compares a report with itself, and with one whose loop adds in
// pairs. The witness is added up again here.
func TestCompare(t *testing.T) {
	quiet := func(string, int, int) {}
	a := Make(t.Context(), []Step{auditStep("go:naive", "go:pairwise")}, quiet)
	if d := compare(t, written(t, a), written(t, a)); d.Conclusion != reveal.Same ||
		len(d.Topics) > 0 {
		t.Errorf("with itself: %+v", d)
	}
	b := written(t, a)
	loop, pairs := member(t, b, "go:naive"), member(t, b, "go:pairwise")
	loop.Tree, loop.Family, loop.Arithmetic = pairs.Tree, pairs.Family, pairs.Arithmetic
	d := compare(t, written(t, a), b)
	if d.Conclusion != reveal.Different || len(d.Topics) != 1 || len(d.Topics[0].Entries) != 1 {
		t.Fatalf("%+v", d)
	}
	e := d.Topics[0].Entries[0]
	if !strings.HasPrefix(e.A, "chain") || !strings.HasPrefix(e.B, "pairwise") {
		t.Errorf("%s became %s", e.A, e.B)
	}
	if e.Witness == nil || e.Witness.Difference.Witness == nil {
		t.Fatal("no input shows the difference")
	}
	w := e.Witness.Difference.Witness
	var sum float32
	for _, x := range w.X {
		sum += float32(x)
	}
	if float64(sum) != w.Outs[0] || w.Outs[0] == w.Outs[1] || float64(halves(w.X)) != w.Outs[1] {
		t.Errorf("the witness %v gives %v; a loop %v, and halves %v", w.X, w.Outs, sum, halves(w.X))
	}

	c := written(t, Make(t.Context(), []Step{auditStep("go:naive", "go:kahan")}, quiet))
	if d := compare(t, c, c); d.Conclusion != reveal.Open || len(d.Unverified) != 1 {
		t.Errorf("with an unproven target: %+v", d)
	}
	if d := compare(t, written(t, a), c); d.Conclusion != reveal.Open || len(d.Apart) != 1 {
		t.Errorf("with other targets: %+v", d)
	}
	c.Sections = nil
	var f *probe.Fault
	_, err := Compare(t.Context(), a, c, [2]string{})
	if !errors.As(err, &f) || f.ID != "not-comparable" {
		t.Errorf("without the section: %v", err)
	}
}

// halves adds halves of halves.
func halves(x []float64) float32 {
	if len(x) == 1 {
		return float32(x[0])
	}
	return halves(x[:len(x)/2]) + halves(x[len(x)/2:])
}

// TestCompareNames compares answers by their names, and notes those that one
// report lacks.
func TestCompareNames(t *testing.T) {
	report := func(state State, sweeps ...*Sweep) *Report {
		return &Report{Invariant: sweeps, Sections: []*Section{{Verb: "vet", State: Done},
			{Verb: "invariant", State: state}}}
	}
	const yes, no = "invariant", "not invariant"
	a := report(Done, &Sweep{Name: "x", Answer: yes}, &Sweep{Name: "y", Answer: yes})
	for _, c := range []struct {
		b          *Report
		conclusion reveal.Conclusion
		apart      int
	}{
		{a, reveal.Same, 0},
		{report(Done, a.Invariant[0]), reveal.Open, 1},
		{report(Done, a.Invariant[1], &Sweep{Name: "x", Answer: no}), reveal.Different, 0},
		{report(Interrupted), reveal.Open, 1},
		{report(Absent), reveal.Open, 1},
	} {
		d := compare(t, a, c.b)
		if d.Conclusion != c.conclusion || len(d.Apart) != c.apart {
			t.Errorf("%+v, want %s", d, c.conclusion)
		}
	}
	cut := report(Interrupted)
	if d := compare(t, cut, cut); d.Conclusion != reveal.Open {
		t.Errorf("interrupted twice: %+v", d)
	}
}

// TestComparePlaces matches places that moved to another line.
func TestComparePlaces(t *testing.T) {
	place := func(line int, source string) Place {
		return Place{File: "a.go", Line: line, Message: "fuses", Source: source}
	}
	done := []*Section{{Verb: "vet", State: Done}}
	report := func(places ...Place) *Report {
		return &Report{Vet: &Vet{Findings: places}, Sections: done}
	}
	a, b := report(place(1, "x"), place(2, "y")), report(place(5, "y"), place(6, "x"))
	if d := compare(t, a, b); d.Conclusion != reveal.Same {
		t.Errorf("moved: %+v", d)
	}
	d := compare(t, a, report(place(1, "x"), place(1, "x")))
	if d.Conclusion != reveal.Different || len(d.Topics[0].Entries) != 2 {
		t.Errorf("changed: %+v", d)
	}
}
