//go:build linux && amd64 && !purego

package cpu

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDetect compares the features with those that Linux found.
func TestDetect(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	_, flags, _ := strings.Cut(string(info), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	has := func(names ...string) bool {
		for _, n := range names {
			if !strings.Contains(flags+" ", " "+n+" ") {
				return false
			}
		}
		return true
	}
	debug := os.Getenv("GODEBUG")
	double := has("avx2", "fma") && !isOff(debug, "avx", "avx2", "fma")
	if AVX2 != double {
		t.Errorf("AVX2 = %v; the kernel and GODEBUG report %v", AVX2, double)
	}
	quad := double && has("avx512f", "avx512vl", "avx512dq", "avx512bw") &&
		!isOff(debug, "avx512f", "avx512bw", "avx512dq", "avx512vl")
	t.Logf("AVX2 %v, AVX-512 %v", AVX2, AVX512)
	if AVX512 != quad {
		t.Errorf("AVX512 = %v; the kernel and GODEBUG report %v", AVX512, quad)
	}
	if want := quad && has("avx512_vnni") && !isOff(debug, "avx512vnni"); VNNI != want {
		t.Errorf("VNNI = %v; the kernel and GODEBUG report %v", VNNI, want)
	}
}

// TestGODEBUG runs TestDetect in processes that leave features out.
func TestGODEBUG(t *testing.T) {
	for _, c := range []struct {
		godebug      string
		avx2, avx512 bool
	}{
		{"", AVX2, AVX512},
		{"cpu.avx512f=off", AVX2, false},
		{"madvdontneed=1,cpu.avx512vl=off", AVX2, false},
		{"cpu.avx2=off", false, false},
		{"cpu.fma=off,cpu.avx512f=on", false, false},
		{"cpu.all=off", false, false},
		{"cpu.sha=off", AVX2, AVX512},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDetect$", "-test.v")
		godebug := strings.Trim(os.Getenv("GODEBUG")+","+c.godebug, ",")
		cmd.Env = append(os.Environ(), "GODEBUG="+godebug)
		out, err := cmd.CombinedOutput()
		want := fmt.Sprintf("AVX2 %v, AVX-512 %v", c.avx2, c.avx512)
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("GODEBUG=%s: %v, want %s\n%s", godebug, err, want, out)
		}
	}
}
