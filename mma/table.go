package mma

import "github.com/lastbit/lastbit/fp"

// Sources of the figures.
const (
	firstMMASim = "Xie2025MMASim, first version"
	laterMMASim = "Xie2025MMASim, later version"
	manualIntel = "IntelSDM"
	manualArm   = "ArmISA"
)

// generation holds what the rows of a generation share.
type generation struct {
	name    string
	aliases []string
	full    string
}

func generations() map[string]generation {
	all := map[string]generation{}
	for _, g := range []generation{
		{"v100", []string{"volta"}, "NVIDIA Volta"},
		{"turing", []string{"t4"}, "NVIDIA Turing"},
		{"a100", []string{"ampere"}, "NVIDIA Ampere"},
		{"ada", []string{"l40"}, "NVIDIA Ada Lovelace"},
		{"h100", []string{"hopper", "h200"}, "NVIDIA Hopper"},
		{"b200", []string{"blackwell"}, "NVIDIA Blackwell"},
		{"rtx5090", []string{"rtxblackwell"}, "NVIDIA RTX Blackwell"},
		{"cdna1", []string{"mi100"}, "AMD CDNA1"},
		{"cdna2", []string{"mi250"}, "AMD CDNA2"},
		{"cdna3", []string{"mi300"}, "AMD CDNA3"},
		{"amx", []string{"sapphirerapids"}, "Intel AMX-BF16"},
		{"avx512bf16", nil, "AVX512-BF16"},
		{"bfdot", []string{"sme"}, "Arm BFDOT and BFMOPA"},
		{"bfdot-ebf", nil, "Arm BFDOT with FPCR.EBF"},
	} {
		all[g.name] = g
	}
	return all
}

// fused is the arithmetic of NVIDIA: truncated terms, and a truncated sum.
func fused(terms, bits, zero, precision int) Arithmetic {
	return Arithmetic{Structure: Fused, Terms: terms, Bits: bits, Align: fp.TowardZero, Zero: zero,
		Round: fp.TowardZero, Precision: precision}
}

// Units returns all rows.
func Units() []Unit {
	var all []Unit
	known := generations()
	add := func(name, instruction, source string, a Arithmetic, formats ...fp.Format) {
		g := known[name]
		for _, f := range formats {
			all = append(all, Unit{Name: g.name, Aliases: g.aliases, Full: g.full, In: f,
				Instruction: instruction, Source: source, Arithmetic: a})
		}
	}
	nvidia(add)
	blackwell(add)
	amd(add)
	others(add)
	return all
}

// adder adds rows that differ in the format only.
type adder func(name, instruction, source string, a Arithmetic, formats ...fp.Format)

// nvidia adds the rows up to Hopper.
func nvidia(add adder) {
	const keep = -126 // Zero of the first version
	add("v100", "HMMA.884", firstMMASim, fused(4, 23, keep, 24), fp.Binary16)
	add("turing", "HMMA.1688", firstMMASim, fused(8, 24, keep, 24), fp.Binary16)
	// The longest K runs as two chained halves: HMMA.16816.
	add("a100", "HMMA.16816", firstMMASim, fused(8, 24, keep, 24), fp.Binary16, fp.BFloat16)
	add("a100", "HMMA.1688.TF32", laterMMASim, fused(4, 24, -132, 24), fp.TF32)
	add("ada", "HMMA.16816", firstMMASim, fused(8, 24, keep, 24), fp.Binary16, fp.BFloat16)
	add("ada", "HMMA.1688.TF32", laterMMASim, fused(4, 24, -132, 24), fp.TF32)
	// 13 fraction bits are kept, in the terms and in the result.
	add("ada", "QMMA.16832", laterMMASim, fused(16, 13, -132, 14), fp.E4M3FN, fp.E5M2)
	add("h100", "wgmma k16", firstMMASim, fused(16, 25, keep, 24), fp.Binary16, fp.BFloat16)
	add("h100", "wgmma k8", laterMMASim, fused(8, 25, -133, 24), fp.TF32)
	add("h100", "wgmma k32", laterMMASim, fused(32, 13, -133, 14), fp.E4M3FN, fp.E5M2)
}

