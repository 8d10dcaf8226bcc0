//go:build !linux

package preload

import (
	"context"
	"io"
)

// Run returns the error of a platform without the dynamic loader of Linux.
func Run(context.Context, string, []string, io.Reader, io.Writer, io.Writer) (
	code int, report *Report, err error,
) {
	return 0, nil, badPlatform()
}
