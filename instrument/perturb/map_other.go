//go:build !unix

package perturb

import (
	"errors"
	"os"
)

// mapFile fails: without shared memory there is no profile.
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
