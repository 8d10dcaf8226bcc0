//go:build linux && cgo

package main_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/f32"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// single holds the functions of one argument, one call for each number.
var single = []struct {
	name   string
	double func(float64) float64
	short  func(float32) float32
}{
	{"exp", crmath.Exp, f32.Exp},
	{"exp2", crmath.Exp2, f32.Exp2},
	{"exp10", crmath.Exp10, f32.Exp10},
	{"expm1", crmath.Expm1, f32.Expm1},
	{"log", crmath.Log, f32.Log},
	{"log2", crmath.Log2, f32.Log2},
	{"log10", crmath.Log10, f32.Log10},
	{"log1p", crmath.Log1p, f32.Log1p},
	{"sin", crmath.Sin, f32.Sin},
	{"cos", crmath.Cos, f32.Cos},
	{"tan", crmath.Tan, f32.Tan},
	{"asin", crmath.Asin, f32.Asin},
	{"acos", crmath.Acos, f32.Acos},
	{"atan", crmath.Atan, f32.Atan},
	{"sinh", crmath.Sinh, f32.Sinh},
	{"cosh", crmath.Cosh, f32.Cosh},
	{"tanh", crmath.Tanh, f32.Tanh},
	{"asinh", crmath.Asinh, f32.Asinh},
	{"acosh", crmath.Acosh, f32.Acosh},
	{"atanh", crmath.Atanh, f32.Atanh},
	{"cbrt", crmath.Cbrt, f32.Cbrt},
	{"exp2m1", crmath.Exp2m1, f32.Exp2m1},
	{"exp10m1", crmath.Exp10m1, f32.Exp10m1},
	{"log2p1", crmath.Log2p1, f32.Log2p1},
	{"log10p1", crmath.Log10p1, f32.Log10p1},
	{"sinpi", crmath.Sinpi, f32.Sinpi},
	{"cospi", crmath.Cospi, f32.Cospi},
	{"tanpi", crmath.Tanpi, f32.Tanpi},
	{"asinpi", crmath.Asinpi, f32.Asinpi},
	{"acospi", crmath.Acospi, f32.Acospi},
	{"atanpi", crmath.Atanpi, f32.Atanpi},
	{"rsqrt", crmath.Rsqrt, f32.Rsqrt},
	{"erf", crmath.Erf, f32.Erf},
	{"erfc", crmath.Erfc, f32.Erfc},
	{"gamma", crmath.Gamma, f32.Gamma},
}

// valuesOfEach is the number of arguments of a function in a format: 10^7 in
// all.
const valuesOfEach = 143_000

// TestValues compares what lastbit.math returns for ten million numbers with
// crmath's single calls.
func TestValues(t *testing.T) {
	require.Program(t, "gcc")
	python := pyenv.Python(t)
	dir := t.TempDir()
	library := filepath.Join(dir, "liblastbit.so")
	build(t, "-buildmode=c-shared", "-o", library, ".")
	want := map[string]string{}
	var names []string
	rng := rand.New(rand.NewPCG(31, 7))
	for _, f := range single {
		names = append(names, f.name)
		double, short := sha256.New(), sha256.New()
		x, y := make([]byte, 0, 8*valuesOfEach), make([]byte, 0, 4*valuesOfEach)
		for range valuesOfEach {
			v := argument(rng)
			x = binary.LittleEndian.AppendUint64(x, math.Float64bits(v))
			y = binary.LittleEndian.AppendUint32(y, math.Float32bits(float32(v)))
			r, s := f.double(v), f.short(float32(v))
			if r != r {
				r = math.NaN() // of any bits
			}
			if s != s {
				s = float32(math.NaN())
			}
			fmt.Fprintf(double, "%016x", math.Float64bits(r))
			fmt.Fprintf(short, "%08x", math.Float32bits(s))
		}
		for name, content := range map[string][]byte{"f8": x, "f4": y} {
			path := filepath.Join(dir, f.name+"."+name)
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want[f.name+" f8"] = fmt.Sprintf("%x", double.Sum(nil))
		want[f.name+" f4"] = fmt.Sprintf("%x", short.Sum(nil))
	}
	cmd := exec.CommandContext(t.Context(), python, append([]string{"-c", values}, names...)...)
	cmd.Dir = dir
	root, err := filepath.Abs("../../python")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "PYTHONPATH="+root, "PYTHONDONTWRITEBYTECODE=1",
		"LASTBIT_LIBRARY="+library)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d hashes and not %d: %s", len(lines), len(want), out)
	}
	for _, line := range lines {
		name, hash := line[:strings.LastIndex(line, " ")], line[strings.LastIndex(line, " ")+1:]
		if want[name] != hash {
			t.Errorf("%s: other values than crmath's", name)
		}
	}
}

// argument returns a number of any size, or of a size that most functions have
// results for.
func argument(rng *rand.Rand) float64 {
	switch rng.IntN(4) {
	case 0:
		return math.Float64frombits(rng.Uint64())
	case 1:
		return 2*rng.Float64() - 1
	case 2:
		return float64(float32(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)))
	}
	return math.Ldexp(rng.NormFloat64(), rng.IntN(12)-6)
}

// values prints the hash of each function's results in both formats, NaN as one
// value.
const values = `
import hashlib, sys
import numpy
import lastbit
numpy.seterr(all="ignore")
assert {*sys.argv[1:], "pow", "atan2", "hypot"} == set(lastbit.math.__all__)
for name in sys.argv[1:]:
    for kind in ["f8", "f4"]:
        x = numpy.fromfile(name + "." + kind, "<" + kind)
        y = getattr(lastbit.math, name)(x)
        assert y.dtype == x.dtype and y.shape == x.shape
        y[numpy.isnan(y)] = numpy.array({"f8": 0x7FF8000000000001, "f4": 0x7FC00000}[kind],
                                        {"f8": "u8", "f4": "u4"}[kind]).view(kind)
        print(name, kind, hashlib.sha256(y.astype(">" + kind).tobytes().hex().encode()).hexdigest())
`
