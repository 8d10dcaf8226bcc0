package accel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
)

// target asks a unit, and counts the calls.
func target(u mma.Unit, n, lanes int, calls *int) Target {
	return Target{In: u.In, N: n, Lanes: lanes,
		Ask: func(rows [][]float64, y []float64) ([]float64, error) {
			*calls++
			if len(rows) > lanes {
				return nil, fmt.Errorf("%d rows in %d lanes", len(rows), lanes)
			}
			d := make([]float64, len(rows))
			u.Multiply(d, slices.Concat(rows...), y, nil, len(rows), 1, n)
			return d, nil
		}}
}

// recovered fails unless the model equals the unit in all that is determined.
func recovered(t *testing.T, u mma.Unit, m *Model, calls int) {
	t.Helper()
	if m == nil {
		t.Errorf("%s %v %+v: no arithmetic found", u.Name, u.In, u.Arithmetic)
		return
	}
	for _, name := range differing([]mma.Arithmetic{u.Arithmetic, m.Arithmetic}) {
		if name == "zero_exponent" && 2*u.In.MinExp() > firstZero {
			continue
		}
		if !slices.Contains(m.Undetermined, name) {
			t.Errorf("%s %v: %s differs:\n%+v, want\n%+v, undetermined %v", u.Name, u.In, name,
				m.Arithmetic, u.Arithmetic, m.Undetermined)
		}
	}
	if !m.Verified() || m.Subnormals != Kept {
		t.Errorf("%s %v %+v: %d of %d replays, subnormal factors %s", u.Name, u.In, u.Arithmetic,
			m.Matched, m.Replayed, m.Subnormals)
	}
}

func structures(u mma.Unit) bool {
	return slices.Contains([]mma.Structure{mma.Fused, mma.TwoStage, mma.Interleaved}, u.Structure)
}

