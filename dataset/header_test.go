package dataset

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeader decides whether the first line of a text names the columns.
func TestHeader(t *testing.T) {
	const years = "country,2019,2020\nFR,10,20\nDE,1,2\n"
	for _, c := range []struct {
		what, text string
		o          Options
		want       string // the values, or a part of the error
	}{
		{"a year by name", years, Options{Columns: []string{"2019"}}, "[[10 1]] []"},
		{"years by name", years, Options{Columns: []string{"2020", "2019"}}, "[[20 2] [10 1]] []"},
		{"a year beside a word", years, Options{Columns: []string{"2020"}, Key: "country"},
			"[[20 2]] [FR DE]"},
		{"a year as the key", years, Options{Columns: []string{"2019"}, Key: "2020"},
			"[[10 1]] [20 2]"},
		{"a number beside a word", years, Options{Columns: []string{"2"}, Key: "country"},
			"[[10 1]] [FR DE]"},
		{"a number", years, Options{Columns: []string{"2"}},
			`"country" is a word, as in a header, and "2019" is a number, as in data; add`},
		{"a number with #", years, Options{Columns: []string{"#2"}}, "add --header or --no-header"},
		{"a number, with a header", years, Options{Columns: []string{"2"}, Header: WithHeader},
			"[[10 1]] []"},
		{"a number, without a header", years, Options{Columns: []string{"2"}, Header: NoHeader},
			"[[2019 10 1]] []"},
		{"a year, without a header", years, Options{Columns: []string{"2019"}, Header: NoHeader},
			"without a header its columns have no names"},
		{"no such year", years, Options{Columns: []string{"2021"}},
			"column 2021: it has 3 columns"},
		{"no such year, with a header", years,
			Options{Columns: []string{"2021"}, Header: WithHeader},
			"column 2021: it has 3 columns"},
		{"rows with a name, by number", "FR,10,20\nDE,1,2\n", Options{Columns: []string{"2"}},
			"add --header or --no-header"},
		{"rows with a name, without a header", "FR,10,20\nDE,1,2\n",
			Options{Columns: []string{"2"}, Header: NoHeader}, "[[10 1]] []"},
		{"words over numbers", "country,total,2020\nFR,10,20\n", Options{Columns: []string{"2"}},
			"[[10]] []"},
		{"a word and a number over numbers", "country,total,2020\nFR,10,20\n",
			Options{Columns: []string{"2", "3"}}, "add --header"},
		{"quoted years", "\"country\",\"2019\",\"2020\"\nFR,10,20\n",
			Options{Columns: []string{"2020"}}, "[[20]] []"},
		{"quoted words", "\"country\",\"2019\"\nFR,10\n", Options{Columns: []string{"2"}},
			"add --header"},
		{"numbers only", "2019,2020\n1,2\n", Options{Columns: []string{"2"}}, "[[2020 2]] []"},
		{"numbers only, by name", "2019,2020\n1,2\n", Options{Columns: []string{"2020"}},
			"[[2]] []"},
		{"numbers only, both ways", "2019,2020\n1,2\n", Options{Columns: []string{"2020", "1"}},
			"[[2] [1]] []"},
		{"data like column numbers", "1,2,3\n4,5,6\n", Options{Columns: []string{"2"}},
			"[[2 5]] []"},
		{"data like other column numbers", "10,3,2\n4,5,6\n", Options{Columns: []string{"2"}},
			"[[3 5]] []"},
		{"names like column numbers", "1,2,3\n4,5,6\n",
			Options{Columns: []string{"2"}, Header: WithHeader}, "[[5]] []"},
		{"names like other column numbers", "10,3,2\n4,5,6\n",
			Options{Columns: []string{"2"}, Header: WithHeader},
			`it is the name of column 3, and the number of column "3"; write #3 for the first`},
		{"the first of them", "10,3,2\n4,5,6\n",
			Options{Columns: []string{"#3"}, Header: WithHeader}, "[[6]] []"},
		{"the second of them", "10,3,2\n4,5,6\n",
			Options{Columns: []string{"#2"}, Header: WithHeader}, "[[5]] []"},
		{"a name with #", "a,#x,b\n4,5,6\n", Options{Columns: []string{"#x"}}, "[[5]] []"},
		{"a name that is a number twice", "2019,a,2019\n4,5,6\n",
			Options{Columns: []string{"2019"}}, "two columns have that name"},
		{"one number", "2019\n1\n", Options{}, "[[2019 1]] []"},
		{"one number, with a header", "2019\n1\n", Options{Header: WithHeader}, "[[1]] []"},
		{"one number by name", "2019\n1\n", Options{Columns: []string{"2019"}}, "[[1]] []"},
		{"one word", "x\n1\n", Options{}, "[[1]] []"},
		{"the column beside a key with the name of a year", "2019,x\na,1\nb,2\n",
			Options{Key: "2019"}, "[[1 2]] [a b]"},
		{"the column beside a key, by number", "a,1\nb,2\n", Options{Key: "1"}, "[[1 2]] [a b]"},
		{"two columns beside a key", "a,1,2\nb,2,3\n", Options{Columns: []string{"2"}, Key: "1"},
			"[[1 2]] [a b]"},
		{"a word beside a key", "a,1,x\nb,2,y\n", Options{Columns: []string{"2"}, Key: "1"},
			"add --header or --no-header"},
		{"dates", "2020-01-01,5\n2020-01-02,6\n", Options{Columns: []string{"2"}}, "[[5 6]] []"},
		{"a missing value beside numbers", "NA,5\n1,2\n", Options{Columns: []string{"2"}},
			"[[5 2]] []"},
		{"a cell that only begins as a number", "country,2019Q1\nFR,10\n",
			Options{Columns: []string{"2"}},
			`"2019Q1" is not a number; write numbers as 1234.5, 1.2345e3 or 0x1.8p3, ` +
				`or add --header`},
	} {
		for ext, separator := range map[string]string{"csv": ",", "tsv": "\t"} {
			text := strings.ReplaceAll(c.text, ",", separator)
			got, err := readAll(write(t, "x."+ext, []byte(text)), c.o)
			s := fmt.Sprint(got.columns, got.keys)
			if err != nil {
				s = err.Error()
			}
			if s != c.want && (err == nil || !strings.Contains(s, c.want)) {
				t.Errorf("%s, %s: %s, want %s", c.what, ext, s, c.want)
			}
		}
	}
}

