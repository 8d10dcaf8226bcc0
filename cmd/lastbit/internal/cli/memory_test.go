package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMaxSummands checks that free memory limits n.
func TestMaxSummands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meminfo")
	for text, want := range map[string]int{
		"MemTotal: 99 kB\nMemAvailable:    9000000 kB\n": 10000 << 10,
		"MemAvailable: 5 kB\n":                           1 << 20,
		"MemAvailable: 900000000000 kB\n":                maxN,
		"MemAvailable:":                                  maxN,
		"MemAvailable: much":                             maxN,
		"":                                               maxN,
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := maxSummands(file); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
	if got := maxSummands(filepath.Join(t.TempDir(), "none")); got != maxN {
		t.Errorf("without the file it is %d, not %d", got, maxN)
	}
}
