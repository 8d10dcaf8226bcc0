package crosscheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/emulator"
	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/vet/fused"
)

// A platform is a target and the words that run its programs.
type platform struct {
	target fused.Target
	name   string
	words  []string // before the path of a program; none on this processor
	why    string   // it cannot run here, and what to do
}

// DefaultTargets returns the platforms that are compared with this one.
func DefaultTargets() []fused.Target {
	return []fused.Target{{Arch: "amd64"}, {Arch: "amd64", Level: "v3"}, {Arch: "arm64"},
		{Arch: "s390x"}, {Arch: "riscv64"}, {Arch: "ppc64le"}, {Arch: "wasm"}}
}

// host returns this machine, with the lowest level of its processor.
func host() platform {
	t := fused.Target{OS: runtime.GOOS, Arch: runtime.GOARCH}
	return platform{target: t, name: t.String()}
}

// platforms returns the targets, with this machine at the head.
func platforms(targets []fused.Target, goroot string) []platform {
	all := []platform{host()}
	for _, t := range targets {
		if t.Level == "" && t.Arch == runtime.GOARCH && (t.OS == "" || t.OS == runtime.GOOS) {
			continue
		}
		all = append(all, newPlatform(t, goroot))
	}
	return all
}

// newPlatform finds out how a target's programs run here.
func newPlatform(t fused.Target, goroot string) platform {
	p := platform{target: t, name: t.String()}
	native := t.Arch == runtime.GOARCH && (t.OS == "" || t.OS == runtime.GOOS)
	switch {
	case native && t.Arch == "amd64":
		if flag := missingFlag(t.Level); flag != "" {
			p.why = "this processor has no " + flag
		}
		return p
	case native:
		return p
	case t.Arch == "wasm" && (t.OS == "" || t.OS == "js"):
		p.target.OS = "js"
	case t.Arch == "wasm", t.OS != "" && t.OS != "linux":
		p.why = "programs for " + t.OS + " run there only"
		return p
	case runtime.GOOS != "linux":
		p.why = "qemu runs programs on Linux only"
		return p
	default:
		p.target.OS = "linux"
	}
	var err error
	p.words, err = emulator.Command(t.Arch, goroot)
	var missing *emulator.MissingError
	switch {
	case errors.As(err, &missing):
		p.why = fmt.Sprintf("%s is missing: apt-get install %s", missing.Program, missing.Package)
	case err != nil:
		p.why = "there is no emulator for it"
	}
	return p
}

// flagsOf holds, for the levels of amd64, flags of Linux that come with them.
var flagsOf = map[string][]string{
	"v2": {"sse4_2", "popcnt"},
	"v3": {"sse4_2", "popcnt", "avx2", "fma", "bmi2"},
	"v4": {"sse4_2", "popcnt", "avx2", "fma", "bmi2", "avx512f", "avx512vl"},
}

// missingFlag returns an instruction set that a level needs and this processor
// lacks, as far as Linux lists them.
func missingFlag(level string) string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	_, flags, _ := strings.Cut(string(info), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	has := strings.Fields(flags)
	for _, f := range flagsOf[level] {
		if !slices.Contains(has, f) {
			return f
		}
	}
	return ""
}

// environment returns the environment of the go command.
func (p platform) environment(ctx context.Context) []string {
	return append(append(gocommand.Environ(ctx), "CGO_ENABLED=0"), p.target.Environment()...)
}
