//go:build !darwin

package libm

import (
	"os"
	"runtime"
)

// cpuName returns the name of the CPU.
func cpuName() string {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		return cpuInfo(string(text))
	}
	return os.Getenv("PROCESSOR_IDENTIFIER") // Windows
}

// systemVersion returns the version of a C library that has no name for itself.
func systemVersion() string { return runtime.GOOS }
