package exact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// fsum reads arrays, each after its length, and prints the hexadecimal form of
// math.fsum of each.
const fsum = `
import math, struct, sys
data = sys.stdin.buffer
while head := data.read(8):
    n, = struct.unpack('<q', head)
    x = struct.unpack('<%dd' % n, data.read(8 * n))
    try:
        print(math.fsum(x).hex())
    except (OverflowError, ValueError) as e:
        print(type(e).__name__)
`

// TestFsum holds Sum against Python's math.fsum.
func TestFsum(t *testing.T) {
	python := require.Program(t, "python3")
	rng := rand.New(rand.NewPCG(1, 2))
	var in bytes.Buffer
	var sums []string
	for i := range 4000 {
		d := distributions[i%len(distributions)]
		n := rng.IntN(301)
		if i%400 == 0 {
			n = 50_000
		}
		x := d.draw(rng, n)
		_ = binary.Write(&in, binary.LittleEndian, int64(n))
		_ = binary.Write(&in, binary.LittleEndian, x)
		sums = append(sums, pythonHex(Sum(x)))
	}
	cmd := exec.Command(python, "-c", fsum)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(sums) {
		t.Fatalf("Python summed %d arrays of %d", len(lines), len(sums))
	}
	compared := 0
	for i, want := range lines {
		name, got := distributions[i%len(distributions)].name, sums[i]
		if want == "OverflowError" {
			continue // fsum's own partial sums overflow
		}
		if got == "-0x0.0p+0" {
			got = "0x0.0p+0" // fsum's sum of zeros of any sign
		}
		if got != want {
			t.Errorf("%s, array %d: Sum gives %s, math.fsum %s", name, i, got, want)
		}
		compared++
	}
	if compared < 3700 {
		t.Errorf("only %d sums were compared", compared)
	}
}

// pythonHex is Python's float.hex.
func pythonHex(v float64) string {
	b := math.Float64bits(v)
	sign, e, m := "", int(b>>52&0x7ff), b&(1<<52-1)
	if b>>63 != 0 {
		sign = "-"
	}
	switch {
	case e == 0x7ff && m != 0:
		return "nan"
	case e == 0x7ff:
		return sign + "inf"
	case e == 0 && m == 0:
		return sign + "0x0.0p+0"
	case e == 0:
		return fmt.Sprintf("%s0x0.%013xp-1022", sign, m)
	}
	return fmt.Sprintf("%s0x1.%013xp%+d", sign, m, e-1023)
}
