package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/explain"
)

// TestNumbers holds which texts are lists of numbers.
func TestNumbers(t *testing.T) {
	inf := math.Inf(1)
	for text, want := range map[string][]float64{
		"1 2\n3":            {1, 2, 3},
		"1, 2, -3":          {1, 2, -3},
		"1;2;\t0x1p-1":      {1, 2, 0.5},
		"[1,2, 3e2]":        {1, 2, 300},
		"[1,2,]":            {1, 2},
		"1;2;\n":            {1, 2},
		" inf -Inf 1e-999 ": {inf, -inf, 0},
	} {
		if got, err := Numbers(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if x, err := Numbers("nan"); err != nil || len(x) != 1 || x[0] == x[0] {
		t.Error(x, err)
	}
	for text, want := range map[string]string{
		"":             "no numbers",
		"[]":           "no numbers",
		"[1, 2":        "closing bracket",
		"[1, , 2]":     "a number is missing",
		"[,1]":         "a number is missing",
		"1;;2":         "a number is missing",
		"0,1 0,2":      `number 1, "0,1", has a comma`,
		"1,2,3":        "has a comma",
		"5 1\u202f000": `"1\u202f000" has a space that does not break`,
		"1\u00a0234.5": "leave it out of a number",
		"1 two":        `number 2, "two", is not a number`,
		"1 1e999":      `number 2, "1e999", is beyond the largest float64`,
		"1 -1e999":     "beyond",
		"1 , 2":        `number 2, "", is not a number`,
		"1.2.3":        "not a number",
		"1 2 <script":  "not a number",
	} {
		if x, err := Numbers(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, %v", text, x, err)
		}
	}
	if _, err := Numbers(strings.Repeat("1 ", MaxNumbers+1)); err == nil {
		t.Error("too many numbers are taken")
	}
}

// TestSum holds that shuffling changes the plain sum, and never the exact one.
func TestSum(t *testing.T) {
	x := []float64{1e16, 1, -1e16, 0.1, 0.2, 0.3}
	first := Sum(x)
	if first.Exact.Text != "1.6" || first.ULPs == "0" {
		t.Errorf("%+v", first)
	}
	plain := map[string]bool{}
	for seed := range uint64(50) {
		Shuffle(x, seed)
		s := Sum(x)
		plain[s.Plain.Bits] = true
		if s.Exact != first.Exact || s.Digest != first.Digest || s.Count != 6 {
			t.Errorf("seed %d: %+v and not %+v", seed, s, first)
		}
	}
	if len(plain) < 2 {
		t.Error("no order changes the plain sum")
	}
	if s := Sum([]float64{math.Inf(1), math.Inf(-1)}); s.ULPs != "" || s.Exact.Text != "NaN" {
		t.Errorf("%+v", s)
	}
}

// TestCheckFunction compares Go's own functions, and wrong ones.
func TestCheckFunction(t *testing.T) {
	x := []float64{0.5, math.NaN(), -1, 0}
	right := make([]float64, len(x))
	for i, v := range x {
		right[i] = functions["log"](v)
	}
	if c, err := CheckFunction("log", x, right); err != nil || c.Wrong != 0 || c.Worst != nil {
		t.Errorf("%+v, %v", c, err)
	}
	y := slices.Clone(right)
	y[0] = math.Nextafter(math.Nextafter(y[0], 9), 9)
	if c, err := CheckFunction("log", x, y); err != nil || c.Wrong != 1 || c.Worst.ULPs != "2" {
		t.Errorf("%+v, %v", c, err)
	}
	y[1] = 7
	if c, err := CheckFunction("log", x, y); err != nil || c.Wrong != 2 || c.Worst.ULPs != "" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, name := range FunctionNames() {
		if _, err := CheckFunction(name, x, x); err != nil {
			t.Error(err)
		}
	}
	if _, err := CheckFunction("gamma", x, x); err == nil {
		t.Error("gamma is taken")
	}
	if _, err := CheckFunction("sin", x, x[1:]); err == nil {
		t.Error("fewer results are taken")
	}
}

// npy returns a .npy file of float32 numbers.
func npy(shape string, x ...float32) []byte {
	var b bytes.Buffer
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }", shape)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	b.WriteString("\x93NUMPY\x01\x00v\x00" + header)
	if err := binary.Write(&b, binary.LittleEndian, x); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestCompare finds the cause of two orders, over the axis that fits, and
// refuses what cannot be compared.
func TestCompare(t *testing.T) {
	const rows, columns = 64, 40
	var x, left, right []float32
	for r := range rows {
		var row []float32
		for i := range columns {
			v := math.Sin(float64(r*columns+i)) * math.Pow(10, float64(i%5))
			row = append(row, float32(v))
		}
		x = append(x, row...)
		var a, b float32
		for i := range row {
			a += row[i]
			b += row[columns-1-i]
		}
		left, right = append(left, a), append(right, b)
	}
	a, b := npy("(64,)", left...), npy("(64,)", right...)
	c, err := Compare(a, b, "sum", npy("(64, 40)", x...), nil)
	if err != nil || c.Explanation == nil || !c.Explanation.Explained ||
		!slices.Equal(c.Explanation.Causes, []explain.Cause{explain.Order}) {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err := Compare(a, b, "", nil, nil); err != nil || c.Differing == 0 ||
		c.Explanation != nil {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := Compare(a, a, "", nil, nil); err != nil || c.Differing != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, w := range []struct {
		a, b []byte
		op   string
		x, y []byte
		want string
	}{
		{a, npy("(1,)", 1), "", nil, nil, "the shapes [64] and [1]"},
		{a, []byte("text"), "", nil, nil, "B: "},
		{a[:100], b, "", nil, nil, "A: "},
		{a, b, "sum", npy("(3,)", 1, 2, 3), nil, "no sum of these inputs has the shape [64]"},
		{a, b, "sum", nil, nil, "the first input: "},
		{a, b, "matmul", npy("(64, 40)", x...), nil, "the second input: "},
		{a, b, "median", npy("(64, 40)", x...), nil, "the operations are"},
	} {
		if c, err := Compare(w.a, w.b, w.op, w.x, w.y); err == nil ||
			!strings.Contains(err.Error(), w.want) {
			t.Errorf("%+v, %v; want %q", c, err, w.want)
		}
	}
}
