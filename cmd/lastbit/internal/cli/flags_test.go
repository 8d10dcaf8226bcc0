package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMostSummands holds that the memory which is free limits n.
func TestMostSummands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meminfo")
	for text, want := range map[string]int{
		"MemTotal: 99 kB\nMemAvailable:    9000000 kB\n": 10000 << 10,
		"MemAvailable: 5 kB\n":                           1 << 20,
		"MemAvailable: 900000000000 kB\n":                mostN,
		"MemAvailable:":                                  mostN,
		"MemAvailable: much":                             mostN,
		"":                                               mostN,
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := mostSummands(file); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
	if got := mostSummands(filepath.Join(t.TempDir(), "none")); got != mostN {
		t.Errorf("without the file it is %d, not %d", got, mostN)
	}
}
