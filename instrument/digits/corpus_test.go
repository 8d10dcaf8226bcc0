package digits

import (
	"context"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/internal/require"
)

// corpus holds the results of the programs of testdata/corpus in real
// arithmetic, whose literals are float64: by mpmath with 80 digits, and 400 for
// lorenz.
var corpus = map[string]string{
	"rump":        "-0.82739605994682136814116509548",
	"hilbert":     "2.73705011379151301664204328782e-33",
	"quadratic":   "0.000000010000000000000001",
	"logistic":    "0.962035468594548141604628654545",
	"triangle":    "10.0000000770210383232996515568",
	"heron":       "10.0000000770210383232996515568",
	"derivative":  "0.540302350152217360826307374161",
	"ascending":   "1.64492406689822626980574850331",
	"descending":  "1.64492406689822626980574850331",
	"variance":    "0.12890625",
	"welford":     "0.12890625",
	"pivotless":   "0.900000000000008911182158030077",
	"newton":      "1.00000058835375430148985623395",
	"expSeries":   "0.00000000206115362243855782796594038016",
	"expPositive": "0.00000000206115362243855782796594038016",
	"kahan":       "10000.0000000000005551115123126",
	"twoSum":      "10000000000000003.14159",
	"integers":    "332833500.0",
	"expm1":       "1.00000000005000003643386398581e-10",
	"cosine":      "0.499999999994000000000028799696",
	"lorenz":      "-13.8599073050100000801382762633",
	"pi":          "3.14159265359005434998451783695",
	"polynomial":  "1.00000000000000621724893790089e-14",
	"recurrence":  "0.0627310804238732089288532733917",
	"compound":    "164.866481376523464472671940163",
	"single":      "9.78760603604438226417847790485",
	"difference":  "0.00000499999999987500000000625",
	"horner":      "0.12223417384638905613962910621",
	"cross":       "4.76190489156771291581616072437e-11",
	"powers":      "0.00000500003674195424009544220207588",
}

const corpusFolder = "testdata/corpus"

// TestCorpus estimates the digits of results that are known, and blames lines
// that are known. Nine of ten estimates are within one digit, and nine of ten
// times only lines are blamed that are marked.
func TestCorpus(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, corpusFolder)
	estimated, blamed, right := 0, 0, 0
	for name, text := range corpus {
		a, err := Analyze(context.Background(), p, instrument.Input{Args: []string{name}},
			Options{Seed: 1, Blame: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Tokens) != 1 || a.Tokens[0].Digits == nil {
			t.Fatalf("%s: tokens %v", name, a.Tokens)
		}
		got, want := *a.Tokens[0].Digits, trueDigits(t, a.Tokens[0].Plain, text)
		if got-want <= 1 && want-got <= 1 {
			estimated++
		} else {
			t.Logf("%s: %.1f digits, where %.1f are right", name, got, want)
		}
		if len(a.Blame) == 0 {
			continue
		}
		blamed++
		if isMarked(t, name, a.Blame) {
			right++
		} else {
			t.Logf("%s: %v is not to blame", name, a.Blame)
		}
	}
	t.Logf("%d of %d within one digit, %d of %d blamed rightly", estimated, len(corpus), right,
		blamed)
	if 10*estimated < 9*len(corpus) {
		t.Errorf("only %d of %d estimates are within one digit", estimated, len(corpus))
	}
	if 10*right < 9*blamed || blamed < 15 {
		t.Errorf("only %d of %d results were blamed on marked lines", right, blamed)
	}
}

// TestPrograms estimates the digits of numbers that other programs print: more
// than nine of ten estimates are within one digit.
func TestPrograms(t *testing.T) {
	t.Parallel()
	const folder = "testdata/programs"
	want, err := os.ReadFile(folder + "/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := buildProgram(t, folder)
	estimated, all := 0, 0
	for line := range strings.Lines(string(want)) {
		words := strings.Fields(line)
		a, err := Analyze(context.Background(), p, instrument.Input{Args: words[:1]},
			Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Tokens) != len(words)-1 {
			t.Fatalf("%s: %d tokens, not %d", words[0], len(a.Tokens), len(words)-1)
		}
		for i, word := range words[1:] {
			all++
			got, want := *a.Tokens[i].Digits, trueDigits(t, a.Tokens[i].Plain, word)
			if math.Abs(got-want) <= 1 {
				estimated++
			} else {
				t.Logf("%s: %.1f digits of %s, where %.1f are right", words[0], got, word, want)
			}
		}
	}
	t.Logf("%d of %d within one digit", estimated, all)
	if 10*estimated <= 9*all {
		t.Errorf("only %d of %d estimates are within one digit", estimated, all)
	}
}

func buildProgram(t *testing.T, folder string) *instrument.Program {
	t.Helper()
	require.Program(t, "go")
	p, err := instrument.Build(context.Background(),
		instrument.Options{Dir: folder, Package: "."}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trueDigits returns the number of right digits of a result.
func trueDigits(t *testing.T, got, want string) float64 {
	t.Helper()
	x, ok1 := new(big.Float).SetPrec(300).SetString(got)
	y, ok2 := new(big.Float).SetPrec(300).SetString(want)
	if !ok1 || !ok2 {
		t.Fatalf("%s and %s are not numbers", got, want)
	}
	d := new(big.Float).Sub(x, y)
	if d.Quo(d, y); d.Sign() == 0 {
		return min(MaxDigits, float64(significant(got)))
	}
	relative, _ := d.Abs(d).Float64()
	return min(digitsOf(relative), float64(significant(got)))
}

// isMarked reports whether all blamed lines are in the function and have a
// comment "blame".
func isMarked(t *testing.T, name string, guilty []Guilty) bool {
	t.Helper()
	src, err := os.ReadFile(corpusFolder + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	for _, g := range guilty {
		if !strings.HasSuffix(lines[g.Line-1], "// blame") {
			return false
		}
	}
	return true
}
