package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// moduleFault returns the fault of packages that the go command does not find
// because no module holds the working folder, or nil. cause is its answer.
func moduleFault(id, thing, cause string) *probe.Fault {
	answered := func(words string) bool { return strings.Contains(cause, words) }
	answers := []string{"go.mod file not found", "not contain main module", "no package matches"}
	if !slices.ContainsFunc(answers, answered) || inModule() {
		return nil
	}
	return &probe.Fault{ID: id, Thing: thing,
		Cause: "neither this folder nor one above it has a go.mod",
		Cure:  "run lastbit in the folder of the package's module, or make one with go mod init"}
}

// inModule reports whether a module or a workspace holds the working folder.
func inModule() bool {
	folder, err := os.Getwd()
	if err != nil {
		return true
	}
	for {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				return true
			}
		}
		above := filepath.Dir(folder)
		if above == folder {
			return false
		}
		folder = above
	}
}
