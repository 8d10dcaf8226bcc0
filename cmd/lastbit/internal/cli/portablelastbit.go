package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/vet/portable"
)

// released matches the version of a release. A build from a checkout has
// another one.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.?\d+)?$`)

// requiredLastbit returns the lastbit that a rewritten module requires: the
// flag's, this program's, or the source that it was built from.
func requiredLastbit(flag string) (portable.Lastbit, error) {
	switch {
	case strings.HasPrefix(flag, "v") && !isLastbit(flag):
		return portable.Lastbit{Version: flag}, nil
	case flag != "" && isLastbit(flag):
		dir, err := filepath.Abs(flag)
		return portable.Lastbit{Dir: dir}, err
	case flag != "":
		return portable.Lastbit{}, &probe.Fault{
			ID: "portable-lastbit", Thing: "--lastbit " + flag,
			Cause: "it is neither a version nor a folder with the source of lastbit",
			Cure:  "give a version as v1.2.3, or the folder of a checkout",
		}
	}
	if v := builtVersion(); released.MatchString(v) {
		return portable.Lastbit{Version: v}, nil
	}
	_, file, _, _ := runtime.Caller(0)
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if isLastbit(dir) {
			return portable.Lastbit{Dir: dir}, nil
		}
	}
	return portable.Lastbit{}, &probe.Fault{
		ID: "portable-lastbit", Thing: "this build of lastbit",
		Cause: "it is no release, and the source that it was built from is not there",
		Cure:  "name what a rewritten module requires: --lastbit VERSION|DIR",
	}
}

// isLastbit reports whether a folder holds the source of lastbit.
func isLastbit(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module github.com/lastbit/lastbit\n")
}
