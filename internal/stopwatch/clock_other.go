//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package stopwatch

import "time"

// processorTime is not known here.
func processorTime() (time.Duration, bool) { return 0, false }

// threadTime is not known here either.
func threadTime() (time.Duration, bool) { return 0, false }
