package lock

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// chosenBy lists the features of processors that libraries choose code by.
var chosenBy = []string{
	"fma", "avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_fp16",
	"sve", "sve2", "bf16", "i8mm",
}

// Class names the class of this machine: everything that libraries choose their
// code by. Machines of one class compute alike with the same libraries and
// settings.
func Class() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	cpu := ""
	if err == nil {
		cpu = describeCPU(string(info))
	}
	if cpu == "" {
		cpu = text.Or(libm.ThisMachine().CPU, "unknown CPU")
	}
	return fmt.Sprintf("%s/%s, %s, %s", runtime.GOOS, runtime.GOARCH, cpu,
		text.Count(runtime.NumCPU(), "CPU"))
}

// describeCPU returns the vendor, the model and the features of the first CPU
// in Linux's /proc/cpuinfo.
func describeCPU(info string) string {
	first, _, _ := strings.Cut(info, "\n\n")
	fields := map[string]string{}
	for line := range strings.Lines(first) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	var parts []string
	for _, part := range []struct{ key, before string }{
		{"vendor_id", ""}, {"cpu family", "family "}, {"model", "model "},
		{"CPU implementer", "implementer "}, {"CPU part", "part "}, {"uarch", ""}, {"isa", ""},
	} {
		if value := fields[part.key]; value != "" {
			parts = append(parts, part.before+value)
		}
	}
	flags := strings.Fields(fields["flags"] + " " + fields["Features"])
	for _, name := range chosenBy {
		if slices.Contains(flags, name) {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " ")
}

// variables lists the environment variables that choose code, or the number of
// threads, in the libraries that lastbit knows.
var variables = []string{
	"ATEN_CPU_CAPABILITY", "BLIS_ARCH_TYPE", "BLIS_NUM_THREADS", "DNNL_MAX_CPU_ISA",
	"GLIBC_TUNABLES", "GODEBUG", "LD_LIBRARY_PATH", "LD_PRELOAD", "MKL_CBWR",
	"MKL_ENABLE_INSTRUCTIONS", "MKL_NUM_THREADS", "NPY_DISABLE_CPU_FEATURES",
	"NPY_ENABLE_CPU_FEATURES", "OMP_NUM_THREADS", "ONEDNN_MAX_CPU_ISA", "OPENBLAS_CORETYPE",
	"OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
}

// settings returns the variables of this process's environment that choose
// code, each as NAME=value.
func settings() []string {
	var set []string
	for _, name := range variables {
		if value, ok := os.LookupEnv(name); ok {
			set = append(set, name+"="+value)
		}
	}
	return set
}
