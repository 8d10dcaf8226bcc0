package reveal_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestFindingJSON writes findings and reads them back: a replay of the copy
// gives the same bits.
func TestFindingJSON(t *testing.T) {
	pairwise, err := sumtree.ParseFamily("pairwise(block=128, unroll=8)")
	if err != nil {
		t.Fatal(err)
	}
	node := func(id int) fp.Format {
		if id%7 == 3 {
			return fp.Binary64
		}
		return 0
	}
	for _, c := range []struct {
		n int
		o probetest.Options
	}{
		{40, probetest.Options{}},
		{40, probetest.Options{Products: true, FMA: true}},
		{40, probetest.Options{NodeAcc: node}},
		{4096 + 1, probetest.Options{}},
	} {
		target := probetest.FromTree(pairwise.Tree(c.n), c.o)
		f := revealtest.Must(t, target, reveal.Options{}, pairwise.Tree(c.n))
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if large := c.n > 4096; large != strings.Contains(string(text), `"tree":null`) ||
			large != strings.Contains(string(text), `"tree_gzip":"`) {
			t.Errorf("n=%d: the tree is in the wrong place: %.300s", c.n, text)
		}
		for _, field := range []string{
			`"verdict":"tree"`, `"verified":true`, `"family":`, `"calls":`, `"key":{"target":`,
			`"certificate_calls":`, `"replay_matched":`, `"witness":null`, `"warnings":[]`,
		} {
			if !strings.Contains(string(text), field) {
				t.Errorf("n=%d: no %s in %.300s", c.n, field, text)
			}
		}
		var again reveal.Finding
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if !again.Tree.Equal(f.Tree) {
			t.Fatalf("n=%d: another tree came back", c.n)
		}
		revealtest.Replays(t, target, &again, 20)
	}
}

// TestNumbersJSON holds that numbers keep their bits in JSON, also −0,
// infinities and NaN.
func TestNumbersJSON(t *testing.T) {
	in := reveal.Numbers{1.5, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out reveal.Numbers
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	for i := range in {
		if math.Float64bits(in[i]) != math.Float64bits(out[i]) && in[i] == in[i] {
			t.Errorf("%v came back as %v through %s", in[i], out[i], text)
		}
	}
	if err := json.Unmarshal([]byte(`["x"]`), &out); err == nil {
		t.Error("x was read as a number")
	}
}

// TestFusionJSON holds that the trait is true, false or a string in JSON, and
// is read back.
func TestFusionJSON(t *testing.T) {
	for f, want := range map[reveal.Fusion]string{
		reveal.Fused: "true", reveal.NotFused: "false", reveal.PartlyFused: `"mixed"`,
		reveal.ExactProducts: `"exact"`, reveal.UnknownFusion: `"unknown"`, "": "null",
	} {
		text, err := json.Marshal(f)
		if err != nil || string(text) != want {
			t.Errorf("%q is %s in JSON, want %s (%v)", f, text, want, err)
		}
		var again reveal.Fusion
		if err := json.Unmarshal(text, &again); err != nil || again != f {
			t.Errorf("%s is read as %q, want %q (%v)", text, again, f, err)
		}
	}
}
