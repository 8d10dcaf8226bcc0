package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// german, french and swiss are marks of numbers.
var (
	comma  = Marks{Decimal: ','}
	german = Marks{Decimal: ',', Thousands: "."}
	french = Marks{Decimal: ',', Thousands: " "}
	us     = Marks{Thousands: ","}
	swiss  = Marks{Thousands: "'"}
)

// TestMarks reads numbers in the wordings of several countries.
func TestMarks(t *testing.T) {
	money, part := Marks{Currency: true}, Marks{Percent: true}
	priced := german
	priced.Currency, priced.Percent = true, true
	for _, c := range []struct {
		marks Marks
		cell  string
		want  string // a number, or a part of the error
	}{
		{comma, "1,5", "1.5"}, {comma, "-,5", "-0.5"}, {comma, "5,", "5"}, {comma, "1,5e3", "1500"},
		{comma, "12", "12"}, {comma, "nan", "NaN"}, {comma, "-inf", "-Inf"}, {comma, "0x1p3", "8"},
		{comma, "1,234", "1.234"}, {comma, "1.5", "write numbers as 1234,5"},
		{comma, "1.234,5", "add --decimal , --thousands ."}, {comma, "1,2,3", "is not a number"},
		{comma, "1,5e2,5", "is not a number"}, {comma, "0x1.8p3", "is not a number"},
		{comma, "1.234.567,8", "add --decimal , --thousands ."},
		{german, "1.234,5", "1234.5"}, {german, "-1.234.567,25", "-1.2345672" + "5e+06"},
		{german, "1.234", "1234"}, {german, "12,5", "12.5"}, {german, "1234,5", "1234.5"},
		{german, "1.5", "is not a number"}, {german, "1.23", "is not a number"},
		{german, "1.2345", "is not a number"}, {german, "1234.567", "is not a number"},
		{german, ".123", "is not a number"}, {german, "1..234", "is not a number"},
		{german, "1.234.", "is not a number"}, {german, "-.123", "is not a number"},
		{german, "1,234.5", "is not a number"}, {german, "1.23 4", "is not a number"},
		{us, "1,234.5", "1234.5"}, {us, "12,34,567", "is not a number"}, {us, "1,5", "--decimal ,"},
		{us, "1.234,567", "is not a number"}, {german, "0.123", "write numbers as 1234,5"},
		{german, "-0.123", "is not a number"}, {german, "012.345", "is not a number"},
		{us, "0,123", "add --decimal ,"}, {us, "0.123", "0.123"}, {us, "100,000", "100000"},
		{french, "0 123", "is not a number"}, {german, "0,125", "0.125"},
		{french, "1 234,5", "1234.5"}, {french, "1\u202f234\u00a0567,5", "1.2345675e+06"},
		{french, "1 2", "is not a number"}, {swiss, "1'234.5", "1234.5"},
		{swiss, "1’234’567", "1.234567e+06"},
		{Marks{Thousands: "_"}, "1_000", "1000"},
		{Marks{}, "1,5", `"1,5" is not a number; add --decimal ,`},
		{Marks{}, "1,234", "add --decimal , or --thousands ,"},
		{Marks{}, "1,234.5", "add --thousands ,"},
		{Marks{}, "1 234,5", "--decimal , --thousands ' '"},
		{Marks{}, "$5", "add --currency"}, {Marks{}, "5,5 €", "add --decimal , --currency"},
		{Marks{}, "5%", "add --percent"}, {Marks{}, "1.5D+03", "is not a number"},
		{money, "$5", "5"}, {money, "-$5", "-5"}, {money, "$-5", "-5"}, {money, "5.50 €", "5.5"},
		{money, "5 EUR", "5"}, {money, "US$ 5", "5"}, {money, "5", "5"},
		{money, "-$-5", "is not a number"}, {money, "$$5", "is not a number"},
		{money, "5 euros", "is not a number"}, {money, "$", "is not a number"},
		{money, "NAN", "NaN"}, {money, "INF", "+Inf"}, {money, "$nan", "is not a number"},
		{money, "5%", "add --percent"}, {part, "12.5%", "0.125"}, {part, "-5 %", "-0.05"},
		{part, "5", "5"}, {part, "0.1%", "0.001"}, {part, "1e2%", "is not a number"},
		{part, "inf%", "is not a number"}, {part, "%", "is not a number"},
		{part, "5%%", "is not a number"}, {priced, "1.234,50 €", "1234.5"},
		{priced, "12,5 %", "0.125"},
	} {
		got, err := readAll(write(t, "x.tsv", []byte("x\n"+c.cell+"\n")), Options{Marks: c.marks})
		s := strings.Trim(fmt.Sprint(got.columns), "[]")
		if err != nil {
			s = err.Error()
		}
		if s != c.want && (err == nil || !strings.Contains(s, c.want)) {
			t.Errorf("%q with %+v: %s, want %s", c.cell, c.marks, s, c.want)
		}
	}
}

