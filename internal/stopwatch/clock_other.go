//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package stopwatch

import "time"

// processorTime is not known here.
func processorTime() (time.Duration, bool) { return 0, false }
