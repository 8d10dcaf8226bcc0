package sumtree

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	for _, c := range []struct{ file, f string }{
		{"torchsum-2.15.0-float32", "take 32 as cascade(block=16, base=16, levels=4), take 8, fold 8×4, rest apart, fold 1×8"},
		{"torchsum-2.15.0-float64", "take 16 as cascade(block=16, base=16, levels=4), take 4, fold 4×4, rest apart, fold 1×4"},
		{"npdot-2.4.6-float32", "take 64, fold 8, take 32, fold 16×4, fold 4, fold 1, fold 2, rest apart"},
		{"npdot-2.4.6-float64", "take 32, fold 4, take 16, fold 8×4, fold 2, fold 1, rest onto"},
		{"einsumdot-2.4.6-float32", "take 4 as backward(4), take 4, rest spread, fold 1, fold 2"},
		{"einsumsum-2.4.6-float32", "take 4 as chunks(4) of pairwise, take 4, rest spread, fold 1, fold 2"},
		{"torchdot-2.15.0-float32", "take 64, take 32, take 16, rest spread, fold 16, fold 32, fold 8, fold 4, fold 1, fold 2"},
		{"polars-float64", "halves(128, head apart) of strided(16)+halving"},
		{"pyarrow-float64", "cascade(block=16, base=2)"},
		{"groupby-float64", "first + pairwise(block=128, unroll=8)"},
		{"openblas-Core2-float32", "take 16, fold 4, fold 8, take 4, fold 1, fold 2, rest onto"},
		{"openblas-Core2-float64", "take 8, take 4, take 2, rest onto, fold 2, fold 4, fold 1"},
	} {
		f, err := ParseFamily(c.f)
		if err != nil {
			t.Error(err)
			continue
		}
		if f.String() != c.f {
			t.Error(f.String())
		}
		var good, bad []string
		for n := 1; n < 2000; n++ {
			b, err := os.ReadFile(fmt.Sprintf("/tmp/w/families/trees/%s-%d.txt", c.file, n))
			if err != nil {
				continue
			}
			tr, err := Parse(strings.TrimSpace(string(b)))
			if err != nil {
				t.Fatal(err)
			}
			if f.Tree(n).Equal(tr) {
				good = append(good, fmt.Sprint(n))
			} else {
				bad = append(bad, fmt.Sprint(n))
			}
		}
		t.Log(c.file, "good", good, "bad", bad)
	}
}
