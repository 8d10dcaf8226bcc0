package wire

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

func TestCodec(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		var x []float64
		if f.Bytes() == 2 {
			for b := range uint64(1 << 16) {
				x = append(x, f.FromBits(b))
			}
		}
		for range 10000 {
			x = append(x, f.FromBits(rng.Uint64()))
			x = append(x, math.Float64frombits(rng.Uint64()),
				math.Ldexp(rng.NormFloat64(), rng.IntN(60)-40),
				rng.NormFloat64()) // rounded on the way
		}
		buf := make([]byte, f.Bytes()*len(x))
		Encode(f, buf, x)
		got := make([]float64, len(x))
		Decode(f, got, buf)
		for i, v := range x {
			want := f.Round(v, fp.NearestEven)
			if math.Float64bits(want) != math.Float64bits(got[i]) &&
				!(want != want && got[i] != got[i]) {
				t.Fatalf("%s: %x became %x, want %x", f, v, got[i], want)
			}
		}
	}
}

func TestEscape(t *testing.T) {
	var all strings.Builder
	for b := range 256 {
		all.WriteByte(byte(b))
	}
	for _, s := range []string{"", "plain", "a b=c%d\ne", "Höhe", all.String()} {
		line := formatLine("ok", []Field{{"k", s}})
		if strings.Count(line, "\n") != 1 {
			t.Errorf("%q is not one line", line)
		}
		words := strings.Fields(line)
		fs, err := parseFields(words[1:])
		if err != nil || len(fs) != 1 || fs[0].Value != s {
			t.Errorf("%q came back as %q, %v", s, fs, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		b.Run("format="+f.String(), func(b *testing.B) {
			x := make([]float64, 1<<16)
			for i := range x {
				x[i] = f.Round(float64(i%97)*0.37, fp.NearestEven)
			}
			buf := make([]byte, f.Bytes()*len(x))
			b.SetBytes(int64(8 * len(x)))
			for b.Loop() {
				Encode(f, buf, x)
				Decode(f, x, buf)
			}
		})
	}
}

// TestUnknownFormats refuses formats that no array of the protocol holds, in
// both directions.
func TestUnknownFormats(t *testing.T) {
	for _, f := range fp.Formats() {
		held := f <= fp.BFloat16
		for _, name := range []string{"dtype", "acc"} {
			var key probe.Key
			var lanes int
			if _, err := setHello(&key, &lanes, Field{name, f.String()}); (err == nil) != held {
				t.Errorf("%s=%v: %v", name, f, err)
			}
		}
		var a answer
		if err := a.set(Field{"out", f.String()}); (err == nil) != held {
			t.Errorf("out=%v: %v", f, err)
		}
	}
}

// TestEncodeMany compares values that several goroutines encode with those that
// one does.
func TestEncodeMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := make([]float64, 2*manyValues+17)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		one, many := make([]byte, len(x)*f.Bytes()), make([]byte, len(x)*f.Bytes())
		Encode(f, one, x)
		encodeMany(f, many, x)
		if !bytes.Equal(one, many) {
			t.Errorf("%s: other bytes", f)
		}
	}
}
