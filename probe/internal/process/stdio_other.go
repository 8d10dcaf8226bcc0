//go:build !unix

package process

import (
	"io"
	"os"
)

// Stdio returns standard input and output. Descriptors cannot be moved here.
func Stdio() (io.Reader, io.Writer, error) { return os.Stdin, os.Stdout, nil }
