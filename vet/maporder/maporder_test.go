package maporder_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/lastbit/lastbit/vet/maporder"
)

// TestAnalyzer compares the findings with the comments of the test files.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), maporder.Analyzer, "a", "random", "returned",
		"seeded")
}
