package sqlsum

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// A column of a table for tests: texts, or numbers, of which nil is a NULL.
type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
	Values   []any  `json:"values"` // as engine.py reads them
	numbers  []*float64
	units    []*int64 // of a column of decimals, which has no numbers
}

// A table for tests.
type table struct {
	Name    string   `json:"name"`
	Columns []column `json:"columns"`
}

func (t *table) column(name string) *column {
	i := slices.IndexFunc(t.Columns, func(c column) bool { return c.Name == name })
	return &t.Columns[i]
}

// doubles returns a column of doubles. Only NaN stands for a NULL where hasNull
// is set, for the NaN with the payload of null.
func doubles(name string, x []float64) column {
	c := column{Name: name, Type: "double"}
	for _, v := range x {
		if math.Float64bits(v) == nullBits {
			c.Values, c.numbers = append(c.Values, nil), append(c.numbers, nil)
			continue
		}
		c.Values = append(c.Values, fmt.Sprintf("%x", math.Float64bits(v)))
		c.numbers = append(c.numbers, &v)
	}
	return c
}

// nullBits are the bits of a NaN that stands for NULL.
const nullBits = 0x7ff8dead00000000

var null64 = math.Float64frombits(nullBits)

func texts(name string, x []*string) column {
	c := column{Name: name, Type: "text"}
	for _, v := range x {
		if v == nil {
			c.Values = append(c.Values, nil)
		} else {
			c.Values = append(c.Values, *v)
		}
	}
	return c
}

// integers returns a column of a type of integers.
func integers(name, kind string, x []int64) column {
	c := column{Name: name, Type: kind}
	for _, v := range x {
		c.Values = append(c.Values, fmt.Sprint(v))
		f := float64(v)
		c.numbers = append(c.numbers, &f)
	}
	return c
}

func floats32(name string, x []float32) column {
	c := column{Name: name, Type: "float"}
	for _, v := range x {
		c.Values = append(c.Values, fmt.Sprintf("%x", math.Float32bits(v)))
		f := float64(v)
		c.numbers = append(c.numbers, &f)
	}
	return c
}

// decimals returns a column of integers of hundredths, or of kind int64 of the
// integers themselves. Every seventh is NULL.
func decimals(name, kind string, units []int64) column {
	c := column{Name: name, Type: kind}
	for i, u := range units {
		switch {
		case i%7 == 3:
			c.Values, c.units = append(c.Values, nil), append(c.units, nil)
			continue
		case kind == "decimal":
			sign, size := "", new(big.Int).Abs(big.NewInt(u))
			if u < 0 {
				sign = "-"
			}
			q, r := new(big.Int).QuoRem(size, big.NewInt(100), new(big.Int))
			c.Values = append(c.Values, fmt.Sprintf("%s%v.%02v", sign, q, r.Int64()))
		default:
			c.Values = append(c.Values, fmt.Sprint(u))
		}
		c.units = append(c.units, &u)
	}
	return c
}