// TestWording reads whole texts, whose cells depend on the wording.
func TestWording(t *testing.T) {
	one := Options{Columns: []string{"1"}}
	two := Options{Columns: []string{"2"}}
	data := Options{Columns: []string{"1"}, Header: NoHeader}
	with := func(o Options, separator byte, m Marks) Options {
		o.Separator, o.Marks = separator, m
		return o
	}
	money := Marks{Currency: true}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"1,5;2\n", one, `every line splits as well or better by ";" than by ","; ` +
			`add --separator ';' and --decimal ,`},
		{"1,5;2\n1,5;2\n", one, `by ";"`},
		{"1,5;2;3,5\n", Options{Columns: []string{"3"}}, `by ";"`},
		{"x;1,5\n", Options{Columns: []string{"2"}, Header: NoHeader}, `by ";"`},
		{"Meier, Hans;1,5\n", Options{Columns: []string{"3"}, Header: NoHeader}, `by ";"`},
		{"1,5;\n", one, `by ";"`}, {"1,234.5;2\n", one, `by ";"`}, {"1.234,5;2\n", one, `by ";"`},
		{"1,5\t2\n", one, "by tabs"}, {"1,5|2\n", one, `by "|"`}, {"1,5 2,5\n", one, "by blanks"},
		{"01.02.2020 10:00;1,5\n", two, `by ";"`},
		{"Netto, Umsatz;Menge\n1,5;2\n", Options{Columns: []string{"1"}, Header: WithHeader},
			`by ";"`},
		{"1,5;2\n", with(one, ',', Marks{}), "[[1]]"},
		{"1,5;2\n", with(one, ';', comma), "[[1.5]]"}, {"1,5;2\n", with(one, 0, comma), "[[1.5]]"},
		{"1,5\n2,5\n", with(Options{}, 0, comma), "[[1.5 2.5]]"},
		{"1,2 3,4\n1,2\n", one, "2 cells, where the first line has 3"},
		// Texts whose cells hold another separator.
		{"a,b\n1,5;2\n", one, "[[1]]"}, {"1,a;b\n", data, "[[1]]"}, {"5,New York\n", data, "[[5]]"},
		{"1,\"5;2\"\n", one, "[[1]]"}, {"1, 2\n", one, "[[1]]"},
		{"1.5,2 apples\n", data, "[[1.5]]"},
		{"2020-01-01 00:00,5\n", two, "[[5]]"}, {"1,5;2\n3,4\n", one, "[[1 3]]"},
		{"unit price,item no\n5,item 3\n", one, "[[5]]"},
		// Marks of numbers that separate cells, too.
		{"1,234\n5,678\n", with(one, 0, us), `"," separates cells and is a mark of numbers`},
		{"1,234.5,7\n", with(one, ',', us), "separates cells and is a mark"},
		{"a,b\n7,\"1,234.5\"\n8,950.00\n", with(two, 0, us), "[[1234.5 950]]"},
		{"\"1,234\",7\n8,950\n", with(one, 0, us), "[[1234 8]]"},
		{"x,5\n", with(two, 0, Marks{Thousands: ","}), "add --header or --no-header"},
		{"\"1,5\",\"2,5\"\n", with(two, ',', comma), "[[2.5]]"},
		{"1,5\n", with(two, ',', comma), "separates cells and is a mark"},
		// A first line of numbers is not a header.
		{"$5\n6\n", Options{}, `:1, column 1: "$5" is not a number; add --currency`},
		{"(5)\n6\n", Options{}, `:1, column 1: "(5)" is not a number`},
		{"$5\n$6\n", with(Options{}, 0, money), "[[5 6]]"},
		{"$5\n6\n", with(Options{}, 0, money), "[[5 6]]"},
		{"$5\n€6\n", with(Options{}, 0, money), ":2, column 1: a number in € follows one in $"},
		{"n.a.;1,5\n3,0;2,5\n", with(Options{Columns: []string{"1", "2"}}, 0, comma),
			`"n.a." is a word, as in a header, and "1,5" is a number, as in data`},
		{"n.a.,$5\n3,$6\n", with(Options{Columns: []string{"1", "2"}}, 0, money),
			"add --header or --no-header"},
		{"a;1,5\nb;2,5\n", with(two, 0, comma), "[[1.5 2.5]]"},
		// A line for Excel.
		{"sep=;\r\na;b\r\n1,5;2\r\n", with(Options{Columns: []string{"a"}}, 0, comma), "[[1.5]]"},
		{"\ufeffSEP=,\n1,2\n", two, "[[2]]"}, {"sep=;\n1,2\n", two, "it has 1 columns"},
		{"sep=,\n", two, "[[]]"},
		// A header of NumPy's savetxt.
		{"# x,y\n1,2\n", Options{Columns: []string{"x", "y"}}, "[[1] [2]]"},
		{"#id,y\n1,2\n", Options{Columns: []string{"#id"}}, "[[1]]"},
		{"# 5,6\n1,2\n", one, `"# 5" is not a number`},
		{"5\n", with(Options{}, 0, Marks{Decimal: ';'}), `";" is not a decimal mark`},
		{"5\n", with(Options{}, 0, Marks{Thousands: "."}), `are both "."; add --decimal ,`},
		{"5\n", with(Options{}, 0, Marks{Thousands: "ab"}), "is not a mark of thousands"},
	} {
		got, err := readAll(write(t, "x.csv", []byte(c.text)), c.o)
		s := fmt.Sprint(got.columns)
		if err != nil {
			s = err.Error()
		}
		if s != c.want && (err == nil || !strings.Contains(s, c.want)) {
			t.Errorf("%q with %+v: %s, want %s", c.text, c.o, s, c.want)
		}
	}
}

