package cli

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// meminfo is the file where Linux reports free memory.
const meminfo = "/proc/meminfo"

// maxN bounds the number of summands on any machine. bytesEach is the
// memory that each of them takes during a call, as measured.
const (
	maxN      = 1 << 27
	bytesEach = 900
)

// maxSummands returns the number of summands that fit into free memory: with
// more, the system would kill a process. It is at least 2^20, and maxN if the
// system does not report its memory.
func maxSummands(meminfo string) int {
	free := freeMemory(meminfo)
	if free == 0 {
		return maxN
	}
	return int(min(maxN, max(free/bytesEach, 1<<20)))
}

// freeMemory returns the bytes of free memory, or 0 if they are unknown.
func freeMemory(meminfo string) int64 {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(fields[0], 10, 50)
	if err != nil {
		return 0
	}
	return kib << 10
}

// memoryLimit returns the bytes that this process may take: free memory or
// GOMEMLIMIT, whichever is less. It returns 0 if both are unknown.
func memoryLimit(meminfo string) int64 {
	free, limit := freeMemory(meminfo), debug.SetMemoryLimit(-1)
	switch {
	case limit == math.MaxInt64:
		return free
	case free == 0:
		return limit
	}
	return min(free, limit)
}
