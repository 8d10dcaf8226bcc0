package cli

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	code, stdout, stderr := runLine(t, "version", "--json")
	if code != same || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"version": moduleVersion(), "go": runtime.Version(),
		"os": runtime.GOOS, "arch": runtime.GOARCH,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, not %v", key, got[key], want)
		}
	}
	if _, ok := got["modified"].(bool); !ok {
		t.Errorf("modified is %v", got["modified"])
	}
	if _, ok := got["features"].([]any); !ok {
		t.Errorf("features are %v", got["features"])
	}
	if level, ok := got["level"].(string); runtime.GOARCH == "amd64" && (!ok || level[0] != 'v') {
		t.Errorf("the level of amd64 is %v", got["level"])
	}
}

// TestVersionFlag checks that the flag and the first line of the verb agree.
func TestVersionFlag(t *testing.T) {
	_, flag, _ := runLine(t, "--version")
	_, verb, _ := runLine(t, "version")
	first, _, _ := strings.Cut(verb, "\n")
	want := "lastbit " + moduleVersion()
	if strings.TrimSpace(flag) != want || first != want {
		t.Errorf("%q and %q, not %q", flag, first, want)
	}
}

func TestWriteVersion(t *testing.T) {
	b := build{
		Version: "v1.2.3", Go: "go1.26.0", OS: "linux", Arch: "amd64", Level: "v3",
		Revision: "abc", Time: "2026-01-02T03:04:05Z", Modified: true,
		Features: []string{"avx", "fma"},
	}
	want := `lastbit v1.2.3
built with go1.26.0 for linux/amd64 v3
from revision abc of 2026-01-02T03:04:05Z, modified
processor features: avx fma
`
	var w bytes.Buffer
	if b.write(&w); w.String() != want {
		t.Errorf("%q, not %q", w.String(), want)
	}
}
