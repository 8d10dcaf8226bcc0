package nankey_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/lastbit/lastbit/vet/nankey"
)

// TestAnalyzer compares the findings with the comments of the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nankey.Analyzer, "a")
}

// TestStrict does so for the analyzer that reports every sign.
func TestStrict(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nankey.Strict, "strict")
}

// TestKeys does so with the flag that reports keys.
func TestKeys(t *testing.T) {
	set := func(value string) {
		if err := nankey.Analyzer.Flags.Set(nankey.Keys, value); err != nil {
			t.Fatal(err)
		}
	}
	set("true")
	defer set("false")
	analysistest.Run(t, analysistest.TestData(), nankey.Analyzer, "b")
}