// TestTabs reads texts whose cells hold blanks.
func TestTabs(t *testing.T) {
	for text, want := range map[string]string{
		"2020-01-01 00:00\t1.5\n2020-01-02 00:00\t2\n": "[[1.5 2]]",
		"New York\t5\nDen Haag\t6\n":                   "[[5 6]]",
		"1;2\t5\n":                                     `or --separator $'\t' to keep this one`,
	} {
		got, err := readAll(write(t, "x.tsv", []byte(text)),
			Options{Columns: []string{"2"}, Header: NoHeader})
		s := fmt.Sprint(got.columns)
		if err != nil {
			s = err.Error()
		}
		if s != want && (err == nil || !strings.Contains(s, want)) {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

// TestAligned reads columns that blanks align, as NumPy's savetxt and Fortran
// write them.
func TestAligned(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"  1.5    2\n-10.25  3\n", Options{Columns: []string{"2"}}, "[[2 3]] []"},
		{"1\t 2 \n", Options{Columns: []string{"2"}}, "[[2]] []"},
		{"1 2\r\n\r\n  \t\r\n3 4", Options{Columns: []string{"1"}}, "[[1 3]] []"},
		{"# a b\n1 2\n# c\n3 4 # d\n5 6#e\n", Options{Columns: []string{"b"}}, "[[2 4 6]] []"},
		{"# a b\n1 2\n", Options{Columns: []string{"2"}, Header: WithHeader}, "[[2]] []"},
		{"# by nobody\na b\n1 2\n", Options{Columns: []string{"2"}, Header: WithHeader},
			"[[2]] []"},
		{"# a b\n1 2 3\n", Options{Columns: []string{"b"}}, "there is no column of that name"},
		{"a b\n1 2\n", Options{Columns: []string{"b"}}, "[[2]] []"},
		{"\"New York\" 2\nRome 3\n", Options{Columns: []string{"2"}, Key: "1"},
			"[[2 3]] [New York Rome]"},
		{"0.15D+01 1d-3 2.D0\n", Options{Columns: []string{"1", "2", "3"}},
			"[[1.5] [0.001] [2]] []"},
		{"1.5-103 2\n", Options{Columns: []string{"1"}},
			"write it with one: ES25.16E3 in Fortran"},
		{"1.5-2.5 2\n", Options{Columns: []string{"1"}}, "is not a number"},
		{"1,5  2,5\n", Options{Columns: []string{"1"}, Marks: comma}, "[[1.5]] []"},
		{"1 2\n3\n", Options{Columns: []string{"1"}}, ":2: 1 cells, where the first line has 2"},
		{"1 ***\n", Options{Columns: []string{"2"}}, "is not a number"},
		{"1 \"2\n", Options{Columns: []string{"2"}}, "a quote is not closed"},
		{"1 \"2\"3\n", Options{Columns: []string{"2"}}, "a quote is inside a cell"},
		{"1 a\"2\"\n", Options{Columns: []string{"2"}}, "a quote is inside a cell"},
		{"1 2\r3 4\r", Options{Columns: []string{"2"}}, "a carriage return"},
		{"# only\n\n", Options{Columns: []string{"1"}}, "[[]] []"},
		{"1 NaN\n2 Infinity\n", Options{Columns: []string{"2"}}, "[[NaN +Inf]] []"},
	} {
		c.o.Separator = ' '
		got, err := readAll(write(t, "x.csv", []byte(c.text)), c.o)
		s := fmt.Sprint(got.columns, got.keys)
		if err != nil {
			s = err.Error()
		}
		if s != c.want && (err == nil || !strings.Contains(s, c.want)) {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
	}
}

// TestEncodings reads a text in UTF-8 with a mark, and in UTF-16 of both byte
// orders, in pieces of every length.
func TestEncodings(t *testing.T) {
	text := "\"key, é\";𝄞;v\n\"a\nb\";x;1,5\n𝄞;y;2,5\n"
	encoded := map[string][]byte{"plain": []byte(text), "UTF-8": []byte("\ufeff" + text)}
	for name, order := range map[string]binary.ByteOrder{
		"UTF-16LE": binary.LittleEndian, "UTF-16BE": binary.BigEndian,
	} {
		var b bytes.Buffer
		if err := binary.Write(&b, order, utf16.Encode([]rune("\ufeff"+text))); err != nil {
			t.Fatal(err)
		}
		encoded[name] = b.Bytes()
	}
	for name, b := range encoded {
		for _, piece := range []int{1, 2, 3, 5, len(b)} {
			o := Options{Format: "csv", Columns: []string{"v"}, Key: "key, é", Marks: comma,
				Stdin: &pieces{b, piece}}
			got, err := readAll("-", o)
			if s := fmt.Sprint(got.columns, got.keys); err != nil || s != "[[1.5 2.5]] [a\nb 𝄞]" {
				t.Errorf("%s in pieces of %d: %q, %v", name, piece, s, err)
			}
		}
	}
}

// pieces is a stream that gives a few bytes at a time.
type pieces struct {
	b []byte
	n int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.b)
	p.b = p.b[n:]
	return n, nil
}
