package sqlsum

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
)

// An Aggregate is a function of one column, or of two.
type Aggregate struct {
	// Op is the name of an operation of lastbit sum.
	Op      string   `json:"op"`
	Columns []string `json:"columns"`
}

// functions maps names of aggregates to operations of lastbit sum.
var functions = []struct{ name, op string }{
	{"sum", "sum"}, {"avg", "mean"}, {"asum", "asum"}, {"norm", "norm"}, {"dot", "dot"},
	{"var_samp", "variance"}, {"var_pop", "pvariance"},
	{"stddev_samp", "stdev"}, {"stddev_pop", "pstdev"},
	// Other names of the same.
	{"mean", "mean"}, {"variance", "variance"}, {"pvariance", "pvariance"},
	{"stddev", "stdev"}, {"stdev", "stdev"}, {"pstdev", "pstdev"},
}

// name returns the name of an aggregate in SQL.
func (a Aggregate) name() string {
	for _, f := range functions {
		if f.op == a.Op {
			return f.name
		}
	}
	return a.Op
}

// AggregateNames returns the names of the aggregates, the SQL ones first.
func AggregateNames() []string {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	return names
}

// ParseAggregate reads an aggregate: sum(price), dot("unit price",qty).
func ParseAggregate(s string) (Aggregate, error) {
	name, rest, found := strings.Cut(strings.TrimSpace(s), "(")
	name = strings.ToLower(strings.TrimSpace(name))
	i := slices.Index(AggregateNames(), name)
	if i < 0 {
		return Aggregate{}, unknownAggregate(s, name)
	}
	if !found {
		return Aggregate{}, malformed(s, "it has no column")
	}
	columns, cause := arguments(rest)
	a := Aggregate{Op: functions[i].op, Columns: columns}
	want := 1
	if a.Op == "dot" {
		want = 2
	}
	if cause == "" && len(columns) != want {
		cause = fmt.Sprintf("it takes %d column, not %d", want, len(columns))
		if want > 1 {
			cause = fmt.Sprintf("it takes %d columns, not %d", want, len(columns))
		}
	}
	if cause != "" {
		return Aggregate{}, malformed(s, cause)
	}
	return a, nil
}

func unknownAggregate(s, name string) error {
	names := AggregateNames()
	cure := "use " + text.List(names[:9])
	if question := suggest.Question(name, names); question != "" {
		cure = question + " Or " + cure
	}
	return &probe.Fault{ID: "bad-aggregate", Thing: oneLine(s),
		Cause: "there is no aggregate of that name", Cure: cure}
}

func malformed(s, cause string) error {
	return &probe.Fault{ID: "bad-aggregate", Thing: oneLine(s), Cause: cause,
		Cure: `write sum(price), dot(price,qty), or sum("a name with , or )")`}
}

// oneLine returns a text without characters that break a line.
func oneLine(s string) string { return text.Visible(s) }

// arguments reads columns up to the closing parenthesis, and that nothing
// follows it.
func arguments(s string) (columns []string, cause string) {
	for {
		s = strings.TrimLeft(s, " \t")
		name, rest, cause := argument(s)
		if cause != "" {
			return nil, cause
		}
		columns = append(columns, name)
		s = strings.TrimLeft(rest, " \t")
		switch {
		case strings.HasPrefix(s, ","):
			s = s[1:]
		case strings.HasPrefix(s, ")"):
			if strings.TrimSpace(s[1:]) != "" {
				return nil, "something follows the closing parenthesis"
			}
			return columns, ""
		default:
			return nil, "the closing parenthesis is missing"
		}
	}
}

// argument reads one name: in double quotes or backquotes, where two stand for
// one, or any characters up to a comma or a parenthesis.
func argument(s string) (name, rest, cause string) {
	if s == "" {
		return "", "", "the closing parenthesis is missing"
	}
	if q := s[0]; q == '"' || q == '`' {
		name, rest, ok := quoted(s[1:], q)
		if !ok {
			return "", "", "a quote is not closed"
		}
		return name, rest, checkName(name)
	}
	end := strings.IndexAny(s, ",)")
	if end < 0 {
		return "", "", "the closing parenthesis is missing"
	}
	name = strings.TrimRight(s[:end], " \t")
	switch {
	case strings.ContainsAny(name, "(\"`"):
		return "", "", "a name with parentheses or quotes has to be in quotes"
	case name == "*":
		return "", "", "* is not a column"
	}
	return name, s[end:], checkName(name)
}

// ParseName returns the name of a column, which may be in quotes as in an
// aggregate.
func ParseName(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '`') {
		if name, rest, ok := quoted(s[1:], s[0]); ok && rest == "" {
			return name
		}
	}
	return s
}

// quoted reads up to the closing quote.
func quoted(s string, q byte) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == q {
			if i+1 == len(s) || s[i+1] != q {
				return b.String(), s[i+1:], true
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

// checkName returns what is wrong with the name of a column or of a table.
func checkName(name string) string {
	switch {
	case name == "":
		return "a name is empty"
	case strings.ContainsRune(name, 0):
		return "a name holds a NUL character"
	case strings.ToValidUTF8(name, "") != name:
		return "a name is not UTF-8"
	}
	return ""
}

// A part is one sum of a query: of the values, magnitudes, squares or products
// of columns.
type part struct {
	summand string
	columns []string
}

// parts returns the sums that aggregates need, each once.
func parts(aggregates []Aggregate) []part {
	var all []part
	for _, a := range aggregates {
		for _, summand := range sums.FindOperation(a.Op).Summands() {
			p := part{summand, a.Columns}
			if !slices.ContainsFunc(all, p.equal) {
				all = append(all, p)
			}
		}
	}
	return all
}

func (p part) equal(q part) bool {
	return p.summand == q.summand && slices.Equal(p.columns, q.columns)
}

// isProduct reports whether the summands are products of two numbers.
func (p part) isProduct() bool { return p.summand == "products" || p.summand == "squares" }

// formula describes a part for a comment.
func (p part) formula() string {
	x := fmt.Sprintf("%+q", p.columns[0])
	switch p.summand {
	case "magnitudes":
		return "sum of |" + x + "|"
	case "squares":
		return "sum of " + x + " squared"
	case "products":
		return fmt.Sprintf("sum of %s times %+q", x, p.columns[1])
	}
	return "sum of " + x
}
