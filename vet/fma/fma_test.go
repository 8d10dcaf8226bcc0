package fma_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/lastbit/lastbit/vet/fma"
)

// TestAnalyzer compares the findings and the fixes with the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), fma.Analyzer, "a", "b", "inline",
		"rounding", "exact", "folded", "unsigned")
}