// hardTables returns tables of numbers that are hard to add.
func hardTables(r *rand.Rand) []table {
	const n = 3000
	wide := make([]float64, n)
	cancel := make([]float64, n)
	special := make([]float64, n)
	money := make([]float64, n)
	mixed := make([]float64, n)
	keys := make([]*string, n)
	small := make([]int64, n)
	whole := make([]int64, n)
	single := make([]float32, n)
	cents := make([]int64, n)
	long := make([]int64, n)
	names := []string{"a", "b", "it's", `q"uote`, "NULL", "", "é,\t;\n", "5", "10"}
	for i := range n {
		wide[i] = math.Float64frombits(r.Uint64())
		if e := math.Float64bits(wide[i]) >> 52 & 2047; e == 2047 {
			wide[i] = math.Float64frombits(r.Uint64N(1 << 52)) // subnormal
		}
		cancel[i] = math.Ldexp(r.Float64()-0.5, r.IntN(120))
		if i%2 == 1 {
			cancel[i] = -cancel[i-1]
		}
		if i%500 == 499 {
			cancel[i] += r.Float64()
		}
		special[i] = []float64{1.5, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0,
			null64, math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324}[r.IntN(11)]
		money[i] = math.Round(r.Float64()*1e7) / 100
		mixed[i] = money[i]
		if i%97 == 0 {
			mixed[i] = special[i]
		}
		if i%3 == 0 {
			mixed[i] = null64
		}
		if k := r.IntN(len(names) + 1); k < len(names) {
			keys[i] = &names[k]
		}
		small[i] = int64(r.IntN(1000)) - 500
		whole[i] = r.Int64N(1<<52-1) * int64(1-2*r.IntN(2))
		cents[i] = r.Int64N(1e18) * int64(1-2*r.IntN(2))
		long[i] = int64(r.Uint64())
		single[i] = float32(r.NormFloat64()) * 1e30
	}
	// Groups whose sums are special in one way each.
	minus := []float64{math.Copysign(0, -1), math.Copysign(0, -1), 0, math.Copysign(0, -1), null64,
		null64, math.MaxFloat64, math.MaxFloat64, math.Inf(1), 1, math.Inf(1), math.Inf(-1),
		math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, math.NaN(), 2, 5e-324, 5e-324}
	groups := []string{"minus", "minus", "zero", "zero", "none", "none", "over", "over", "inf",
		"inf",
		"both", "both", "max", "max", "max", "nan", "nan", "tiny", "tiny"}
	groupKeys := make([]*string, len(groups))
	for i := range groups {
		groupKeys[i] = &groups[i]
	}
	required := doubles("r", wide)
	required.Required = true
	odd := func(name string) column { return doubles(name, money[:50]) }
	return []table{
		{"hard", []column{doubles("wide", wide), doubles("cancel", cancel),
			doubles("special", special), doubles("money", money), doubles("mixed", mixed),
			texts("k", keys), integers("small", "int32", small), integers("whole", "int64", whole),
			floats32("single", single), required, decimals("cents", "decimal", cents),
			decimals("long", "int64", long)}},
		{"groups", []column{doubles("x", minus), texts("k", groupKeys)}},
		{"empty", []column{doubles("x", nil), doubles("y", nil), texts("k", nil)}},
		{"nulls", []column{doubles("x", []float64{null64, null64}), texts("k", []*string{nil,
			nil})}},
		{"minus", []column{doubles("x", []float64{math.Copysign(0, -1)})}},
		// A sum that two roundings change, by a tie; and -0.01, whose integer
		// of units of 2^-60 DuckDB's cast to DOUBLE changes.
		{"tie", []column{doubles("x", []float64{1 << 24, 8, 1.0 / (1 << 29), 1.0 / (1 << 60)}),
			doubles("y", []float64{-0.01, -0.01, -0.01, -1 << 24})}},
		// Numbers of one place, whose keys GROUP BY joins in some engines.
		{"signs", []column{doubles("zero", []float64{0, math.Copysign(0, -1), math.Copysign(0, -1),
			2, 0, null64}), doubles("x", []float64{1, 1.25, 1.5, 1.625, 1.75, 1e300})}},
		{"odd", []column{odd("inf"), odd("nan"), odd(`q"uote`), odd("back`tick"), odd(`back\slash`),
			odd("x); DROP TABLE hard; --"), odd("lb_x"), odd("a,b"), odd("lb_k1"), odd("total"),
			texts("select", keys[:50])}},
		{"refused", []column{integers("long", "int64", []int64{1<<53 + 1, 1}),
			integers("least", "int64", []int64{math.MinInt64, math.MinInt64}),
			{Name: "text", Type: "text", Values: []any{"1", "2"}},
			{Name: "decimal", Type: "decimal", Values: []any{"0.11", "0.20"}},
			{Name: "large", Type: "wide", Values: []any{"1", "92233720368547758.08"}}}},
	}
}

// expected returns the lines of a query, computed from the table.
func expected(t *table, q *Query, out fp.Format) []sums.Line {
	r := &Result{about: q.about(), groups: map[string]*group{}, parts: parts(q.Aggregates)}
	if len(q.By) == 0 {
		_ = r.newGroup("")
	}
	rows := len(t.Columns[0].Values)
	for i := range rows {
		var keys []string
		for _, by := range q.By {
			keys = append(keys, keyIn(q.Dialect, t.column(by), i))
		}
		key := strings.Join(keys, ".")
		if r.groups[key] == nil {
			_ = r.newGroup(key)
		}
		g := r.groups[key]
		for j, p := range r.parts {
			g.rows[j]++
			if units := t.column(p.columns[0]).units; units != nil {
				if addUnits(&g.sums[j], p, units[i]); units[i] == nil {
					g.null[j]++
				}
				continue
			}
			x := t.column(p.columns[0]).numbers[i]
			y := x
			if len(p.columns) > 1 {
				y = t.column(p.columns[1]).numbers[i]
			}
			if x == nil || y == nil {
				g.null[j]++
				continue
			}
			addTo(&g.sums[j], p, *x, *y)
		}
	}
	lines, _ := r.Lines(out, true)
	return lines
}

// keyIn returns a key as the rows of an engine have it.
func keyIn(d *Dialect, c *column, i int) string {
	v := c.Values[i]
	if v == nil {
		return "null"
	}
	if c.Type == "double" { // integers, in tests
		text := fmt.Sprint(*c.numbers[i])
		if slices.Contains([]string{"duckdb", "spark", "datafusion"}, d.Name) {
			text += ".0"
		}
		v = text
	}
	return fmt.Sprintf("x%x", v)
}

// addUnits adds a decimal, unless it is nil.
func addUnits(a *exact.Accumulator, p part, units *int64) {
	switch {
	case units == nil:
	case p.summand == "magnitudes" && *units < 0:
		var b exact.Accumulator
		b.AddInt64(*units)
		a.Sub(&b)
		var one exact.Accumulator
		one.Add(0)
		a.Merge(&one)
		a.Merge(&one)
	default:
		a.AddInt64(*units)
	}
}

func addTo(a *exact.Accumulator, p part, x, y float64) {
	switch p.summand {
	case "values":
		a.Add(x)
	case "magnitudes":
		a.Add(math.Abs(x))
	default:
		a.AddProduct(x, y)
	}
}
