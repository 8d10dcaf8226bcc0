package sqlsum

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/probe"
)

// A Query asks an engine for the exact sums of columns.
type Query struct {
	Dialect *Dialect
	// From is the name of a table, and Select a query in its place.
	From, Select string
	// By are the columns of keys.
	By         []string
	Aggregates []Aggregate
	// Fold is nil for sums by bits.
	Fold *Fold
	// Decimals are the columns that are summed as integers, with their digits
	// after the point.
	Decimals map[string]int
}

// Places of rows that hold no finite number other than a zero, or whole groups.
// Smaller places are exponents: see unitOf.
const (
	nan     = 5001
	posInf  = 5002
	negInf  = 5003
	negZero = 5004
	null    = 5005
	unread  = 5006 // numbers that the engine's functions did not take apart
	folded  = 6000
	// minusFolded counts the −0 among the numbers of a row folded.
	minusFolded = 6001
	// decimal is the place of integers of units of a column of decimals.
	decimal = 6002
	// counted is the place of the number of all rows, in queries of earlier
	// versions.
	counted = 6003
	// foldedAll is the place of a whole group that was folded, and unfolded of
	// one that was not. n counts its rows, and l3 the ones that are not NULL.
	foldedAll = 6004
	unfolded  = 6005
	// head is the place of fractions with 0 in the 12 bits of sign and
	// exponent, and head + 4095 with 4095. l0 and l1 are their sum, in units of
	// their exponent, and l2 counts the fractions that are 0.
	head = 8192
)

// topStep is above all exponents: it parts the two of a product in top.
const topStep = 1 << 12

// limbBits is the distance of limbs.
const limbBits = 27

// chkModulus is the modulus of the check of a row's numbers.
const chkModulus = 1_000_003

// Check refuses queries that cannot be written.
func (q *Query) Check() error {
	switch {
	case q.From == "" && q.Select == "":
		return sums.BadUsage("sql", "there is no table", "add --from NAME or --query SQL")
	case q.From != "" && q.Select != "":
		return sums.BadUsage("--from --query", "both name what to sum", "give one of them")
	case len(q.Aggregates) == 0:
		return sums.BadUsage("sql", "there is no aggregate", "add one, such as 'sum(price)'")
	}
	for i, column := range q.By {
		if cause := checkName(column); cause != "" {
			return sums.BadUsage("--by "+oneLine(column), cause, "name a column")
		}
		if slices.Contains(q.By[:i], column) {
			return sums.BadUsage("--by "+oneLine(column), "it is given twice", "give it once")
		}
	}
	if q.Select != "" && endOfCode(q.Select) == 0 {
		return sums.BadUsage("--query", "it holds no SELECT", "write a SELECT, or name a table "+
			"by --from")
	}
	if strings.ContainsRune(q.Select, 0) {
		return sums.BadUsage("--query", "it holds a NUL character", "leave that out")
	}
	_, err := q.table()
	return errors.Join(err, q.checkDecimals())
}

// fileTables are the ends of names that DuckDB reads as files.
var fileTables = []string{".parquet", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".gz", ".zst"}

// table returns the quoted name of the table: with a catalogue and a schema
// before points, or as a whole if it is the name of a file.
func (q *Query) table() (string, error) {
	if q.From == "" {
		return "", nil
	}
	if q.Dialect.Name == "duckdb" && slices.Contains(fileTables, path.Ext(q.From)) {
		return q.Dialect.quote(q.From), nil
	}
	var names []string
	for rest := q.From; ; {
		name, cause := "", ""
		if name, rest, cause = tableName(rest); cause != "" {
			return "", &probe.Fault{ID: "bad-usage", Thing: "--from " + oneLine(q.From),
				Cause: cause, Cure: `write NAME, SCHEMA.NAME, or "a name.with points"`}
		}
		names = append(names, q.Dialect.quote(name))
		if rest == "" {
			return strings.Join(names, "."), nil
		}
		rest = rest[1:]
	}
}

// tableName reads one name up to a point.
func tableName(s string) (name, rest, cause string) {
	if strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "`") {
		name, rest, ok := quoted(s[1:], s[0])
		switch {
		case !ok:
			return "", "", "a quote is not closed"
		case rest != "" && rest[0] != '.':
			return "", "", "something follows a closing quote"
		}
		return name, rest, checkName(name)
	}
	end := strings.IndexByte(s, '.')
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], checkName(s[:end])
}

