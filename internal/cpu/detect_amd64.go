//go:build !purego

package cpu

import (
	"os"
	"slices"
	"strings"
)

//go:generate sh -c "cd ../_asm && go run ./cpu -out ../cpu/cpuid_amd64.s -stubs ../cpu/cpuid_amd64.go -pkg cpu"

// Bits of CPUID and of extended control register 0 (Intel's manual, volume 2,
// CPUID, and volume 1, section 13.3).
const (
	leaf1FMA     = 1 << 12 // ecx
	leaf1OSXSAVE = 1 << 27 // ecx
	leaf1AVX     = 1 << 28 // ecx

	leaf7AVX2   = 1 << 5                        // ebx
	leaf7AVX512 = 1<<16 | 1<<17 | 1<<30 | 1<<31 // ebx: F, DQ, BW, VL
	leaf7VNNI   = 1 << 11                       // ecx
	leaf7FP16   = 1 << 23                       // edx
	intel       = 0x756e6547                    // Genu, of GenuineIntel
	stateYMM    = 1<<1 | 1<<2                   // XMM and the upper halves of YMM
	stateZMM    = stateYMM | 1<<5 | 1<<6 | 1<<7 // opmasks and both parts of ZMM
)

func init() {
	most, vendor, _, _ := cpuid(0, 0)
	if most < 7 {
		return
	}
	_, _, ecx, _ := cpuid(1, 0)
	const need = leaf1FMA | leaf1OSXSAVE | leaf1AVX
	if ecx&need != need {
		return
	}
	state, _ := xgetbv()
	_, ebx, ecx, edx := cpuid(7, 0)
	debug := os.Getenv("GODEBUG")
	AVX2 = state&stateYMM == stateYMM && ebx&leaf7AVX2 != 0 &&
		!isOff(debug, "avx", "avx2", "fma")
	AVX512 = AVX2 && state&stateZMM == stateZMM && ebx&leaf7AVX512 == leaf7AVX512 &&
		!isOff(debug, "avx512f", "avx512bw", "avx512dq", "avx512vl")
	Gathers = AVX512 && vendor == intel && edx&leaf7FP16 != 0
	VNNI = AVX512 && ecx&leaf7VNNI != 0 && !isOff(debug, "avx512vnni")
}

// isOff reports whether a value of GODEBUG switches one of the features off, by
// the names of Go's runtime: cpu.avx2=off, or cpu.all=off.
func isOff(godebug string, features ...string) bool {
	for setting := range strings.SplitSeq(godebug, ",") {
		name, isCPU := strings.CutPrefix(setting, "cpu.")
		name, off := strings.CutSuffix(name, "=off")
		if isCPU && off && (name == "all" || slices.Contains(features, name)) {
			return true
		}
	}
	return false
}
