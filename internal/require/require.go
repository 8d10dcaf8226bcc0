// Package require ends tests that need something the machine lacks.
package require

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Missing ends the test because this machine lacks something it needs: as a
// skip with one line or, under LASTBIT_REQUIRE=all, as a failure.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("LASTBIT_REQUIRE") == "all" {
		t.Fatalf("LASTBIT_REQUIRE=all, and this machine lacks %s (make deps installs it)", what)
	}
	t.Skipf("this machine lacks %s (make deps installs it)", what)
}

// Long ends a test that takes minutes of a processor, most of them to compile,
// unless LASTBIT_REQUIRE=all: as a skip with one line.
func Long(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("LASTBIT_REQUIRE") != "all" {
		t.Skipf("%s takes minutes: LASTBIT_REQUIRE=all runs it", what)
	}
}

// Extension ends the test as a skip if this processor lacks an extension, by
// its name in /proc/cpuinfo, such as avx512_fp16. LASTBIT_REQUIRE=all makes no
// failure of it: no tool brings one.
func Extension(t testing.TB, name string) {
	t.Helper()
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !slices.Contains(strings.Fields(string(info)), name) {
		t.Skipf("this processor lacks %s", name)
	}
}

// Program returns the path of a program, or ends the test by Missing.
func Program(t testing.TB, name string) string {
	t.Helper()
	p, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name)
	}
	return p
}