// about describes a query to Finish.
type about struct {
	Version    int         `json:"version"`
	Dialect    string      `json:"dialect"`
	By         []string    `json:"by,omitempty"`
	Aggregates []Aggregate `json:"aggregates"`
	// Max is the bound of folds.
	Max *float64 `json:"max,omitempty"`
	// Decimals are the columns of decimals, with their digits.
	Decimals map[string]int `json:"decimals,omitempty"`
	// Source is the hash of the table or query.
	Source string `json:"source"`
	// HasRun is set where the text of each row has the run of the query, after
	// the keys, and Sealed where it ends in its seal.
	HasRun bool `json:"run,omitempty"`
	Sealed bool `json:"sealed,omitempty"`
}

func (q *Query) about() about {
	a := about{Version: 1, Dialect: q.Dialect.Name, By: q.By, Aggregates: q.Aggregates,
		Source: digest(q.From + "\x00" + q.Select), Decimals: q.Decimals,
		HasRun: q.Dialect.run != "", Sealed: len(q.By) > 0}
	if q.Fold != nil {
		a.Max = &q.Fold.max
	}
	return a
}

// encoded returns the description as letters, digits, - and _, and its mark.
func (a about) encoded() (text, mark string) {
	b, _ := json.Marshal(a) // never an error: there are texts and finite numbers only
	return base64.RawURLEncoding.EncodeToString(b), digest(string(b))
}

// digest returns 16 hexadecimal digits of a hash.
func digest(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))[:16] }

// A writer writes the query.
type writer struct {
	*Query
	*Dialect
	p     string // the beginning of all names that the query makes
	table string
	// keys are the names of the columns of keys, keyColumns their definitions,
	// and keyTexts the text of each key.
	keys, keyColumns, keyTexts []string
	// keepsKeys is set where keys remain what they are: see keys.go.
	keepsKeys bool
}

// Text returns the SQL of a query that Check accepts.
func (q *Query) Text() string {
	w := &writer{Query: q, Dialect: q.Dialect, p: q.prefix()}
	w.table, _ = q.table()
	if q.From == "" {
		w.table = subquery(q.Select)
	}
	w.nameKeys()
	encoded, mark := q.about().encoded()
	all := parts(q.Aggregates)
	var with, rows []string
	for i, p := range all {
		name := fmt.Sprintf("%sp%d", w.p, i+1)
		with = append(with, w.part(name, p)...)
		rows = append(rows, w.rowsOf(name, i+1, mark))
	}
	if w.addsAlike && len(w.keys) > 0 {
		rows = []string{w.addAlike(rows)}
	}
	rows = append(rows, w.header(mark+":about:"+encoded))
	return w.comment(all) + "WITH\n" + strings.Join(with, ",\n") + "\n" + w.result(rows) + "\n"
}

// prefix returns a beginning of names that occurs nowhere in the query.
func (q *Query) prefix() string {
	all := strings.ToLower(strings.Join(append([]string{q.From, q.Select}, q.By...), "\x00"))
	for _, a := range q.Aggregates {
		all += "\x00" + strings.ToLower(strings.Join(a.Columns, "\x00"))
	}
	p := "lb_"
	for strings.Contains(all, p) {
		p = "l" + p
	}
	return p
}

// comment describes the query in lines of comments. Names are quoted there as
// in Go, in ASCII: no character ends a line.
func (w *writer) comment(all []part) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, "-- "+format+"\n", a...) }
	line("Exact sums in %s. Give the rows to: lastbit sql --finish -", w.Title)
	if w.IsUntried {
		line("Not run here: no test of lastbit has run a query in %s.", w.Title)
	}
	for i, p := range all {
		method := "by bits: integers, added for each exponent"
		if w.isDecimal(p) {
			method = "as integers of units"
		}
		if w.folds(p) {
			method = fmt.Sprintf("by folds: three sums of (x + M) - M, for |x| <= %v and up to "+
				"%d rows of a group", w.Fold.max, w.Fold.maxRows)
			if w.readsAgain() {
				method += "; by bits for other groups"
			} else {
				method += "; by bits for rows that leave a residual"
			}
		}
		line("Part %d: %s, %s.", i+1, p.formula(), method)
	}
	return b.String()
}

// folds reports whether a part is summed by folds.
func (w *writer) folds(p part) bool {
	return w.Fold != nil && !p.isProduct() && !w.isDecimal(p)
}

// readsAgain reports whether folds read the table again for the groups that
// they cannot sum.
func (w *writer) readsAgain() bool {
	return w.rescans || w.rescansTotals && len(w.keys) == 0
}

