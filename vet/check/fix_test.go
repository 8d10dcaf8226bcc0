package check

import (
	"strings"
	"testing"
)

// TestApply checks edits at one place: a sum in an operand of another sum.
func TestApply(t *testing.T) {
	const text = "e += r*a + t"
	edits := []Edit{
		{"", 2, 4, "= float64(e) +"}, {"", 5, 5, "float64("}, {"", 12, 12, ")"},
		{"", 5, 5, "float64("}, {"", 8, 8, ")"},
	}
	const want = "e = float64(e) + float64(float64(r*a) + t)"
	if got := string(apply([]byte(text), edits)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestApplyImports removes each name of a package that is used no more.
func TestApplyImports(t *testing.T) {
	const text = `package p

import (
	"math"
	m "math"
)

var x, y = m.Sin(1), math.Sqrt(2)
`
	const want = `package p

import (
	"math"
)

var x, y = c.Sin(1), math.Sqrt(2)
`
	at := strings.Index(text, "m.Sin")
	got, err := Apply([]byte(text), []Edit{{"", at, at + 1, "c"}})
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// TestApplyUnformatted leaves the lines of a file as they are that gofmt would
// change.
func TestApplyUnformatted(t *testing.T) {
	for _, tt := range []struct{ imports, want string }{
		{"import \"math\"\n", ""},
		{"import (\n  \"math\" // for Sin\n\"os\"\n)\n", "import (\n\"os\"\n)\n"},
	} {
		const head, tail = "package p\n", "\n// x\nvar   x=math.Sin( 1 )\nvar y = os.Args\n"
		text := head + tt.imports + tail
		at := strings.Index(text, "math.Sin")
		got, err := Apply([]byte(text), []Edit{{"", at, at + 4, "c"}})
		want := head + tt.want + strings.Replace(tail, "math.Sin", "c.Sin", 1)
		if err != nil || string(got) != want {
			t.Errorf("%s, want %s, %v", got, want, err)
		}
	}
}