// TestSeparatorCure has texts that are cut at another separator than theirs.
func TestSeparatorCure(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"x.csv", "a;b\n1;2\n", Options{}, `separated by ";": add --separator ';'`},
		{"x.csv", "a;b\n1;2\n", Options{Columns: []string{"b"}}, "add --separator ';'"},
		{"x.csv", "1;2\n3;4\n", Options{Columns: []string{"2"}}, "add --separator ';'"},
		{"x.csv", "a;b\n1,5;2\n", Options{Columns: []string{"b"}}, "add --separator ';'"},
		{"x.csv", "a;b\n1,5;2\n", Options{}, "add --separator ';'"},
		{"x.csv", "a\tb\n1\t2\n", Options{Columns: []string{"b"}},
			"separated by tabs: add --format tsv"},
		{"x.csv", "a|b\n1|2\n", Options{}, "add --separator '|'"},
		{"x.csv", "a   b\n1   2\n", Options{Columns: []string{"b"}}, "add --separator ' '"},
		{"x.csv", " 1.5  2.5\n-1.5  0.5\n", Options{}, "add --separator ' '"},
		{"x.csv", "unit price\n1\n", Options{Columns: []string{"price"}}, "names unit price"},
		{"x.tsv", "a,b\n1,2\n", Options{}, "add --separator ','"},
		{"x.csv", "a,b\n1,2;3\n", Options{Columns: []string{"b"}}, "write numbers as"},
	} {
		_, err := readAll(write(t, c.name, []byte(c.text)), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %q: the error is %v, want %s", c.name, c.text, err, c.want)
		}
	}
}

// TestNumbersInText reads every spelling of a number.
func TestNumbersInText(t *testing.T) {
	for cell, want := range map[string]string{
		"1": "1", "+1.5e0": "1.5", " -0\t": "-0", ".5": "0.5", "5.": "5",
		"nan": "NaN", "NaN": "NaN", "-nan": "NaN", "+nan": "NaN", "-NAN": "NaN", "nan()": "NaN",
		"-nan(ind)": "NaN", "NaN(0x7ff8)": "NaN",
		"inf": "+Inf", "-inf": "-Inf", "+INF": "+Inf", "Infinity": "+Inf", "-infinity": "-Inf",
		"0x1.8p3": "12", "-0X1P-1": "-0.5", "0x1p-1074": "5e-324", "0x1.00000000000008p0": "1",
		"0x.8p1": "1",
	} {
		got, err := readAll(write(t, "x.csv", []byte("x\n"+cell+"\n")), Options{})
		if s := fmt.Sprint(got.columns); err != nil || s != "[["+want+"]]" {
			t.Errorf("%q is read as %s, %v, want %s", cell, s, err, want)
		}
	}
	for _, cell := range []string{"0x10", "0x1.8", "1_0", "0x1_0p1", "nan(", "nan)", "nan(a-b)",
		"--nan", "nanx", "infx", "1e", "0b1", "+", "1,5 "} {
		if got, err := readAll(write(t, "x.tsv", []byte("x\n"+cell+"\n")), Options{}); err == nil ||
			!strings.Contains(err.Error(), "is not a number") {
			t.Errorf("%q is read as %v, %v", cell, got.columns, err)
		}
	}
	// They are data in a first line, too.
	got, err := readAll(write(t, "x.csv", []byte("-nan\n0x1p1\n")), Options{})
	if s := fmt.Sprint(got.columns); err != nil || s != "[[NaN 2]]" {
		t.Errorf("%s, %v", s, err)
	}
}

// TestAbsentInText refuses marks of missing numbers in a first line: they are
// not headers.
func TestAbsentInText(t *testing.T) {
	marks := Marks{Currency: true, Percent: true}
	for _, cell := range []string{"#N/A", "#DIV/0!", "#NAME?", "<NA>", `\N`, "NaT", "Null",
		"(null)", "nan%", "inf %", "$inf", "nanEUR"} {
		got, err := readAll(write(t, "x.csv", []byte(cell+"\n5\n")), Options{Marks: marks})
		if err == nil || !strings.Contains(err.Error(), "is not a number") {
			t.Errorf("%q is read as %v, %v", cell, got.columns, err)
		}
	}
	for _, cell := range []string{"price", "# price", "Info", "EURO", "nanometre", "infinite"} {
		got, err := readAll(write(t, "x.csv", []byte(cell+"\n5\n")), Options{Marks: marks})
		if s := fmt.Sprint(got.columns); err != nil || s != "[[5]]" {
			t.Errorf("%q is read as %v, %v", cell, got.columns, err)
		}
	}
}
