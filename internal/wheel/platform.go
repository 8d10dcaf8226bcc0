package wheel

import (
	"fmt"
	"runtime"
	"slices"
)

// A Platform is one that there are wheels for.
type Platform struct {
	OS, Arch string // Go's names
	Static   bool   // a Linux without glibc: the command does not load libraries
}

// Platforms returns all of them.
func Platforms() []Platform {
	return []Platform{
		{OS: "linux", Arch: "amd64"},
		{OS: "linux", Arch: "arm64"},
		{OS: "linux", Arch: "amd64", Static: true},
		{OS: "linux", Arch: "arm64", Static: true},
		{OS: "darwin", Arch: "amd64"},
		{OS: "darwin", Arch: "arm64"},
		{OS: "windows", Arch: "amd64"},
		{OS: "windows", Arch: "arm64"},
	}
}

// Named returns the platforms with some names, or all without any.
func Named(names []string) ([]Platform, error) {
	all := Platforms()
	if len(names) == 0 {
		return all, nil
	}
	var some []Platform
	for _, name := range names {
		i := slices.IndexFunc(all, func(p Platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: the platforms are %v", name, all)
		}
		some = append(some, all[i])
	}
	return some, nil
}

// String returns the name of a platform: linux/amd64, or linux/amd64/static.
func (p Platform) String() string {
	if p.Static {
		return p.OS + "/" + p.Arch + "/static"
	}
	return p.OS + "/" + p.Arch
}

// Program returns the file name of a program on the platform.
func (p Platform) Program(name string) string {
	if p.OS == "windows" {
		return name + ".exe"
	}
	return name
}

// isHost reports whether this process runs on the platform.
func (p Platform) isHost() bool { return p.OS == runtime.GOOS && p.Arch == runtime.GOARCH }

// oldestGlibc is the version, 2.x, that the library is compiled for.
const oldestGlibc = 17

// machine returns Python's name of the processor.
func (p Platform) machine() string {
	switch {
	case p.OS == "windows":
		return p.Arch
	case p.Arch == "amd64":
		return "x86_64"
	case p.OS == "darwin":
		return "arm64"
	}
	return "aarch64"
}

// tags returns the tags of a wheel whose files need glibc 2.minor.
func (p Platform) tags(minor int) []string {
	m := p.machine()
	switch {
	case p.OS == "windows":
		return []string{"win_" + m}
	case p.OS == "darwin":
		return []string{"macosx_12_0_" + m} // the oldest that Go 1.26 runs on
	case p.Static:
		return []string{"musllinux_1_1_" + m}
	case minor <= oldestGlibc:
		return []string{fmt.Sprintf("manylinux_2_%d_%s", oldestGlibc, m), "manylinux2014_" + m}
	}
	return []string{fmt.Sprintf("manylinux_2_%d_%s", minor, m)}
}
