package fused

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// A Target is a platform to compile for.
type Target struct {
	OS    string // "" is the current one, or linux where that lacks the processor
	Arch  string
	Level string // of the processor: v3 of amd64/v3; "" is the lowest
}

// A level is the environment variable that chooses the level of a processor,
// and its values. The first is the default of the go command.
type level struct {
	variable string
	values   []string
}

// levels holds the processors that Go compiles for.
var levels = map[string]level{
	"386":      {"GO386", []string{"sse2", "softfloat"}},
	"amd64":    {"GOAMD64", []string{"v1", "v2", "v3", "v4"}},
	"arm":      {"GOARM", []string{"7", "6", "5"}},
	"arm64":    {"GOARM64", arm64Levels()},
	"loong64":  {},
	"mips":     {"GOMIPS", []string{"hardfloat", "softfloat"}},
	"mips64":   {"GOMIPS64", []string{"hardfloat", "softfloat"}},
	"mips64le": {"GOMIPS64", []string{"hardfloat", "softfloat"}},
	"mipsle":   {"GOMIPS", []string{"hardfloat", "softfloat"}},
	"ppc64":    {"GOPPC64", []string{"power8", "power9", "power10"}},
	"ppc64le":  {"GOPPC64", []string{"power8", "power9", "power10"}},
	"riscv64":  {"GORISCV64", []string{"rva20u64", "rva22u64", "rva23u64"}},
	"s390x":    {},
	"wasm":     {},
}

// arm64Levels returns v8.0 to v8.9 and v9.0 to v9.5.
func arm64Levels() []string {
	var all []string
	for _, major := range []struct{ number, last int }{{8, 9}, {9, 5}} {
		for minor := range major.last + 1 {
			all = append(all, fmt.Sprintf("v%d.%d", major.number, minor))
		}
	}
	return all
}

// systems holds, for each operating system, the processors that Go compiles for
// there. Linux has all except wasm.
var systems = map[string][]string{
	"aix":       {"ppc64"},
	"android":   {"386", "amd64", "arm", "arm64"},
	"darwin":    {"amd64", "arm64"},
	"dragonfly": {"amd64"},
	"freebsd":   {"386", "amd64", "arm", "arm64"},
	"illumos":   {"amd64"},
	"ios":       {"amd64", "arm64"},
	"js":        {"wasm"},
	"linux": {"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle",
		"ppc64", "ppc64le", "riscv64", "s390x"},
	"netbsd":  {"386", "amd64", "arm", "arm64"},
	"openbsd": {"386", "amd64", "arm", "arm64", "ppc64", "riscv64"},
	"plan9":   {"386", "amd64", "arm"},
	"solaris": {"amd64"},
	"wasip1":  {"wasm"},
	"windows": {"386", "amd64", "arm64"},
}

// A TargetError is a target that Go does not compile for.
type TargetError struct {
	Name  string
	Known []string // values in the place of the unknown one
	What  string   // the unknown part
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("fused: unknown target %q: %s; known are %s", e.Name, e.What,
		strings.Join(e.Known, ", "))
}

// ParseTarget parses a target: a processor (arm64), with an operating system
// before it (linux/arm64), its level after it (amd64/v3), or both.
func ParseTarget(name string) (Target, error) {
	parts := strings.Split(name, "/")
	var t Target
	if _, ok := systems[parts[0]]; ok && len(parts) > 1 {
		t.OS, parts = parts[0], parts[1:]
	}
	t.Arch = parts[0]
	l, ok := levels[t.Arch]
	if !ok {
		return Target{}, &TargetError{name, slices.Sorted(maps.Keys(levels)),
			fmt.Sprintf("no processor is called %q", t.Arch)}
	}
	if t.OS != "" && !slices.Contains(systems[t.OS], t.Arch) {
		return Target{}, &TargetError{name, systems[t.OS], "no " + t.Arch + " on " + t.OS}
	}
	switch {
	case len(parts) == 1:
	case len(parts) == 2 && slices.Contains(l.values, parts[1]):
		t.Level = parts[1]
	default:
		known := []string{t.Arch}
		for _, v := range l.values {
			known = append(known, t.Arch+"/"+v)
		}
		return Target{}, &TargetError{name, known,
			fmt.Sprintf("no level of %s is called %q", t.Arch, strings.Join(parts[1:], "/"))}
	}
	return t, nil
}

// String returns the target as ParseTarget reads it.
func (t Target) String() string {
	s := t.Arch
	if t.OS != "" {
		s = t.OS + "/" + s
	}
	if t.Level != "" {
		s += "/" + t.Level
	}
	return s
}

// Environment returns the variables of the go command that choose the target.
func (t Target) Environment() []string {
	os := t.OS
	if os == "" {
		os = runtime.GOOS
		if !slices.Contains(systems[os], t.Arch) {
			os = "linux"
		}
		if t.Arch == "wasm" {
			os = "js"
		}
	}
	env := []string{"GOOS=" + os, "GOARCH=" + t.Arch}
	if l := levels[t.Arch]; l.variable != "" {
		value := t.Level
		if value == "" {
			value = l.values[0]
		}
		env = append(env, l.variable+"="+value)
	}
	return env
}
