package digits

import (
	"fmt"
	"strings"
	"testing"
)

// TestCompare compares outputs word by word. A word that ends in ? differs, and
// the number after : is its number of digits, rounded down.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		plain  string
		others []string
		want   string
	}{
		{"x = 1.5\n", []string{"x = 1.5\n"}, "x = 1.5:2"},
		{"1.00001 yes", []string{"1.00002 no"}, "1.00001:5 yes?"},
		{"a\nsum 3\nb", []string{"a\nextra line\nsum 3\nb"}, "a sum 3:1 b"},
		{"[   1 2.50]", []string{"[0.99999 2.50]"}, "[ 1:1 2.50]:3"},
		{"1 2 3", []string{"1 2"}, "1:1 2:1 3:0?"},
		{"step 7", []string{"stop at 7"}, "step? 7:1"},
		{"2 99 100", []string{"1 98 99.5"}, "2:0 99:1 100:2"},
		{"1e300", []string{"1.0001e300"}, "1e300:1"},
		{"-1e-320", []string{"-1e-320"}, "-1e-320:1"},
		{"0.00", []string{"0.01"}, "0.00:0"},
		{"-0", []string{"0"}, "-0:1"},
		{"NaN 1", []string{"2 NaN"}, "NaN:0 1:0"},
		{"NaN -Inf", []string{"NaN -Inf"}, "NaN -Inf"},
		{"+Inf", []string{"3"}, "+Inf:0"},
		{"v1.2.3 id_5 3rd", []string{"v1.2.3 id_5 3rd"}, "v1.2.3 id_5 3rd"},
		{"(1.25+3i)", []string{"(1.25+9i)"}, "(1.25+3i):0"},
		{"(1.25+3i)", []string{"(1.25-3i)", "(1.25+0i)"}, "(1.25+3i):0"},
		{"(1.2500+3i)", []string{"(1.2504-3.002i)"}, "(1.2500+3i):0"},
		{"1,5;2", []string{"1,5;2"}, "1,5;2:1"},
		{"3,1.2345678", []string{"3,1.2345699"}, "3,1.2345678:6"},
		{"0,23.094010767585033", []string{"0,23.094010767585036"}, "0,23.094010767585033:15"},
		{"7,23.094010767585033,2.50", []string{"7,23.094010767585036,2.60"},
			"7,23.094010767585033,2.50:2"},
		{"0x1.8p+01", []string{"0x1.8p+01"}, "0x1.8p+01:2"},
		{"", []string{"late"}, ""},
		{"only", []string{""}, "only?"},
	} {
		var others [][]byte
		for _, o := range c.others {
			others = append(others, []byte(o))
		}
		var got []string
		for _, tok := range compare([]byte(c.plain), others) {
			s := tok.Plain
			if tok.Digits != nil {
				s += fmt.Sprintf(":%d", int(*tok.Digits))
			}
			if tok.Differs {
				s += "?"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q and %q: %q, want %q", c.plain, c.others, s, c.want)
		}
	}
}

// TestRender puts the digits that are right in the place of a number.
func TestRender(t *testing.T) {
	plain := []byte("x:  1.23456789e+10,\n-0.5 100000 0x1.8p+01\n")
	tokens := compare(plain, [][]byte{[]byte("x:  1.23456999e+10,\n0.5 100700 0x1.8p+09\n")})
	const want = "x:  1.23457e+10,\n@.0 1.0e+05 @.0\n"
	if got := Render(plain, tokens); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRenderBeyond prints 16 digits of numbers that have more and change, and
// the parts of complex numbers apart.
func TestRenderBeyond(t *testing.T) {
	for _, c := range [][3]string{
		{"0.33333333333333331483", "0.33333333333333337034", "0.3333333333333333"},
		{"0.30000000000000004", "0.3", "0.3000000000000000"},
		{"0.33333333333333331483", "0.33333333333333331483", "0.33333333333333331483"},
		{"0.3333333333333333", "0.33333333333333337", "0.3333333333333333"},
		{"3000000000000000000", "2999999999999999488", "3.000000000000000e+18"},
		{"4599676419421066581", "4599676419421066582", "4.599676419421067e+18"},
		{"(15.5+4e-16i)", "(15.5-4e-16i)", "(15.5+@.0i)"},
		{"(15.5-4e-16i)", "(15.5+0i)", "(15.5+@.0i)"},
		{"5-4", "5-9", "5-@.0"},
		{"0x1.bbbbbbbbbbbbcp-02", "0x1.bbbbbbbbbbbbdp-02", "0x1.bbbbbbbbbbbbcp-02"},
	} {
		tokens := compare([]byte(c[0]), [][]byte{[]byte(c[1])})
		if got := Render([]byte(c[0]), tokens); got != c[2] {
			t.Errorf("%s and %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
