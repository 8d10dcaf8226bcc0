package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sqlsum"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// sqlFlags are the flags of lastbit sql.
type sqlFlags struct {
	dialect, from, query, finish, format, run, folder string
	by, decimals                                      []string
	max                                               float64
	scale                                             int
	complete, functions, dbt                          bool
	resultFlags
}

func sqlCommand(a *app) *cobra.Command {
	var f sqlFlags
	cmd := &cobra.Command{
		Use:   "sql [AGGREGATE…]",
		Short: "Sum exactly inside a database, by plain SQL",
		Long:  sqlHelp(),
		Example: `  lastbit sql --dialect duckdb --from trades --by region 'sum(price)' 'avg(price)'
  lastbit sql --dialect postgres --query 'SELECT price, qty FROM trades' 'dot(price,qty)'
  lastbit sql --dialect clickhouse --from trades --max 1e6 'sum(price)'
  lastbit sql --dialect postgres --from trades --complete 'sum(price)'
  lastbit sql --dialect duckdb --functions
  lastbit sql --finish rows.csv --digest`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.sql(cmd, args, &f) },
	}
	f.add(cmd)
	return cmd
}

func (f *sqlFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.dialect, "dialect", "", "the engine: "+text.List(sqlsum.DialectNames()))
	fl.StringVar(&f.from, "from", "", `table: NAME, SCHEMA.NAME, or "a name.with points"`)
	fl.StringVar(&f.query, "query", "", "a SELECT in the place of a table")
	fl.StringArrayVar(&f.by, "by", nil,
		"column of keys: results for each; may be given again, for several columns")
	fl.Float64Var(&f.max, "max", 0, "sum by folds: no |x| is larger than this")
	fl.IntVar(&f.scale, "scale", 0, "sum by folds: no |x| is larger than 2 to this power")
	fl.StringArrayVar(&f.decimals, "decimals", nil,
		"NAME=DIGITS: a column of DECIMAL with these digits after the point, or of integers with 0")
	fl.BoolVar(&f.complete, "complete", false,
		"postgres: print a query that rounds by itself, and needs no --finish")
	fl.BoolVar(&f.functions, "functions", false,
		"duckdb, postgres: print definitions of exact_sum")
	fl.BoolVar(&f.dbt, "dbt", false, "with --functions: print them as a dbt package")
	fl.StringVarP(&f.folder, "output", "o", "", "with --dbt: write the package into this folder")
	fl.StringVar(&f.run, "run", "",
		"postgres: run the query at this address, by psql, and finish it")
	fl.StringVar(&f.finish, "finish", "",
		`read the rows of a query from this file, "-" for standard input`)
	fl.StringVar(&f.format, "format", "",
		"with --finish: format of the rows: "+text.List(
			sqlsum.Formats())+" (default by their beginning)")
	f.resultFlags.add(cmd)
	fl.StringVar(&f.result, "out", "f64", "the same as --result")
	complete(cmd, "out", []string{"f64", "f32"})
	complete(cmd, "dialect", sqlsum.DialectNames())
	complete(cmd, "format", sqlsum.Formats())
}

func sqlHelp() string {
	return `Sql prints a query whose rows hold exact sums of a table's columns, for an engine to
run, and finishes them: it adds the rows, rounds once, and prints what lastbit sum
prints. So a sum has the same bits in any order, with any number of threads, and in
every engine, and only some rows for each key leave the engine: tens for money, some 600
for wide data, 2,000 if all exponents occur, however long the table is.

  lastbit sql --dialect duckdb --from trades 'sum(price)' >query.sql
  duckdb -csv trades.db <query.sql | lastbit sql --finish -

Dialects (--dialect): ` + text.List(sqlsum.DialectNames()) + `. Tests run
the queries in the first five; the other ones are marked "Not run here".

Aggregates: sum(x), avg(x), asum(x) of |x|, norm(x), dot(x,y), var_samp(x), var_pop(x),
stddev_samp(x), stddev_pop(x). A column is a name, in double quotes where it holds a
comma or a parenthesis. All names are quoted in the query. Rows with a NULL are left
out, and counted as missing. --by groups NULLs together, and keys that the
engine prints alike: 0 and -0 are two.

Columns of floats are summed exactly, float32 ones as the float64 of the same value.
Integers are too, as long as they are below 2^53. --decimals price=2 sums a column of
DECIMAL(18,2) as integers of hundredths, and id=0 one of any 64-bit integers: sum, avg
and asum, as lastbit sum does of a Parquet file. --finish refuses other columns.

By default sums go by bits: the engine groups significands by exponent, and adds
integers. That takes any data. With --max or --scale they go by folds: three sums of
doubles that are exact for numbers up to that bound, with 81 bits below it, and faster
in DuckDB. A row that folds do not sum exactly (a number beyond the bound, NaN, an
infinity, too small a part) goes by bits, or in DuckDB, PostgreSQL and ClickHouse its
whole group does; nothing is rounded. --max takes the result of SELECT MAX(ABS(x)). Squares and
products always go by bits. The first lines of a query name the method of each sum.

--finish reads all rows of a result: CSV, TSV, JSON (one object a line, or a list) or
Parquet, with the columns of the query under their names, or in their order. Every row
carries the number of rows, a mark of the query and one of its run. A result that was
cut off, mixed with another one, or changed is refused.

--partial writes an accumulator file of a query's only operation, which lastbit merge
adds to those of lastbit sum. --out f32 rounds the exact sums to float32, once.

--complete prints a query for PostgreSQL that rounds by itself, without roots.
--functions prints CREATE FUNCTION and CREATE AGGREGATE exact_sum for PostgreSQL, or
CREATE MACRO exact_sum for DuckDB; with --dbt as a dbt package, on standard output or
in a folder (-o). --run passes the query to psql, and finishes its rows.`
}

