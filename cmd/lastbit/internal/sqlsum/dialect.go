package sqlsum

import (
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
)

// A Dialect describes an engine's SQL as data: templates in which $1 and $2
// stand for expressions.
type Dialect struct {
	Name  string
	Title string
	// IsUntried is set where no test runs the queries.
	IsUntried bool

	// schema is written before the functions that all engines have, where one
	// of the user's may take their place.
	schema string
	quote  func(name string) string
	// toDouble converts a number to a double, toInt to a 64-bit integer, and
	// toText one to a text. double is a literal.
	toDouble, toInt, toText, double string
	// key is a key as a text, or its bytes, that equals the same bytes only, in
	// no collation. hasOneText holds for the names of types whose equal keys
	// have one text. addsAlike is set where all types are such: keys are
	// grouped as they are, and groups that are printed alike are added.
	key, hasOneText string
	addsAlike       bool
	// hex is the hexadecimal form of a text in UTF-8, or of key, and sha256 the
	// one of a text's hash, each of either case.
	hex, sha256 string
	// typeOf is the name of the type of an expression.
	typeOf         string
	and, shr, mod  string // of 64-bit integers
	materialized   string // before a common table that is read twice
	isNaN, isMinus string // predicates; isMinus whether a zero is −0
	// bits is the pattern of a double as a 64-bit integer; "" where the engine
	// has none, and log2 and power of doubles take its place.
	bits, log2, power string
	// rescans is set where folds read the table again for the groups that they
	// cannot sum, and rescansTotals where they do so without --by: the engine
	// would group once for each use of the groups. Otherwise they decide for
	// each row. countsHeads is set where sums by bits read the table again for
	// −0, NaN and infinities.
	rescans, rescansTotals, countsHeads bool
	// same holds for equal keys, and for two that are NULL. countIf counts
	// rows. clamps is set where a sum that overflows is an error.
	same, countIf string
	clamps        bool
	// bytes is the pattern of a double as bytes, where those are faster than
	// bits. Of them head is the first 12 bits, highBytes the next 25, and
	// lowBytes the last 27.
	bytes, head, highBytes, lowBytes string
	// run is a text that differs between two runs of one query, and is the same
	// in all rows of one: the time when it began, or its ID. "" where no test
	// has seen that.
	run string
	// barrier is an expression whose place in a subquery keeps the engine from
	// computing the other columns once for each use of them.
	barrier string
	// aliases is set where a column may use the ones before it in one SELECT,
	// each computed once, and where deep queries are slow to plan.
	aliases bool
	// quotient is the integer quotient of a sum.
	quotient string
	// settings end a query. foldSettings follow them in one by folds.
	settings, foldSettings string
	// scaled is $1 times $2, which is 10 to the power $3, as a wide decimal; ""
	// where no test sums decimals.
	scaled string
	// floats and integers are the types of columns that are converted to double
	// without rounding, the type of NULL among them, long the ones that may be
	// rounded beyond 2^53, and decimals the ones of decimals. Each is in lower
	// case, without a length or Nullable().
	floats, integers, long, decimals []string
}

