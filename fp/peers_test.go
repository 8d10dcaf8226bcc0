package fp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
)

// convert reads float32 values, and for each type named by an argument
// (library.type:bits) writes the encodings that the values convert to, and then
// the values of all encodings.
const convert = `
import sys, numpy, warnings, importlib
warnings.simplefilter("ignore")
x = numpy.frombuffer(sys.stdin.buffer.read(), dtype=numpy.float32)
for argument in sys.argv[1:]:
    name, bits = argument.split(":")
    library, name = name.split(".")
    kind = getattr(importlib.import_module(library), name)
    codes = numpy.arange(2**int(bits), dtype=numpy.uint8)
    if library == "torch":
        import torch
        encoded = torch.tensor(x).to(kind).view(torch.uint8).numpy()
        values = torch.tensor(codes).view(kind).to(torch.float32).numpy()
    else:
        encoded, values = x.astype(kind).view(numpy.uint8), codes.view(kind).astype(numpy.float32)
    sys.stdout.buffer.write(encoded.tobytes() + values.tobytes())
`

// peer is a type of a Python library, and where it differs on purpose.
type peer struct {
	library, name string
	format        fp.Format
	saturates     bool // PyTorch's conversion to E4M3FN
	dropsSign     bool // PyTorch's conversion to E8M0 has no sign, and makes Smallest of zero
	nanIsZero     bool // ml_dtypes makes −0 of NaN, and 0 of a negative one, in formats without

}

var peers = []peer{
	{library: "ml_dtypes", name: "float8_e5m2", format: fp.E5M2},
	{library: "ml_dtypes", name: "float8_e4m3fn", format: fp.E4M3FN},
	{library: "ml_dtypes", name: "float8_e4m3fnuz", format: fp.E4M3FNUZ},
	{library: "ml_dtypes", name: "float8_e5m2fnuz", format: fp.E5M2FNUZ},
	{library: "ml_dtypes", name: "float6_e3m2fn", format: fp.E3M2, nanIsZero: true},
	{library: "ml_dtypes", name: "float6_e2m3fn", format: fp.E2M3, nanIsZero: true},
	{library: "ml_dtypes", name: "float4_e2m1fn", format: fp.E2M1, nanIsZero: true},
	{library: "ml_dtypes", name: "float8_e8m0fnu", format: fp.E8M0},
	{library: "torch", name: "float8_e5m2", format: fp.E5M2},
	{library: "torch", name: "float8_e4m3fn", format: fp.E4M3FN, saturates: true},
	{library: "torch", name: "float8_e4m3fnuz", format: fp.E4M3FNUZ},
	{library: "torch", name: "float8_e5m2fnuz", format: fp.E5M2FNUZ},
	{library: "torch", name: "float8_e8m0fnu", format: fp.E8M0, dropsSign: true},
}

// inputs returns float32 values: all values of the short formats, all points
// halfway between two, the float32 values next to them, and random bits.
func inputs() []float32 {
	rng := rand.New(rand.NewPCG(8, 6))
	var all []float32
	add := func(v float32) {
		for _, x := range []float32{v, math.Nextafter32(v, 0), math.Nextafter32(v, v*2)} {
			all = append(all, x, -x)
		}
	}
	for _, f := range fp.Formats() {
		if f.Width() > 8 {
			continue
		}
		before := 0.0
		for code := range uint64(1) << f.Width() {
			if v := f.FromBits(code); v > 0 && v-v == 0 {
				add(float32(v))
				add(float32((before + v) / 2))
				before = v
			}
		}
		add(float32(f.Max() + f.ULP(f.Max())/2))
	}
	add(0)
	inf := float32(math.Inf(1))
	all = append(all, inf, -inf, float32(math.NaN()))
	for range 200_000 {
		all = append(all, math.Float32frombits(rng.Uint32()))
		all = append(all, float32(rng.NormFloat64()*math.Ldexp(1, rng.IntN(40)-20)))
	}
	return all
}

// expected returns the encoding of a float32 in the library.
func (p peer) expected(x float32) uint64 {
	v := float64(x)
	switch {
	case x != x && p.nanIsZero:
		v = 0
		if !math.Signbit(float64(x)) {
			v = math.Copysign(0, -1)
		}
	case p.saturates:
		v = p.format.RoundSaturated(v, fp.NearestEven)
	case p.dropsSign:
		v = max(math.Abs(v), p.format.Smallest())
	}
	// Both libraries round a subnormal float32 to E8M0 as if 2^-127 were
	// halfway between two values, and not one.
	if p.format == fp.E8M0 && v > 0x1p-127 && v < 0x1.8p-127 {
		v = 0x1p-126
	}
	return p.format.Bits(v)
}

// TestPeers compares conversions from float32, and the values of all encodings,
// with ml_dtypes and PyTorch.
func TestPeers(t *testing.T) {
	python := pyenv.Python(t)
	var in bytes.Buffer
	x := inputs()
	if err := binary.Write(&in, binary.NativeEndian, x); err != nil {
		t.Fatal(err)
	}
	args := []string{"-c", convert}
	for _, p := range peers {
		args = append(args, fmt.Sprintf("%s.%s:%d", p.library, p.name, p.format.Width()))
	}
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range peers {
		t.Run(p.library+"."+p.name, func(t *testing.T) {
			size := len(x) + 4<<p.format.Width()
			if len(out) < size {
				t.Fatalf("%d bytes, want %d", len(out), size)
			}
			p.compare(t, x, out[:len(x)], out[len(x):size])
			out = out[size:]
		})
	}
}

// compare compares the library's encodings of x, and its values of all
// encodings.
func (p peer) compare(t *testing.T, x []float32, encoded, values []byte) {
	for i, v := range x {
		if got, want := p.expected(v), uint64(encoded[i]); got != want && !p.bothNaN(got, want) {
			t.Fatalf("%x: %#x, want %#x", v, got, want)
		}
	}
	for code := range len(values) / 4 {
		want := math.Float32frombits(binary.NativeEndian.Uint32(values[4*code:]))
		got := p.format.FromBits(uint64(code))
		same := math.Float32bits(float32(got)) == math.Float32bits(want)
		if !same && (got == got || want == want) {
			t.Errorf("%#x: %v, want %v", code, got, want)
		}
	}
}

// bothNaN reports whether both encodings are NaNs: payloads are not defined.
func (p peer) bothNaN(a, b uint64) bool {
	return math.IsNaN(p.format.FromBits(a)) && math.IsNaN(p.format.FromBits(b))
}
