package digits

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

// TestRank examines a program where a comparison in another package decides
// what is printed. It leads the lines, and those that cost the output nothing
// are the last, though some lose most: an error term and unused differences.
func TestRank(t *testing.T) {
	t.Parallel()
	const folder = "testdata/ranking"
	a, err := Analyze(context.Background(), buildProgram(t, folder), instrument.Input{},
		Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	decides := Place{"decide/decide.go", 5}
	text := line(t, folder+"/decide/decide.go", decides.Line)
	if !strings.Contains(text, "decides") {
		t.Fatalf("line %d is %s", decides.Line, text)
	}
	if len(a.Lines) < 12 {
		t.Fatalf("only %d lines lose digits: %v", len(a.Lines), a.Lines)
	}
	first, last := a.Lines[0], a.Lines[len(a.Lines)-1]
	if (Place{first.File, first.Line}) != decides || first.Cost == nil || *first.Cost < 15.9 {
		t.Errorf("the first line is %+v", first)
	}
	at := markedLine(t, folder, "// error term")
	i := slices.IndexFunc(a.Lines, func(l Line) bool { return l.File == "main.go" && l.Line == at })
	if i < 0 || a.Lines[i].Cost == nil || *a.Lines[i].Cost != 0 {
		t.Errorf("the error term in line %d: %+v", at, a.Lines)
	}
	if last.Cost == nil || *last.Cost != 0 {
		t.Errorf("the last line is %+v", last)
	}
	if !slices.ContainsFunc(a.Lines, func(l Line) bool {
		return l.Cost != nil && *l.Cost == 0 && l.Lost >= 3
	}) {
		t.Errorf("no line loses much and costs nothing: %+v", a.Lines)
	}
}

// line returns a line of a file.
func line(t *testing.T, path string, number int) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(src), "\n")[number-1]
}
