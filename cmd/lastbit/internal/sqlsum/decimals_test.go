package sqlsum

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

func TestParseDecimals(t *testing.T) {
	got, err := ParseDecimals([]string{"price=2", "a=b=18", "id=0"})
	if err != nil || !maps.Equal(got, map[string]int{"price": 2, "a=b": 18, "id": 0}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, s := range []string{"", "price", "=2", "price=", "price=x", "price=-1", "price=19",
		"\x00=1"} {
		if _, err := ParseDecimals([]string{s}); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
	if _, err := ParseDecimals([]string{"x=1", "x=2"}); err == nil {
		t.Error("a column is taken twice")
	}
}

// decimalQuery returns a query of decimals.
func decimalQuery(t *testing.T, dialect string, digits int, aggregates ...string) *Query {
	t.Helper()
	q := sumQuery(t, nil, nil, aggregates...)
	d, err := FindDialect(dialect)
	if err != nil {
		t.Fatal(err)
	}
	q.Dialect, q.Decimals = d, map[string]int{"x": digits}
	return q
}

// Queries that cannot sum decimals are not written.
func TestCheckDecimals(t *testing.T) {
	for _, tt := range []struct {
		dialect, aggregate, cause string
	}{
		{"duckdb", "sum(x)", ""}, {"postgres", "avg(x)", ""}, {"spark", "asum(x)", ""},
		{"duckdb", "sum(y)", "no aggregate is of that column"},
		{"duckdb", "norm(x)", "takes products"}, {"duckdb", "dot(y,x)", "takes products"},
		{"duckdb", "var_samp(x)", "var_samp takes products"}, {"trino", "sum(x)", "no test"},
	} {
		err := decimalQuery(t, tt.dialect, 2, tt.aggregate).Check()
		if (err == nil) != (tt.cause == "") || err != nil && !strings.Contains(err.Error(),
			tt.cause) {
			t.Errorf("%s in %s: %v", tt.aggregate, tt.dialect, err)
		}
	}
}

// Types of columns of decimals, and what to do about others.
func TestDecimalTypes(t *testing.T) {
	for _, tt := range []struct {
		dialect, kind string
		digits        int
		cure          string
	}{
		{"duckdb", "DECIMAL(18,2)", 2, ""}, {"duckdb", "BIGINT", 0, ""},
		{"postgres", "numeric", 7, ""}, {"clickhouse", "Nullable(Decimal(18, 2))", 2, ""},
		{"clickhouse", "UInt64", 0, ""}, {"spark", "decimal(10,0)", 0, ""},
		{"datafusion", "Decimal128(18, 2)", 2, ""}, {"duckdb", "INTEGER", 0, ""},
		{"duckdb", "DECIMAL(18,3)", 2, "give --decimals x=3"},
		{"duckdb", "BIGINT", 2, "give --decimals x=0"},
		{"duckdb", "DOUBLE", 2, "leave it out of --decimals"},
		{"postgres", "double precision", 0, "leave it out of --decimals"},
	} {
		r := resultOf(decimalQuery(t, tt.dialect, tt.digits, "sum(x)"), tt.kind)
		r.add("", 1, decimal, 2, 5)
		checkCure(t, r, tt.kind, tt.cure)
	}
	for _, tt := range []struct{ dialect, kind, cure string }{
		{"duckdb", "DECIMAL(18,2)", "give --decimals x=2"},
		{"duckdb", "DECIMAL(38,4)", "for numbers of at most 18 digits"},
		{"postgres", "numeric", "give --decimals x=DIGITS"},
		{"trino", "decimal(18,2)", "exact in the engine itself"},
		{"duckdb", "VARCHAR", "name a column of floating-point numbers"},
	} {
		q := sumQuery(t, nil, nil, "sum(x)")
		q.Dialect, _ = FindDialect(tt.dialect)
		r := resultOf(q, tt.kind)
		r.add("", 1, 1023, 1, 0, 1<<25)
		checkCure(t, r, tt.kind, tt.cure)
	}
}

// checkCure finishes a result, which is refused with a cure unless that is "".
func checkCure(t *testing.T, r *result, kind, cure string) {
	t.Helper()
	_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
	var fault *probe.Fault
	switch {
	case cure == "" && err != nil:
		t.Errorf("%s: %v", kind, err)
	case cure != "" && (!errors.As(err, &fault) || fault.ID != "bad-column" ||
		!strings.Contains(fault.Cure, cure)):
		t.Errorf("%s: %v, want %q", kind, err, cure)
	}
}

// Limbs of decimals at their bounds, and beyond them.
func TestFinishDecimals(t *testing.T) {
	const n = maxRows
	most := []int64{(1<<27 - 1) * n, (1<<27 - 1) * n, -(1 << 9) * n}
	want := new(big.Int)
	for i := 2; i >= 0; i-- {
		want.Lsh(want, limbBits).Add(want, big.NewInt(most[i]))
	}
	value, _ := new(big.Rat).SetFrac(want, big.NewInt(100)).Float64()
	q := decimalQuery(t, "duckdb", 2, "sum(x)")
	r := resultOf(q, "DECIMAL(18,2)")
	r.add("", 1, decimal, n, most...)
	lines, err := finished(t, r.text()).Lines(fp.Binary64, false)
	if err != nil || lines[0].Bits != fmt.Sprintf("0x%016x", math.Float64bits(value)) {
		t.Errorf("%s, %v, want %v", linesText(lines), err, value)
	}
	for i := range most {
		limbs := append([]int64{}, most...)
		limbs[i] += limbs[i] / n / max(1, limbs[i]/n, -limbs[i]/n)
		r := resultOf(q, "DECIMAL(18,2)")
		r.add("", 1, decimal, n, limbs...)
		if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil {
			t.Errorf("limb %d beyond its bound is taken", i)
		}
	}
	for name, r := range map[string]*result{
		"no decimals":      resultOf(sumQuery(t, nil, nil, "sum(x)"), "DOUBLE"),
		"products":         resultOf(decimalQuery(t, "duckdb", 2, "norm(x)"), "DECIMAL(18,2)"),
		"too many digits":  resultOf(decimalQuery(t, "duckdb", 19, "sum(x)"), "DECIMAL(18,2)"),
		"unread":           resultOf(q, "DECIMAL(18,2)"),
		"beyond the place": resultOf(q, "DECIMAL(18,2)"),
	} {
		place := int64(decimal)
		switch name {
		case "unread":
			place = unread
		case "beyond the place":
			place++
		}
		r.add("", 1, place, 1, 0)
		if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