// column returns a name of the query's own, quoted by nobody: it has letters,
// digits and underscores only.
func (w *writer) n(name string) string { return w.p + name }

// source returns the table as keys and doubles x, and y for products.
func (w *writer) source(p part) string {
	columns := slices.Clone(w.keyColumns)
	for i, c := range p.columns {
		x := expand(w.toDouble, w.quote(c))
		if w.isDecimal(p) {
			x = w.quote(c)
		}
		columns = append(columns, x+" AS "+w.n([]string{"x", "y"}[i]))
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + w.table + " AS " + w.n("t") + ")"
}

// selects returns a SELECT of the keys and other columns, with GROUP BY for
// names that are given.
func (w *writer) selects(from string, columns []string, groupBy ...string) string {
	s := "SELECT " + strings.Join(slices.Concat(w.keys, columns), ", ") + "\n  FROM " + from
	if groups := slices.Concat(w.keys, groupBy); groupBy != nil && len(groups) > 0 {
		s += "\n  GROUP BY " + strings.Join(groups, ", ")
	}
	return s
}

// as returns a column with a name of the query's own.
func (w *writer) as(expression, name string) string { return expression + " AS " + w.n(name) }

// sub returns a subquery with a name.
func (w *writer) sub(query, name string) string { return "(" + query + ") AS " + w.n(name) }

// call returns a call of a function of the engine's own.
func (w *writer) call(name, argument string) string {
	return w.schema + name + "(" + argument + ")"
}

// total returns a SUM as a 64-bit integer.
func (w *writer) total(expression string) string {
	return expand(w.toInt, "COALESCE("+w.call("SUM", expression)+", 0)")
}

// count returns COUNT(*) as a 64-bit integer.
func (w *writer) count() string { return expand(w.toInt, w.call("COUNT", "*")) }

// rowsOf returns the rows of a part with their marks.
func (w *writer) rowsOf(name string, number int, mark string) string {
	return fmt.Sprintf("SELECT %s, %s, %s", w.as(w.keyText(mark), "mark"),
		w.as(w.integer(number), "part"),
		strings.Join(w.names("place", "n", "l0", "l1", "l2", "l3", "top"), ", ")) + " FROM " + name
}

func (w *writer) names(names ...string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = w.n(name)
	}
	return all
}

// integer returns a literal of 64 bits.
func (w *writer) integer(v int) string { return expand(w.toInt, fmt.Sprint(v)) }

// header returns the row that describes the query, with the types of its
// columns.
func (w *writer) header(text string) string {
	types := "'?'"
	if w.typeOf != "" {
		var all []string
		for _, c := range w.columns() {
			all = append(all, expand(w.typeOf, w.call("MAX", w.n("t")+"."+w.quote(c))))
		}
		types = expand(w.hex, strings.Join(all, " || '|' || "))
	}
	zeros := ""
	for _, name := range []string{"part", "place", "n", "l0", "l1", "l2", "l3", "top"} {
		zeros += ", " + w.as(w.integer(0), name)
	}
	return "SELECT " + w.as("'"+text+":' || "+types, "mark") + zeros + " FROM " + w.table +
		" AS " + w.n("t") + " WHERE 1 = 0"
}

// columns returns the columns that are summed, each once.
func columnsOf(aggregates []Aggregate) []string {
	var all []string
	for _, a := range aggregates {
		for _, c := range a.Columns {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

func (w *writer) columns() []string { return columnsOf(w.Aggregates) }

// result returns all rows, with their number and the check of each.
func (w *writer) result(rows []string) string {
	check := w.n("part") + " + 3 * " + w.n("place")
	for i, name := range []string{"n", "l0", "l1", "l2", "l3", "top"} {
		check += fmt.Sprintf(" + %d * %s", 2*i+5, expand(w.mod, w.n(name), fmt.Sprint(chkModulus)))
	}
	check = expand(w.mod, "("+check+")", fmt.Sprint(chkModulus))
	columns := []string{w.textOf(check) + " AS lastbit",
		expand(w.toInt, w.call("COUNT", "*")+" OVER ()") + " AS total"}
	for _, name := range []string{"part", "place", "n", "l0", "l1", "l2", "l3", "top"} {
		columns = append(columns, w.n(name)+" AS "+name)
	}
	columns = append(columns, check+" AS chk")
	settings := w.settings
	if w.Fold != nil {
		settings += w.foldSettings
	}
	return "SELECT " + strings.Join(columns, ", ") + "\nFROM (\n  " +
		strings.Join(rows, "\n  UNION ALL ") + "\n) AS " + w.n("rows") + settings
}
