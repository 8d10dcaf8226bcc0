package cli

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), nil, &stdout, &stderr, []string{"version", "--json"}); code != same || stderr.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, stderr.String())
	}
	var got map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"version": moduleVersion(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
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

// TestVersionFlag holds that the flag and the first line of the verb agree.
func TestVersionFlag(t *testing.T) {
	var flag, verb, stderr bytes.Buffer
	Run(t.Context(), nil, &flag, &stderr, []string{"--version"})
	Run(t.Context(), nil, &verb, &stderr, []string{"version"})
	first, _, _ := strings.Cut(verb.String(), "\n")
	if want := "lastbit " + moduleVersion(); strings.TrimSpace(flag.String()) != want || first != want {
		t.Errorf("%q and %q, not %q", flag.String(), first, want)
	}
}

func TestWriteVersion(t *testing.T) {
	b := build{
		Version: "v1.2.3", Go: "go1.26.0", OS: "linux", Arch: "amd64", Level: "v3",
		Revision: "abc", Time: "2026-01-02T03:04:05Z", Modified: true, Features: []string{"avx", "fma"},
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
