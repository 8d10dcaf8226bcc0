//go:build !unix

package wire

import (
	"io"
	"os"
)

// stdio leaves the descriptors where they are.
func stdio() (io.Reader, io.Writer, error) { return os.Stdin, os.Stdout, nil }
