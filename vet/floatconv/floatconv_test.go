package floatconv_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/lastbit/lastbit/vet/floatconv"
)

// TestAnalyzer compares the findings with the comments of the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), floatconv.Analyzer, "a")
}

// TestStrict does the same for the analyzer that takes no comparison for a
// bound.
func TestStrict(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), floatconv.Strict, "strict")
}
