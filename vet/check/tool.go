package check

import (
	"flag"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// ServeGoVet answers the go command, which starts the tool of go vet -vettool
// with -V=full, with -flags, or with flags and the description of a package. It
// returns if the arguments are others, and ends the process otherwise.
func ServeGoVet(args []string, analyzers []*analysis.Analyzer) {
	if len(args) == 0 {
		return
	}
	isPackage := strings.HasSuffix(args[len(args)-1], "vet.cfg")
	if args[0] != "-V=full" && args[0] != "-flags" && !isPackage {
		return
	}
	flag.String(rootsFlag, "", "a hash of the packages that are asked for")
	os.Args = append(os.Args[:1:1], args...)
	unitchecker.Main(analyzers...)
}
