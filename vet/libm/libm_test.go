package libm_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/lastbit/lastbit/vet/libm"
)

// TestAnalyzer compares the findings and the fixes with the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), libm.Analyzer, "a", "dotted")
}
