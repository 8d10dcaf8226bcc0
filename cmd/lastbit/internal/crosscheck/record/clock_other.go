//go:build !(darwin || freebsd || linux || netbsd || openbsd)

package record

import "time"

var began = time.Now()

// clock returns the time since the program began: the processor's time is not
// known here.
func clock() time.Duration { return time.Since(began) }
