package mma

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/emulator"
	"github.com/lastbit/lastbit/internal/require"
)

// TestArm compares the row of Arm's dot products with the instructions BFDOT,
// BFMMLA and BFMOPA as qemu computes them, on random sums of four products with
// subnormals, cancellation and overflow.
func TestArm(t *testing.T) {
	words, err := emulator.Command("arm64", "")
	if err != nil {
		require.Missing(t, err.Error())
	}
	program := filepath.Join(t.TempDir(), "arm")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/arm")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	u, ok := Find("bfdot", fp.BFloat16)
	if !ok {
		t.Fatal("there is no row of BFDOT")
	}
	rng := rand.New(rand.NewPCG(33, 5))
	four := u
	four.Terms = 4
	all := make([]operands, 100_000)
	var in bytes.Buffer
	for i := range all {
		o := draw(rng, four)
		zeros := make([]float64, 4-len(o.x))
		o.x, o.y = append(o.x, zeros...), append(o.y, zeros...)
		all[i] = o
		record := []uint32{pair(o.x[:2]), pair(o.x[2:]), pair(o.y[:2]), pair(o.y[2:]),
			math.Float32bits(float32(o.c))}
		if err := binary.Write(&in, binary.LittleEndian, record); err != nil {
			t.Fatal(err)
		}
	}
	for _, instruction := range []string{"bfdot", "bfmmla", "bfmopa"} {
		cmd := exec.CommandContext(t.Context(), words[0], "-cpu", "max", program, instruction)
		cmd.Stdin = bytes.NewReader(in.Bytes())
		results, err := cmd.Output()
		if err != nil || len(results) != 4*len(all) {
			t.Fatalf("%s: %d bytes, %v", instruction, len(results), err)
		}
		equal(t, u, instruction, all, results)
	}
}