// doubleQuoted quotes a name as the standard does.
func doubleQuoted(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// backQuoted quotes a name in backquotes and doubles those inside.
func backQuoted(name string) string {
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// backEscaped quotes a name in backquotes, with backslashes as escapes.
func backEscaped(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// dialects are all dialects, in the order of the help.
var dialects = []*Dialect{
	{
		// A macro of the user takes the place of a function of its name.
		Name: "duckdb", Title: "DuckDB",
		schema:   "system.main.",
		quote:    doubleQuoted,
		toDouble: "CAST($1 AS DOUBLE)", toInt: "CAST($1 AS BIGINT)", toText: "CAST($1 AS VARCHAR)",
		double: "CAST($1 AS DOUBLE)", hex: "system.main.hex($1)",
		key: "CAST($1 AS VARCHAR) COLLATE C",
		hasOneText: "system.main.regexp_matches($1, " +
			"'^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DATE|TIME|" +
			"TIMESTAMP(_S|_MS|_NS)?|UUID|(DECIMAL|ENUM)\\(.*)$')",
		sha256: "system.main.sha256($1)", typeOf: "system.main.typeof($1)",
		run: "CAST(system.main.epoch_us(system.main.now()) AS VARCHAR)",
		and: "($1 & $2)", shr: "($1 >> $2)", mod: "($1 % $2)",
		materialized: "MATERIALIZED ",
		bits:         "CAST(CAST($1 AS BIT) AS BIGINT)",
		rescans:      true, countsHeads: true, same: "$1 IS NOT DISTINCT FROM $2",
		countIf:  "COALESCE(system.main.count_if($1), 0)",
		quotient: "($1 // $2)",
		floats:   []string{"double", "float", `"null"`},
		integers: []string{"tinyint", "smallint", "integer", "utinyint", "usmallint", "uinteger"},
		long:     []string{"bigint", "ubigint", "hugeint", "uhugeint"},
		decimals: []string{"decimal"},
		scaled:   "(CAST($1 AS DECIMAL(38, $3)) * $2)",
	},
	{
		// Functions are named with their schema where one of the user's might
		// have arguments that fit better, such as div(numeric, integer).
		Name: "postgres", Title: "PostgreSQL",
		quote:    doubleQuoted,
		toDouble: "CAST($1 AS double precision)", toInt: "CAST($1 AS bigint)",
		toText: "CAST($1 AS text)", double: "CAST('$1' AS double precision)",
		hex:    "pg_catalog.encode(pg_catalog.convert_to($1, 'UTF8'), 'hex')",
		key:    `CAST($1 AS text) COLLATE "C"`,
		sha256: "pg_catalog.encode(sha256(pg_catalog.convert_to($1, 'UTF8')), 'hex')",
		typeOf: "CAST(pg_typeof($1) AS text)",
		run: "CAST(CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS bigint) " +
			"AS text)",
		and: "($1 & $2)", shr: "($1 >> $2)", mod: "($1 % $2)",
		materialized: "MATERIALIZED ",
		bits: "CAST(CAST('x' || pg_catalog.encode(float8send($1), 'hex') AS bit(64)) " +
			"AS bigint)",
		rescans: true, countsHeads: true, same: "ARRAY[$1] = ARRAY[$2]",
		countIf: "COUNT(*) FILTER (WHERE $1)", clamps: true,
		quotient: "pg_catalog.div($1, $2)",
		barrier:  "clock_timestamp()", // volatile, and safe in parallel
		bytes:    "float8send($1)",
		head:     "get_byte($1, 0) * 16 + (get_byte($1, 1) >> 4)",
		highBytes: "((get_byte($1, 1) & 15) << 21) | (get_byte($1, 2) << 13) | " +
			"(get_byte($1, 3) << 5) | (get_byte($1, 4) >> 3)",
		lowBytes: "((get_byte($1, 4) & 7) << 24) | (get_byte($1, 5) << 16) | " +
			"(get_byte($1, 6) << 8) | get_byte($1, 7)",
		floats:   []string{"double precision", "real"},
		integers: []string{"smallint", "integer"},
		long:     []string{"bigint"},
		decimals: []string{"numeric"},
		scaled:   "($1 * $2)",
	},
	{
		Name: "clickhouse", Title: "ClickHouse",
		quote:    backEscaped,
		toDouble: "toFloat64($1)", toInt: "toInt64($1)", toText: "toString($1)",
		double: "toFloat64($1)", hex: "hex($1)",
		key: "toString($1)", addsAlike: true,
		sha256: "hex(SHA256($1))", typeOf: "toTypeName($1)",
		run: "initialQueryID()",
		and: "bitAnd($1, $2)", shr: "bitShiftRight($1, $2)", mod: "($1 % $2)",
		bits:    "reinterpret(assumeNotNull($1), 'Int64')",
		aliases: true,
		rescans: true, same: "$1 IS NOT DISTINCT FROM $2", countIf: "countIf($1)",
		materialized: "MATERIALIZED ", foldSettings: ", enable_materialized_cte = 1",
		// Limits of a session may end a query early without an error.
		settings: "\nSETTINGS read_overflow_mode = 'throw', " +
			"read_overflow_mode_leaf = 'throw', timeout_overflow_mode = 'throw', " +
			"timeout_overflow_mode_leaf = 'throw', group_by_overflow_mode = 'throw', " +
			"join_overflow_mode = 'throw', distinct_overflow_mode = 'throw', " +
			"set_overflow_mode = 'throw', transfer_overflow_mode = 'throw', " +
			"skip_unavailable_shards = 0, use_query_cache = 0",
		floats:   []string{"float64", "float32", "bfloat16"},
		integers: []string{"int8", "int16", "int32", "uint8", "uint16", "uint32"},
		long:     []string{"int64", "uint64", "int128", "uint128", "int256", "uint256"},
		decimals: []string{"decimal"},
		scaled:   "(toDecimal128($1, $3) * toDecimal128($2, 0))",
	},
	{
		Name: "spark", Title: "Spark SQL",
		quote:    backQuoted,
		toDouble: "CAST($1 AS DOUBLE)", toInt: "CAST($1 AS BIGINT)", toText: "CAST($1 AS STRING)",
		double: "$1D", hex: "hex($1)",
		key:    "CAST(CAST($1 AS STRING) AS BINARY)",
		sha256: "sha2($1, 256)", typeOf: "typeof($1)",
		run: "CAST(unix_micros(current_timestamp()) AS STRING)",
		and: "($1 & $2)", shr: "shiftright($1, $2)", mod: "($1 % $2)",
		isNaN: "isnan($1)", isMinus: "CAST($1 AS STRING) = '-0.0'",
		log2: "log2($1)", power: "pow($1, $2)",
		rescansTotals: true, countIf: "count_if($1)",
		floats:   []string{"double", "float", "void"},
		integers: []string{"tinyint", "smallint", "int"},
		long:     []string{"bigint"},
		decimals: []string{"decimal"},
		scaled:   "($1 * $2)",
	},
	{
		Name: "datafusion", Title: "DataFusion",
		quote:    doubleQuoted,
		toDouble: "CAST($1 AS DOUBLE)", toInt: "CAST($1 AS BIGINT)", toText: "CAST($1 AS VARCHAR)",
		double: "CAST($1 AS DOUBLE)", hex: "encode($1, 'hex')",
		key:    "CAST($1 AS VARCHAR)",
		sha256: "encode(sha256($1), 'hex')", typeOf: "arrow_typeof($1)",
		run: "CAST(CAST(now() AS BIGINT) AS VARCHAR)",
		and: "($1 & $2)", shr: "($1 >> $2)", mod: "($1 % $2)",
		isNaN: "isnan($1)", isMinus: "1.0 / $1 < 0",
		log2: "log2($1)", power: "power($1, $2)",
		rescansTotals: true, countIf: "COUNT(*) FILTER (WHERE $1)",
		floats:   []string{"float64", "float32", "float16", "null"},
		integers: []string{"int8", "int16", "int32", "uint8", "uint16", "uint32"},
		long:     []string{"int64", "uint64"},
		decimals: []string{"decimal32", "decimal64", "decimal128", "decimal256"},
		scaled:   "($1 * $2)",
	},
	{
		Name: "trino", Title: "Trino", IsUntried: true,
		quote:    doubleQuoted,
		toDouble: "CAST($1 AS DOUBLE)", toInt: "CAST($1 AS BIGINT)", toText: "CAST($1 AS VARCHAR)",
		double: "DOUBLE '$1'", hex: "to_hex(to_utf8($1))",
		key:    "CAST($1 AS VARCHAR)",
		sha256: "to_hex(sha256(to_utf8($1)))", typeOf: "typeof($1)",
		and: "bitwise_and($1, $2)", shr: "bitwise_right_shift_arithmetic($1, $2)",
		mod:      "($1 % $2)",
		bits:     "from_big_endian_64(to_ieee754_64($1))",
		floats:   []string{"double", "real"},
		integers: []string{"tinyint", "smallint", "integer"},
		long:     []string{"bigint"},
	},
	{
		Name: "bigquery", Title: "BigQuery", IsUntried: true,
		quote:    backEscaped,
		toDouble: "CAST($1 AS FLOAT64)", toInt: "CAST($1 AS INT64)", toText: "CAST($1 AS STRING)",
		double: "CAST('$1' AS FLOAT64)", hex: "TO_HEX(CAST($1 AS BYTES))",
		key:    "CAST(CAST($1 AS STRING) AS BYTES)",
		sha256: "TO_HEX(SHA256($1))",
		and:    "($1 & $2)", shr: "DIV($1, 1 << $2)", mod: "MOD($1, $2)",
		isNaN: "IS_NAN($1)", isMinus: "CAST($1 AS STRING) = '-0'",
		log2: "LOG($1, 2)", power: "POW($1, $2)",
		floats: []string{"float64"}, long: []string{"int64"},
	},
	{
		Name: "snowflake", Title: "Snowflake", IsUntried: true,
		quote:    doubleQuoted,
		toDouble: "CAST($1 AS DOUBLE)", toInt: "CAST($1 AS BIGINT)", toText: "CAST($1 AS VARCHAR)",
		double: "CAST('$1' AS DOUBLE)", hex: "HEX_ENCODE($1)",
		key:    "TO_BINARY(CAST($1 AS VARCHAR), 'UTF-8')",
		sha256: "SHA2($1, 256)", typeOf: "SYSTEM$TYPEOF($1)",
		and: "BITAND($1, $2)", shr: "BITSHIFTRIGHT($1, $2)", mod: "MOD($1, $2)",
		isNaN: "$1 = 'NaN'", isMinus: "CAST($1 AS VARCHAR) = '-0'",
		log2: "LOG(2, $1)", power: "POWER($1, $2)",
		floats: []string{"float"}, long: []string{"number"},
	},
}

// DialectNames returns the names of all dialects.
func DialectNames() []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.Name
	}
	return names
}

// elsewhere are engines that lastbit sums in by other ways.
var elsewhere = map[string]string{
	"sqlite": "SQLite has exact_sum by Go's package sqlite: see docs/use/sql.md",
	"polars": "Polars has lastbit.sum of a Series in Python: see docs/use/sql.md",
}

// FindDialect returns the dialect of a name.
func FindDialect(name string) (*Dialect, error) {
	for _, d := range dialects {
		if d.Name == name {
			return d, nil
		}
	}
	cure := "use " + text.List(DialectNames())
	if other := elsewhere[name]; other != "" {
		cure = other
	} else if question := suggest.Question(name, DialectNames()); question != "" {
		cure = question + " Or " + cure
	}
	return nil, &probe.Fault{ID: "bad-dialect", Thing: "--dialect " + oneLine(name),
		Cause: "there is no dialect of that name", Cure: cure}
}

// expand puts expressions in the places of $1 and $2.
func expand(template string, arguments ...string) string {
	pairs := []string{"$1", arguments[0]}
	if len(arguments) > 1 {
		pairs = append(pairs, "$2", arguments[1])
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