// TestTable recovers every row that fuses, and names it.
func TestTable(t *testing.T) {
	for _, u := range mma.Units() {
		if !structures(u) || u.In == fp.E2M1 {
			continue
		}
		t.Run(fmt.Sprintf("%s/%v", u.Name, u.In), func(t *testing.T) {
			calls := 0
			n := 2*u.Terms + 16
			m, _, err := Infer(target(u, n, 64, &calls), rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			recovered(t, u, m, calls)
			if m == nil {
				return
			}
			if !slices.Contains(m.Known, u.Name) {
				t.Errorf("%s is not among %v: %+v", u.Name, m.Known, m.Arithmetic)
			}
			for _, name := range m.Known { // only where the arithmetic is the same
				v, _ := mma.Find(name, u.In)
				if 2*u.In.MinExp() > firstZero {
					v.Zero = u.Zero
				}
				if v.Arithmetic != u.Arithmetic &&
					!slices.Contains(m.Undetermined, "zero_exponent") {
					t.Errorf("%s is taken for %s", u.Name, name)
				}
			}
			t.Logf("%d calls, known %v, undetermined %v", calls, m.Known, m.Undetermined)
			if calls > 64 {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

// random draws a unit that is in no table.
func random(rng *rand.Rand) mma.Unit {
	modes := []fp.Mode{fp.TowardZero, fp.Down, fp.NearestEven}
	u := mma.Unit{Name: "random",
		In: []fp.Format{fp.Binary16, fp.BFloat16, fp.E5M2, fp.TF32}[rng.IntN(4)]}
	u.Arithmetic = mma.Arithmetic{
		Structure: []mma.Structure{mma.Fused, mma.FusedThenAdded, mma.TwoStage,
			mma.Interleaved}[rng.IntN(4)],
		Terms: 1 + rng.IntN(32), Bits: 10 + rng.IntN(31), Align: modes[rng.IntN(3)],
		Normalise: rng.IntN(2) == 0, Zero: firstZero - rng.IntN(zeroRange),
		Round: modes[rng.IntN(3)], Precision: 24,
	}
	switch u.Structure {
	case mma.TwoStage, mma.Interleaved:
		u.Zero, u.SumBits, u.AccBits = noZero, 31, 24
		if rng.IntN(2) == 0 {
			u.SumBits, u.LateBits = 32, 31
		}
		if u.Structure == mma.Interleaved {
			u.Terms = max(u.Terms, 2)
		}
	default:
		u.Precision = []int{24, 14, 11}[rng.IntN(3)]
	}
	return u
}

// TestRandom recovers arithmetics that are in no table, and forces none onto a
// row.
func TestRandom(t *testing.T) {
	count := 50
	if os.Getenv("LASTBIT_SWEEP") == "all" {
		count = 500
	}
	rng := rand.New(rand.NewPCG(33, 5))
	most := 0
	for range count {
		u, calls := random(rng), 0
		m, _, err := Infer(target(u, 2*u.Terms+8, 64, &calls), rng)
		if err != nil {
			t.Fatal(err)
		}
		recovered(t, u, m, calls)
		most = max(most, calls)
		if m == nil {
			continue
		}
		for _, name := range m.Known { // only where the row computes the same
			row, _ := mma.Find(name, u.In)
			for _, field := range differing([]mma.Arithmetic{row.Arithmetic, u.Arithmetic}) {
				if !slices.Contains(m.Undetermined, field) &&
					(field != "zero_exponent" || 2*u.In.MinExp() <= firstZero) {
					t.Errorf("%+v is forced onto %s", u.Arithmetic, name)
				}
			}
		}
	}
	if most > 64 {
		t.Errorf("%d calls", most)
	}
}

// TestOneGroup asks sums of no more products than a group has: they cannot tell
// how many more it takes.
func TestOneGroup(t *testing.T) {
	for _, n := range []int{5, 16} {
		u, _ := mma.Find("h100", fp.Binary16)
		calls := 0
		m, _, err := Infer(target(u, n, 64, &calls), rand.New(rand.NewPCG(1, 5)))
		if err != nil || m == nil {
			t.Fatalf("n = %d: %+v, %v", n, m, err)
		}
		if !slices.Contains(m.Known, "h100") || !slices.Contains(m.Undetermined, "terms") ||
			!m.Verified() {
			t.Errorf("n = %d: %+v", n, m)
		}
	}
}

// TestScalar names the rows that add one by one.
func TestScalar(t *testing.T) {
	for _, u := range mma.Units() {
		if !isScalar(u.Arithmetic) {
			continue
		}
		calls := 0
		m, _, err := Infer(target(u, 80, 64, &calls), rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case m == nil:
			t.Errorf("%s %v: nothing found", u.Name, u.In)
		case !slices.Contains(m.Known, u.Name) || !m.Verified():
			t.Errorf("%s %v: %+v", u.Name, u.In, m)
		default:
			t.Logf("%s %v: %v, subnormal factors %s", u.Name, u.In, m.Known, m.Subnormals)
		}
	}
}

// TestUnknown finds nothing for arithmetics out of reach: a plain chain, and
// sums in reverse order.
func TestUnknown(t *testing.T) {
	h100, _ := mma.Find("h100", fp.Binary16)
	for _, reversed := range []bool{false, true} {
		tt := Target{In: fp.Binary16, N: 40, Lanes: 64,
			Ask: func(rows [][]float64, y []float64) ([]float64, error) {
				var out []float64
				for _, x := range rows {
					sum := 0.0
					if reversed {
						var d [1]float64
						p, q := slices.Clone(x), slices.Clone(y)
						slices.Reverse(p)
						slices.Reverse(q)
						h100.Multiply(d[:], p, q, nil, 1, 1, len(p))
						sum = d[0]
					} else {
						for i := range x {
							sum = fp.Binary32.Add(sum, x[i]*y[i], fp.Up)
						}
					}
					out = append(out, sum)
				}
				return out, nil
			}}
		m, _, err := Infer(tt, rand.New(rand.NewPCG(1, 4)))
		if err != nil || m != nil && len(m.Known) > 0 {
			t.Errorf("reversed %v: %+v, %v", reversed, m, err)
		}
		if m != nil {
			t.Logf("reversed %v: %+v", reversed, m)
		}
	}
}

// TestOneLane recovers rows from single products.
func TestOneLane(t *testing.T) {
	for _, name := range []string{"v100", "a100", "h100", "cdna3"} {
		u, _ := mma.Find(name, fp.Binary16)
		calls := 0
		m, _, err := Infer(target(u, 40, 1, &calls), rand.New(rand.NewPCG(1, 3)))
		if err != nil {
			t.Fatal(err)
		}
		recovered(t, u, m, calls)
		if m != nil && !slices.Contains(m.Known, name) {
			t.Errorf("%s is not among %v", name, m.Known)
		}
		t.Logf("%s: %d calls besides replays", name, calls-replays)
	}
}
