package exact_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/require"
)

var update = flag.Bool("update", false, "write testdata/states")

// vectors is a file of conformance vectors: see docs/reference/state.md.
type vectors struct {
	Valid   []vector        `json:"valid,omitempty"`
	Invalid []invalidVector `json:"invalid,omitempty"`
}

// A vector is a state. Numbers are bit patterns in hexadecimal.
type vector struct {
	Name    string            `json:"name,omitempty"`
	Kind    string            `json:"kind"`
	Edges   []string          `json:"edges,omitempty"`
	Inputs  [][]string        `json:"inputs"`
	Removed [][]string        `json:"removed,omitempty"`
	Bytes   string            `json:"bytes"`
	Digest  string            `json:"digest"`
	Results map[string]string `json:"results"`
}

// An invalidVector is bytes that are not a state.
type invalidVector struct {
	Name   string `json:"name"`
	Bytes  string `json:"bytes"`
	Reason string `json:"reason"`
}

// A state is any of package exact.
type state interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	Digest() [32]byte
}

// A kindOf is what the vectors need to know of a kind of states.
type kindOf struct {
	new     func() state
	add     func(s state, row []float64)
	merge   func(a, b state, sub bool)
	results func(s state) map[string]any
}

// kindFor makes a kindOf from a type's methods.
func kindFor[S any, P interface {
	*S
	state
	Merge(*S)
}](
	add func(P, []float64), sub func(a, b P), results func(P) map[string]any,
) kindOf {
	return kindOf{
		new: func() state { return P(new(S)) },
		add: func(s state, row []float64) { add(s.(P), row) },
		merge: func(a, b state, remove bool) {
			if remove {
				sub(a.(P), b.(P))
			} else {
				a.(P).Merge(b.(P))
			}
		},
		results: func(s state) map[string]any { return results(s.(P)) },
	}
}

var kinds = map[string]kindOf{
	"sum": kindFor(func(a *exact.Accumulator, row []float64) {
		if len(row) == 2 {
			a.AddProduct(row[0], row[1])
		} else {
			a.Add(row[0])
		}
	}, (*exact.Accumulator).Sub, func(a *exact.Accumulator) map[string]any {
		return map[string]any{"float64": a.Float64(), "float32": a.Float32(), "mean": a.Mean()}
	}),
	"moments": kindFor(func(m *exact.Moments, row []float64) { m.Add(row[0]) },
		(*exact.Moments).Sub, func(m *exact.Moments) map[string]any {
			return map[string]any{"mean": m.Mean(), "variance": m.Variance(), "stddev": m.StdDev(),
				"popvariance": m.PopVariance(), "popstddev": m.PopStdDev(), "skew": m.Skew(),
				"popskew": m.PopSkew(), "exkurtosis": m.ExKurtosis(),
				"popexkurtosis": m.PopExKurtosis()}
		}),
	"pairs": kindFor(func(c *exact.Pairs, row []float64) { c.Add(row[0], row[1]) },
		(*exact.Pairs).Sub, func(c *exact.Pairs) map[string]any {
			return map[string]any{"mean_x": c.MeanX(), "mean_y": c.MeanY(),
				"variance_x": c.VarianceX(), "variance_y": c.VarianceY(),
				"covariance": c.Covariance(), "popcovariance": c.PopCovariance(),
				"correlation": c.Correlation(), "rsquared": c.RSquared(), "slope": c.Slope(),
				"intercept": c.Intercept(), "residualstddev": c.ResidualStdDev()}
		}),
	"extrema": kindFor(func(e *exact.Extrema, row []float64) { e.Add(row[0]) },
		func(a, b *exact.Extrema) { panic("extrema are not removed") },
		func(e *exact.Extrema) map[string]any {
			return map[string]any{"min": e.Min(), "max": e.Max()}
		}),
	"weightedmean": kindFor(func(m *exact.WeightedMean, row []float64) { m.Add(row[0], row[1]) },
		(*exact.WeightedMean).Sub, func(m *exact.WeightedMean) map[string]any {
			return map[string]any{"mean": m.Mean(), "weight": m.Weight()}
		}),
	"weightedmoments": kindFor(
		func(m *exact.WeightedMoments, row []float64) { m.Add(row[0], row[1]) },
		(*exact.WeightedMoments).Sub, func(m *exact.WeightedMoments) map[string]any {
			return map[string]any{"mean": m.Mean(), "weight": m.Weight(), "variance": m.Variance(),
				"stddev": m.StdDev(), "popvariance": m.PopVariance(), "popstddev": m.PopStdDev(),
				"reliability": m.ReliabilityVariance(), "effective": m.EffectiveCount()}
		}),
}

