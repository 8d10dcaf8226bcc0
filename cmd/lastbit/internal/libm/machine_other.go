//go:build !darwin

package libm

import (
	"os"
	"runtime"
)

// cpuName is the name of the CPU.
func cpuName() string {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		return cpuInfo(string(text))
	}
	return os.Getenv("PROCESSOR_IDENTIFIER") // Windows
}

// systemVersion stands for a C library's that does not tell.
func systemVersion() string { return runtime.GOOS }
