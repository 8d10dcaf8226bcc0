package sumtree

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// chunksOfFour is a chain of chains of 4, whose upper additions, all or some,
// have the carry given.
func chunksOfFour(n int, c Carry) (*Tree, Arithmetic) {
	chain := Family{Kind: Chain}
	t := Family{Kind: Chunks, Block: 4, Of: &chain}.Tree(n)
	upper := make([]bool, t.Inner())
	for k := range upper {
		upper[k] = !t.IsLeaf(int(t.Children(n + k)[1]))
	}
	a := Plain(fp.Binary32)
	a.Except = []Exception{{Inner: RangesOf(upper), Arith: NodeArith{Acc: fp.Binary32, Carry: c}}}
	return t, a
}

// TestCarryAgainstKahan holds the replay of additions that carry against
// Kahan's summation of the sums of chunks, written out.
func TestCarryAgainstKahan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{8, 16, 40} {
		for range 200 {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(float32(rng.NormFloat64() * math.Exp2(float64(rng.IntN(30)))))
			}
			var sum, rest float32
			for i := 0; i < n; i += 4 {
				v := float32(x[i])
				for _, w := range x[i+1 : i+4] {
					v += float32(w)
				}
				y := v - rest
				next := sum + y
				rest = (next - sum) - y
				sum = next
			}
			for carry, want := range map[Carry]float32{CarryOn: sum, CarryAdded: sum - rest} {
				tree, a := chunksOfFour(n, carry)
				got, err := tree.Replay(a, x, nil)
				if err != nil || got != float64(want) {
					t.Fatalf("n=%d, carry %s: %v, want %v (%v)", n, carry, got, want, err)
				}
			}
		}
	}
}

// TestCarrySurvivesJSON holds the names of carries, and their refusals.
func TestCarrySurvivesJSON(t *testing.T) {
	tree, a := chunksOfFour(16, CarryAdded)
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var again Arithmetic
	if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(a, again) {
		t.Errorf("%s is read back as %+v (%v)", b, again, err)
	}
	var c Carry
	if err := c.UnmarshalText([]byte("off")); err == nil {
		t.Error("a carry called off is accepted")
	}
	fused := a
	fused.Products, fused.FMA = true, FMALater
	aligned := a
	aligned.Except = []Exception{{Inner: a.Except[0].Inner,
		Arith: NodeArith{Acc: fp.Binary32, Carry: CarryOn, Align: 20}}}
	for _, bad := range []Arithmetic{fused, aligned} {
		if bad.Check(tree) == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	wide, err := Parse("(0 1 2)")
	if err != nil {
		t.Fatal(err)
	}
	three := Plain(fp.Binary32)
	three.Nodes.Carry = CarryOn
	if three.Check(wide) == nil {
		t.Error("an addition of three operands carries")
	}
}