// histogramKind returns the kind of histograms with some edges.
func histogramKind(edges []float64) kindOf {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	return kindOf{
		new: func() state {
			h, err := exact.NewHistogram(edges)
			must(err)
			return h
		},
		add: func(s state, row []float64) { s.(*exact.Histogram).Add(row[0]) },
		merge: func(a, b state, remove bool) {
			if remove {
				must(a.(*exact.Histogram).Sub(b.(*exact.Histogram)))
			} else {
				must(a.(*exact.Histogram).Merge(b.(*exact.Histogram)))
			}
		},
		results: func(s state) map[string]any {
			h := s.(*exact.Histogram)
			o := h.Outside()
			r := map[string]any{"below": o.Below, "above": o.Above, "nan": o.NaN,
				"posinf": o.PosInf, "neginf": o.NegInf}
			for i := range h.Bins() {
				b := h.Bin(i)
				r[fmt.Sprint("count_", i)], r[fmt.Sprint("sum_", i)] = b.Count(), b.Float64()
			}
			return r
		},
	}
}

func (v *vector) kind() kindOf {
	if v.Kind == "histogram" {
		return histogramKind(numbers(v.Edges))
	}
	return kinds[v.Kind]
}

// numbers returns the numbers of bit patterns.
func numbers(row []string) []float64 {
	x := make([]float64, len(row))
	for i, s := range row {
		b, err := strconv.ParseUint(s, 16, 64)
		if err != nil {
			panic(err)
		}
		x[i] = math.Float64frombits(b)
	}
	return x
}

// patterns is the inverse of numbers.
func patterns(row ...float64) []string {
	s := make([]string, len(row))
	for i, x := range row {
		s[i] = fmt.Sprintf("%016x", math.Float64bits(x)) //lastbit:ignore nankey an input
	}
	return s
}

// build returns the state of the inputs, less the removed.
func (v *vector) build() state {
	k := v.kind()
	s, removed := k.new(), k.new()
	for _, row := range v.Inputs {
		k.add(s, numbers(row))
	}
	for _, row := range v.Removed {
		k.add(removed, numbers(row))
	}
	if len(v.Removed) > 0 {
		k.merge(s, removed, true)
	}
	return s
}

// describe sets what follows from a state.
func (v *vector) describe(s state) {
	b, _ := s.MarshalBinary()
	v.Bytes, v.Digest = hex.EncodeToString(b), fmt.Sprintf("%x", s.Digest())
	v.Results = map[string]string{}
	for name, r := range v.kind().results(s) {
		v.Results[name] = resultText(r)
	}
}

func resultText(r any) string {
	switch r := r.(type) {
	case int64:
		return strconv.FormatInt(r, 10)
	case float32:
		if r != r {
			return "nan"
		}
		return fmt.Sprintf("%08x", math.Float32bits(r))
	case float64:
		if r != r {
			return "nan"
		}
		return fmt.Sprintf("%016x", math.Float64bits(r))
	}
	panic("unknown result")
}

// hold returns an error unless the vector's inputs and its bytes both give the
// rest.
func (v *vector) hold() error {
	k := v.kind()
	fromBytes := k.new()
	b, err := hex.DecodeString(v.Bytes)
	if err == nil {
		err = fromBytes.UnmarshalBinary(b)
	}
	if err != nil {
		return err
	}
	for _, s := range []state{v.build(), fromBytes} {
		got := *v
		got.describe(s)
		if !reflect.DeepEqual(&got, v) {
			return fmt.Errorf("%+v, not %+v", got, *v)
		}
	}
	return nil
}

const vectorsDir = "../testdata/states"

// TestVectors holds the files of vectors, which other implementations of the
// format hold too.
func TestVectors(t *testing.T) {
	if *update {
		writeVectors(t)
	}
	names, _ := filepath.Glob(vectorsDir + "/*.json")
	if len(names) == 0 {
		t.Fatal("there are no vectors")
	}
	for _, name := range names {
		for _, v := range readVectors(t, name).Valid {
			if err := v.hold(); err != nil {
				t.Errorf("%s, %s: %v", name, v.Name, err)
			}
		}
		for _, v := range readVectors(t, name).Invalid {
			b, _ := hex.DecodeString(v.Bytes)
			if err := unmarshal(b); err == nil {
				t.Errorf("%s, %s: the bytes are taken", name, v.Name)
			}
		}
	}
}

// unmarshal reads bytes as the state that they begin as, or as a sum.
func unmarshal(b []byte) error {
	states := map[byte]state{'m': new(exact.Moments), 'c': new(exact.Pairs),
		'e': new(exact.Extrema), 'w': new(exact.WeightedMean), 'v': new(exact.WeightedMoments),
		'h': new(exact.Histogram)}
	if len(b) > 3 && states[b[3]] != nil {
		return states[b[3]].UnmarshalBinary(b)
	}
	return new(exact.Accumulator).UnmarshalBinary(b)
}

