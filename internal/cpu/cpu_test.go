//go:build linux && amd64 && !purego

package cpu

import (
	"os"
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
	if want := has("avx2", "fma"); AVX2 != want {
		t.Errorf("AVX2 = %v; the kernel reports %v", AVX2, want)
	}
	if want := has("avx2", "fma", "avx512f", "avx512vl", "avx512dq", "avx512bw"); AVX512 != want {
		t.Errorf("AVX512 = %v; the kernel reports %v", AVX512, want)
	}
	if want := AVX512 && has("avx512_vnni"); VNNI != want {
		t.Errorf("VNNI = %v; the kernel reports %v", VNNI, want)
	}
}