// sql runs lastbit sql.
func (a *app) sql(cmd *cobra.Command, args []string, f *sqlFlags) error {
	if err := f.check(cmd, args); err != nil {
		return err
	}
	switch {
	case f.finish != "":
		return a.finishSQL(cmd.Context(), f)
	case f.functions || f.dbt:
		return a.sqlFunctions(f)
	}
	q, err := f.queryOf(cmd, args)
	if err != nil {
		return err
	}
	query, err := q.Text(), error(nil)
	if f.complete {
		query, err = q.Complete()
	}
	if err != nil {
		return err
	}
	if f.run != "" {
		return a.runSQL(cmd.Context(), f, query)
	}
	if a.json {
		return a.printJSON(sqlText{q.Dialect.Name, q.Dialect.IsUntried, query})
	}
	_, err = io.WriteString(a.stdout, query)
	return err
}

// sqlText is a query, or definitions, in JSON.
type sqlText struct {
	Dialect   string `json:"dialect"`
	IsUntried bool   `json:"not_run_here,omitempty"`
	SQL       string `json:"sql"`
}

// Flags of lastbit sql, by what they are for.
var (
	sqlQueryFlags  = []string{"from", "query", "by", "max", "scale", "decimals", "complete", "run"}
	sqlResultFlags = []string{"result", "out", "partial", "digest", "max-keys"}
)

// check refuses flags that would have no effect.
func (f *sqlFlags) check(cmd *cobra.Command, args []string) error {
	err := notEmpty(cmd, "dialect", "from", "query", "by", "finish", "format", "run", "output",
		"partial", "decimals")
	if err != nil {
		return err
	}
	unused := func(with string, names ...string) error {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				return sums.BadUsage("--"+name, "it has no effect "+with, "leave it out")
			}
		}
		return nil
	}
	isQuery := false
	switch {
	case f.finish != "":
		err = errors.Join(unused("with --finish", append(sqlQueryFlags, "dialect", "functions",
			"dbt",
			"output")...), f.resultFlags.check())
		if err == nil && len(args) > 0 {
			err = sums.BadUsage(text.Visible(args[0]),
				"--finish takes the aggregates from the rows",
				"leave it out")
		}
	case f.functions || f.dbt:
		err = unused("with --functions", append(append(sqlQueryFlags, sqlResultFlags...),
			"format")...)
		if err == nil && len(args) > 0 {
			err = sums.BadUsage(text.Visible(args[0]), "--functions takes no aggregate",
				"leave it out")
		}
	default:
		isQuery = true
		err = unused("without --finish", "format", "output")
	}
	switch {
	case err != nil:
		return err
	case isQuery && f.run == "":
		return unused("without --finish or --run", sqlResultFlags...)
	case isQuery && f.complete:
		return unused("with --complete", append(sqlResultFlags, "run")...)
	case f.folder != "" && !f.dbt:
		return unused("without --dbt", "output")
	}
	return f.resultFlags.check()
}

// dialectOf returns the dialect.
func (f *sqlFlags) dialectOf() (*sqlsum.Dialect, error) {
	switch {
	case f.dialect != "":
		return sqlsum.FindDialect(f.dialect)
	case f.run != "":
		return sqlsum.FindDialect("postgres")
	}
	return nil, sums.BadUsage("sql", "there is no dialect",
		"add --dialect "+text.List(sqlsum.DialectNames()))
}

