package explainfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
)

// TestEmptyCell names no flag that explain lacks.
func TestEmptyCell(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(name, []byte("x\n1\nNA\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Read(t.Context(), Place{File: name}, dataset.Options{})
	if err == nil || !strings.Contains(err.Error(), "fill it") ||
		strings.Contains(err.Error(), "--skip-empty") {
		t.Error(err)
	}
}
