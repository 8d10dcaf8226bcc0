package libm

import "syscall"

// cpuName is the name of the CPU.
func cpuName() string { return sysctl("machdep.cpu.brand_string") }

// systemVersion is the operating system's version; its C library has none of
// its own.
func systemVersion() string { return "macOS " + sysctl("kern.osproductversion") }

func sysctl(name string) string {
	s, err := syscall.Sysctl(name)
	if err != nil {
		return ""
	}
	return s
}
