//go:build !linux

package wire

import (
	"errors"
	"os"
)

// shared is memory that both processes see; here there is none, and everything
// goes through the pipes.
type shared struct {
	file *os.File
	mem  []byte
}

func newShared(int) (*shared, error) { return nil, errors.ErrUnsupported }

func openShared(string, int) (*shared, error) { return nil, errors.ErrUnsupported }

func (s *shared) path(bool) string { return "" }

func (s *shared) close() {}
