//go:build !unix

package perturb

import (
	"errors"
	"os"
)

// mapFile fails: a profile needs shared memory.
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
