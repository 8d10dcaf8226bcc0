// Package version holds the version of lastbit: the command's, the Python
// package's and the wheels'. It is the only place.
package version

import "runtime/debug"

// Number is the version, as in PEP 440 and semantic versioning, without a v.
const Number = "0.1.0"

const module = "github.com/lastbit/lastbit"

// Built returns the version of the lastbit in this program, with a v: the
// module's where the build knows it, which a commit has too, and otherwise the
// sources'. Releases are built from sources alone.
func Built() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "v" + Number
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != module {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "v" + Number
}