// blackwell adds the rows of both Blackwells. Formats of 8 bits and less have
// the same arithmetic as the longer ones, without Hopper's short accumulator.
func blackwell(add adder) {
	for _, name := range []string{"b200", "rtx5090"} {
		source, zero := firstMMASim, -126
		if name == "rtx5090" {
			source, zero = laterMMASim, -133
		}
		add(name, "f16 k16", source, fused(16, 25, zero, 24), fp.Binary16, fp.BFloat16)
		add(name, "tf32 k8", laterMMASim, fused(8, 25, -133, 24), fp.TF32)
		add(name, "f8f6f4 k32", laterMMASim, fused(32, 25, -133, 24), fp.E4M3FN, fp.E5M2, fp.E2M1)
		scaled := fused(32, 25, -133, 24)
		scaled.Structure, scaled.Scale, scaled.Block = Scaled, fp.E8M0, 32
		add(name, "mxf8f6f4 k32", laterMMASim, scaled, fp.E4M3FN, fp.E5M2, fp.E2M1)
		for _, s := range []struct {
			scale fp.Format
			block int
		}{{fp.E8M0, 32}, {fp.E4M3FN, 16}} {
			grouped := fused(64, 35, -139, 24)
			grouped.Structure, grouped.ScaleGroup = GroupScaled, 16
			grouped.Scale, grouped.Block = s.scale, s.block
			add(name, "mxf4nvf4 k64", laterMMASim, grouped, fp.E2M1)
		}
	}
}

// amd adds the rows of CDNA.
func amd(add adder) {
	pairs := Arithmetic{Structure: Pairwise, Terms: 4, Precision: 24}
	add("cdna1", "mfma f16", firstMMASim, pairs, fp.Binary16)
	two := pairs
	two.Terms = 2 // the instructions without _1k
	add("cdna1", "mfma bf16", firstMMASim, two, fp.BFloat16)
	pairs.Flush = true
	add("cdna2", "mfma f16, mfma bf16_1k", firstMMASim, pairs, fp.Binary16, fp.BFloat16)
	stages := Arithmetic{Structure: TwoStage, Terms: 8, Bits: 24, Align: fp.TowardZero,
		Zero: noExponent, SumBits: 31, AccBits: 24, Precision: 24}
	add("cdna3", "mfma f16, mfma bf16", firstMMASim, stages, fp.Binary16, fp.BFloat16)
	stages.Terms, stages.SumBits, stages.LateBits = 4, 32, 31
	add("cdna3", "mfma xf32", laterMMASim, stages, fp.TF32)
	stages.Structure, stages.Terms = Interleaved, 16
	add("cdna3", "mfma fp8, mfma bf8", laterMMASim, stages, fp.E4M3FNUZ, fp.E5M2FNUZ)
}

// others adds the rows whose arithmetic the vendors publish.
func others(add adder) {
	// SDM volume 2: fused multiply-adds to nearest even with DAZ and FTZ.
	flushed := Arithmetic{Structure: TwoChains, Terms: 32, Precision: 24, Flush: true}
	add("amx", "TDPBF16PS", manualIntel, flushed, fp.BFloat16)
	flushed.Structure, flushed.Terms = PairChain, 2
	add("avx512bf16", "VDPBF16PS", manualIntel, flushed, fp.BFloat16)
	// Products and sums are rounded to odd, and subnormals are flushed.
	odd := Arithmetic{Structure: Pairwise, Terms: 2, Round: fp.ToOdd, Precision: 24, Flush: true}
	add("bfdot", "BFDOT, BFMMLA, BFMOPA", manualArm, odd, fp.BFloat16)
	// The sum of two products is rounded once, as FPCR says: to nearest even
	// and with subnormals unless a program sets it otherwise.
	add("bfdot-ebf", "BFDOT, BFMMLA", manualArm,
		Arithmetic{Structure: FusedPairs, Terms: 2, Precision: 24}, fp.BFloat16)
}