func readVectors(t *testing.T, name string) (v vectors) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPythonRefusals holds that a state in Python that refuses a summand or a
// state is unchanged.
func TestPythonRefusals(t *testing.T) {
	const program = `
import math
from decimal import Decimal
from fractions import Fraction
from lastbit_state import MAX_INT64, Sum
from lastbit_statistics import Extrema, Histogram, Moments, Pairs, WeightedMean, WeightedMoments

def refuses(s, *calls):
    before = s.to_bytes()
    for call in calls:
        try:
            call(s)
            print(type(s).__name__, "takes", call)
        except (OverflowError, ValueError):
            pass
        if s.to_bytes() != before:
            print(type(s).__name__, "has changed")

def full(s, i):
    s.count[i] = MAX_INT64
    return s

nan = math.nan
for kind in Sum, Moments:
    one = kind()
    one.add(1.0)
    one.add(nan)
    refuses(full(kind(), 2), lambda s: s.add(nan), lambda s: s.merge(one))
refuses(full(Sum(), 2), lambda s: s.add_product(nan, 1.0))
for kind in Pairs, WeightedMean, WeightedMoments:
    refuses(full(kind(), 6), lambda s: s.add(nan, nan), lambda s: s.add(1.0, nan))
e, other = Extrema(), Extrema()
e.numbers, e.min, e.max = MAX_INT64, 1.0, 2.0
other.add(nan)
other.add(3.0)
refuses(e, lambda s: s.add(nan), lambda s: s.add(0.0), lambda s: s.merge(other))
h, other = Histogram([0.0, 1.0, 2.0]), Histogram([0.0, 1.0, 2.0])
full(h.bins[1], 0)
for x in (-1.0, 0.5, 1.5):
    other.add(x)
refuses(h, lambda s: s.add(1.5), lambda s: s.merge(other))
for x in 2**53 + 1, 10**400, Fraction(1, 3), Decimal("0.1"), "0.5":  # no float64
    for s in Sum(), Moments(), Extrema(), Histogram([0.0, 1.0]):
        refuses(s, lambda s: s.add(x))
    for s in Pairs(), WeightedMean(), WeightedMoments():
        refuses(s, lambda s: s.add(x, 1.0), lambda s: s.add(1.0, x))
    refuses(Sum(), lambda s: s.add_product(x, 1.0), lambda s: s.add_product(1.0, x))
`
	cmd := exec.CommandContext(t.Context(), require.Program(t, "python3"), "-c", program)
	cmd.Dir = "../engines/python"
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestPython holds the implementation in Python against the vectors, and
// against random states in both directions.
func TestPython(t *testing.T) {
	python := require.Program(t, "python3")
	check, err := filepath.Abs("../engines/python/check_vectors.py")
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), python, append([]string{check}, args...)...)
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %s%s", err, out, exit.Stderr)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	names, _ := filepath.Glob(vectorsDir + "/*.json")
	random := filepath.Join(t.TempDir(), "random.json")
	writeFile(t, random, randomVectors(200))
	out := string(run(append(names, random)...))
	if !strings.Contains(out, " vectors, 0 wrong") {
		t.Error(out)
	}
	for seed := range 3 {
		var v vectors
		if err := json.Unmarshal(run("--generate", strconv.Itoa(seed)), &v); err != nil {
			t.Fatal(err)
		}
		if len(v.Valid) == 0 {
			t.Fatal("Python generates no vectors")
		}
		for i := range v.Valid {
			if err := v.Valid[i].hold(); err != nil {
				t.Errorf("seed %d, vector %d: %v", seed, i, err)
			}
		}
	}
}

// randomVectors returns vectors of random numbers, of every kind.
func randomVectors(n int) (f vectors) {
	rng := rand.New(rand.NewPCG(73, 74))
	draw := func() float64 {
		switch rng.IntN(12) {
		case 0:
			return sets[rng.IntN(len(sets)-1)+1].x[0]
		case 1, 2:
			return math.Float64frombits(rng.Uint64() &^ (1 << 62))
		}
		return math.Ldexp(rng.Float64()*2-1, rng.IntN(60)-30)
	}
	names := []string{"sum", "moments", "pairs", "extrema", "weightedmean", "weightedmoments",
		"histogram"}
	for i := range n {
		v := vector{Name: fmt.Sprint("random ", i), Kind: names[i%len(names)],
			Inputs: [][]string{}}
		for range rng.IntN(20) {
			switch v.Kind {
			case "pairs", "weightedmean", "weightedmoments":
				v.Inputs = append(v.Inputs, patterns(draw(), draw()))
			case "sum":
				v.Inputs = append(v.Inputs, patterns([]float64{draw(), draw()}[:1+rng.IntN(2)]...))
			default:
				v.Inputs = append(v.Inputs, patterns(draw()))
			}
		}
		if v.Kind == "histogram" {
			v.Edges = patterns(-100, -0.5, 0.5, 7)
		}
		if v.Kind != "extrema" && i%3 == 0 && len(v.Inputs) > 2 {
			v.Removed = v.Inputs[1:3]
		}
		v.describe(v.build())
		f.Valid = append(f.Valid, v)
	}
	return f
}
