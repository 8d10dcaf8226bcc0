package libm

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Machine holds the properties that may affect results, besides the versions
// of libraries.
type Machine struct {
	Platform string   `json:"platform"`           // linux/amd64 v1
	CPU      string   `json:"cpu"`                // its name, or "" where the system has none
	Settings []string `json:"settings,omitempty"` // of the environment, that choose code by the CPU
}

// ThisMachine returns the machine that this runs on.
func ThisMachine() Machine {
	m := Machine{Platform: runtime.GOOS + "/" + runtime.GOARCH, CPU: cpuName()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
				m.Platform += " " + s.Value
			}
		}
	}
	for _, name := range settings {
		if value := os.Getenv(name); value != "" {
			m.Settings = append(m.Settings, name+"="+value)
		}
	}
	return m
}

// settings are the variables of the environment that choose code by the CPU.
var settings = []string{
	"GODEBUG", "GLIBC_TUNABLES", "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES",
}

// String returns one line.
func (m Machine) String() string {
	parts := []string{m.Platform}
	if m.CPU != "" {
		parts = append(parts, m.CPU)
	}
	return strings.Join(append(parts, m.Settings...), ", ")
}

// cpuInfo returns the name of the first CPU in Linux's /proc/cpuinfo.
func cpuInfo(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	fields := map[string]string{}
	for line := range strings.Lines(first) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	// Two CPUs of one name may still differ: Intel and AMD number family and
	// model, and Arm numbers implementer and part.
	var parts []string
	for _, part := range []struct{ key, before string }{
		{"model name", ""}, {"cpu family", "family "}, {"model", "model "},
		{"CPU implementer", "implementer "}, {"CPU part", "part "},
		{"uarch", ""}, {"isa", ""}, {"cpu", ""},
	} {
		if value := fields[part.key]; value != "" {
			parts = append(parts, part.before+value)
		}
	}
	for _, flag := range strings.Fields(fields["flags"]) {
		if flag == "fma" || flag == "avx2" || flag == "avx512f" {
			parts = append(parts, flag)
		}
	}
	return strings.Join(parts, " ")
}
