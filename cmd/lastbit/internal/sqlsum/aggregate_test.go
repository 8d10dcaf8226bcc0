package sqlsum

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

// TestParseName has names as they are, and names in quotes.
func TestParseName(t *testing.T) {
	for s, want := range map[string]string{
		"k": "k", `"k"`: "k", "`a b`": "a b", `"q""uote"`: `q"uote`, `x"; --`: `x"; --`,
		`"k" x`: `"k" x`, `"`: `"`, "": "",
	} {
		if got := ParseName(s); got != want {
			t.Errorf("%s: %s, not %s", s, got, want)
		}
	}
}

func TestParseAggregate(t *testing.T) {
	for s, want := range map[string]Aggregate{
		"sum(price)":              {"sum", []string{"price"}},
		" AVG ( unit price ) ":    {"mean", []string{"unit price"}},
		"dot(price,qty)":          {"dot", []string{"price", "qty"}},
		`dot("a,b" , "c""d)")`:    {"dot", []string{"a,b", `c"d)`}},
		"stddev(`x``y`)":          {"stdev", []string{"x`y"}},
		"var_pop(é)":              {"pvariance", []string{"é"}},
		"sum(x; DROP TABLE t --)": {"sum", []string{"x; DROP TABLE t --"}},
	} {
		if got, err := ParseAggregate(s); err != nil || got.Op != want.Op ||
			!slices.Equal(got.Columns, want.Columns) {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "sum", "sum(", "sum()", "sum(x", "sum(x,y)", "dot(x)", "sum(x)y",
		"sum(*)", `sum("x)`, `sum(a"b)`, "sum((x))", "summ(x)", "max(x)", "sum(x\x00)",
		"sum(\xff)"} {
		_, err := ParseAggregate(s)
		var fault *probe.Fault
		if !errors.As(err, &fault) || fault.ID != "bad-aggregate" || strings.Contains(err.Error(),
			"\n") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// Names cannot leave their quotes, and comments are one line each.
func TestQuotes(t *testing.T) {
	const evil = "x\"; DROP TABLE t; --\n`'\\"
	for _, d := range dialects {
		q := &Query{Dialect: d, From: `"` + strings.ReplaceAll(evil, `"`, `""`) + `"`,
			By:         []string{evil},
			Aggregates: []Aggregate{{"sum", []string{evil}}, {"dot", []string{evil, "lb_x"}}}}
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		text := q.Text()
		quoted := d.quote(evil)
		if rest := strings.ReplaceAll(text, quoted, ""); strings.Contains(rest,
			"DROP TABLE t; --\n") {
			t.Errorf("%s: a name is outside of quotes:\n%s", d.Name, rest)
		}
		if d.IsUntried != strings.Contains(text, "\n-- Not run here:") {
			t.Errorf("%s: whether it was run here:\n%.200s", d.Name, text)
		}
		if own := strings.ReplaceAll(text, "llb_", ""); strings.Contains(own, "lb_x AS") ||
			own == text {
			t.Errorf("%s: names of the query may be those of columns", d.Name)
		}
	}
}

func TestTables(t *testing.T) {
	for from, want := range map[string]string{
		"t": `"t"`, "s.t": `"s"."t"`, `"a.b"."c"`: `"a.b"."c"`, "a b; --": `"a b; --"`,
		"trades.parquet": `"trades.parquet"`, "/data/*.csv": `"/data/*.csv"`,
		`c.s.t`: `"c"."s"."t"`,
	} {
		q := &Query{Dialect: dialects[0], From: from}
		if got, err := q.table(); err != nil || got != want {
			t.Errorf("%s: %s, %v", from, got, err)
		}
	}
	for _, from := range []string{".", "a.", ".a", "a..b", `"a`, `"a"b`, "a\x00"} {
		q := &Query{Dialect: dialects[0], From: from, Aggregates: []Aggregate{{"sum", []string{
			"x"}}}}
		if q.Check() == nil {
			t.Errorf("%q is taken", from)
		}
	}
}
