package libm

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/lastbit/lastbit/fp"
)

// Golden returns the hash of the right results of a format's functions at their
// fixed arguments, by HashOfAll. Many of the results were compared with MPFR's,
// and their hash is the same on eight architectures. If the arguments change,
// fingerprints that were kept become useless: the version of files has to
// change with this.
func Golden(format fp.Format) string {
	if format == fp.Binary32 {
		return "5bc50ea23abc956baa4ca2d3e29ceb7679c7bdc10d8787d726e783a49f9fdfe1"
	}
	return "37078882ed050edfa5e7ff035104d3d6398990154486bc6558e0273b273bf6ca"
}

// HashOfAll returns the hash of the hashes of functions, in their order.
func HashOfAll(prints []*Print) string {
	all := sha256.New()
	for _, p := range prints {
		all.Write([]byte(p.Hash))
	}
	return hex.EncodeToString(all.Sum(nil))
}