// queryOf returns the query of the flags and arguments.
func (f *sqlFlags) queryOf(cmd *cobra.Command, args []string) (*sqlsum.Query, error) {
	d, err := f.dialectOf()
	if err != nil {
		return nil, err
	}
	if f.run != "" && d.Name != "postgres" {
		return nil, sums.BadUsage("--run", "it runs queries in PostgreSQL only",
			"give the rows to lastbit sql --finish -")
	}
	q := &sqlsum.Query{Dialect: d, From: f.from, Select: f.query}
	for _, name := range f.by {
		q.By = append(q.By, sqlsum.ParseName(name))
	}
	for _, arg := range args {
		aggregate, err := sqlsum.ParseAggregate(arg)
		if err != nil {
			return nil, err
		}
		q.Aggregates = append(q.Aggregates, aggregate)
	}
	if q.Decimals, err = sqlsum.ParseDecimals(f.decimals); err != nil {
		return nil, err
	}
	hasMax, hasScale := cmd.Flags().Changed("max"), cmd.Flags().Changed("scale")
	switch {
	case hasMax && hasScale:
		return nil, sums.BadUsage("--max --scale", "both give the bound of the numbers",
			"give one of them")
	case hasMax:
		q.Fold, err = sqlsum.FoldsUpTo(f.max)
	case hasScale:
		q.Fold, err = sqlsum.FoldsOfScale(f.scale)
	}
	return q, errors.Join(err, q.Check())
}

// finishSQL reads the rows of a query, and prints its results.
func (a *app) finishSQL(ctx context.Context, f *sqlFlags) error {
	if f.format != "" {
		if err := oneOf("format", f.format, sqlsum.Formats()); err != nil {
			return err
		}
	}
	if f.finish == "-" {
		return a.finishRows(ctx, a.stdin, "standard input", f)
	}
	in, err := os.Open(f.finish)
	if err != nil {
		return &probe.Fault{ID: "bad-rows", Thing: f.finish, Cause: "it cannot be read",
			Cure: "check the path", Err: cause(err)}
	}
	defer in.Close()
	return a.finishRows(ctx, in, f.finish, f)
}

func (a *app) finishRows(ctx context.Context, in io.Reader, name string, f *sqlFlags) error {
	out, err := f.out()
	if err != nil {
		return err
	}
	r, err := sqlsum.Finish(in, name, f.format, f.budget())
	if err != nil {
		return err
	}
	lines, err := r.Lines(out, f.digest)
	if err != nil {
		return err
	}
	if f.partial != "" {
		p, err := r.Partial()
		if err == nil {
			err = p.WriteFile(ctx, f.partial)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case !a.json:
		return sums.PrintLines(a.stdout, lines, r.IsTable())
	case r.IsTable():
		return a.printJSON(lines)
	}
	return a.printJSON(lines[0])
}

// runSQL runs a query in PostgreSQL, and finishes it.
func (a *app) runSQL(ctx context.Context, f *sqlFlags, query string) error {
	rows, err := sqlsum.Run(ctx, f.run, query)
	if err != nil {
		return err
	}
	return a.finishRows(ctx, bytes.NewReader(rows), "the rows of psql", f)
}

// sqlFunctions prints definitions of functions, or writes them as a dbt
// package.
func (a *app) sqlFunctions(f *sqlFlags) error {
	d, err := f.dialectOf()
	if err != nil {
		return err
	}
	if !f.dbt {
		definitions, err := d.Functions()
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(sqlText{Dialect: d.Name, SQL: definitions})
		}
		_, err = io.WriteString(a.stdout, definitions)
		return err
	}
	files, err := d.Package()
	if err != nil {
		return err
	}
	if f.folder != "" {
		return writeFiles(f.folder, files)
	}
	if a.json {
		return a.printJSON(files)
	}
	for _, file := range files {
		fmt.Fprintf(a.stdout, "-- %s --\n%s", file.Name, strings.TrimRight(file.Text, "\n")+"\n")
	}
	return nil
}

// writeFiles writes files into a folder, which it makes.
func writeFiles(folder string, files []sqlsum.File) error {
	for _, file := range files {
		name := filepath.Join(folder, filepath.FromSlash(file.Name))
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(file.Text), 0o666)
		}
		if err != nil {
			return sums.Unwritable(name, err)
		}
	}
	return nil
}
