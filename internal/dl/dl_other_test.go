//go:build faketime || static || !((linux && !android && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64)))

package dl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/dl"
)

func TestUnsupported(t *testing.T) {
	_, err := dl.Open("libm.so.6")
	if !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), "cannot be loaded on") {
		t.Errorf("got %v", err)
	}
}
