package kernel

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/internal/cpu"
)

//go:generate sh -c "cd ../_asm && go run ./residueamd64 -out ../kernel/residue_amd64.s -stubs ../kernel/residue_amd64.go -pkg kernel"

// The tile of [Residues.Tile], and the products of an element that a block of a
// panel holds. internal/_asm mirrors them, and a test compares.
const (
	ResidueRows    = 8
	ResidueColumns = 48
	ResidueBlock   = 64

	residueGroup = 4
	residueHalf  = 16 // rows that are transposed at once
)

// MaxSplit bounds the magnitudes that [Residues.Split] takes.
const MaxSplit = 1 << 46 * 0x1p48

// SplitModulus holds the constants that an integer is reduced by, modulo p: its
// digits of 32 bits are multiplied byte by byte.
type SplitModulus struct {
	Coefficients [12]int8 // u·256^i mod p, for a unit u
	Base         int32    // −u·2^95 mod p, so large that no sum is negative
	Inverse      float32  // 1/p
	Negative     uint32   // −p, in the lower half
}

// JoinModulus holds the constants that a residue is joined by: Weights are the
// parts of P/p, for the product P of all moduli.
type JoinModulus struct {
	Inverse, Modulus float64
	Weights          [3]float64
}

// RoundRow holds a row's factors of the three terms of an error.
type RoundRow struct{ Error, Norm, Joined float64 }

// Residues holds the kernels of matrix products of integers by their residues.
type Residues struct{ body *residues }

// residues holds the bodies of a level.
type residues struct {
	split func(dst *byte, plane, step int, x *float64, blocks int, scale, back float64,
		moduli *uint32, count int, offset float32) uint64
	transpose func(dst *byte, dstRow int, src *byte)
	tile      func(blocks int, a, b *byte, c *int32, cRow int)
	join      func(hi, lo *float64, c *int32, plane, n int, moduli *float64, count int,
		scale float64, scales *float64)
	round func(dst *float64, fails *byte, hi, lo *float64, n int, row *float64,
		norms, errors, scales *float64)
}

// residuesGeneric holds the portable bodies.
var residuesGeneric = residues{
	residueSplitGeneric, residueTransposeGeneric, residueTileGeneric, residueJoinGeneric,
	residueRoundGeneric,
}

// NewResidues returns the kernels of a level. It panics for a level that does
// not run here. They are portable unless the level is AVX-512 and the processor
// has VNNI too.
func NewResidues(level Level) Residues {
	if b := level.bodies().residues; b != nil && cpu.VNNI {
		return Residues{b}
	}
	return Residues{&residuesGeneric}
}

// IsFast reports whether products of bytes take less time than products of
// float64.
func (r Residues) IsFast() bool { return r.body != &residuesGeneric }

// Split stores the residues of the integers next to scale·x[i] and reports
// whether all these are integers. They are at most MaxSplit. scale and back are
// powers of two, and scale·back is 2^48. A block of ResidueBlock residues
// modulo moduli[l] begins at dst[l·plane], the next ones each step later; the
// last is filled up with zeros. With signed, residues are signed and next to
// zero; else they are at least 0. The order of a block's residues is the same
// for all calls.
func (r Residues) Split(
	dst []byte, plane, step int, x []float64, scale, back float64, moduli []SplitModulus,
	signed bool,
) (exact bool) {
	// Quotients by p ≤ 255 are 1/255 apart, and ties are 1/510 from others.
	// With sums below 2^20 and p > 128 the errors of float32 are below 2^-11 +
	// 2^-12.
	offset := float32(-0.5 + 1.0/512)
	if signed {
		offset = 1.0 / 1024
	}
	blocks := (len(x) + ResidueBlock - 1) / ResidueBlock
	if len(x) == 0 {
		return true
	}
	_ = dst[(len(moduli)-1)*plane+(blocks-1)*step+ResidueBlock-1]
	var inexact uint64
	split := func(at, blocks int, x *float64) {
		inexact |= r.body.split(&dst[at], plane, step, hidden(x), blocks, scale*0x1p-48, back,
			&moduli[0].words()[0], len(moduli), offset)
	}
	whole := len(x) / ResidueBlock
	if whole > 0 {
		split(0, whole, &x[0])
	}
	if whole < blocks {
		var last [ResidueBlock]float64
		copy(last[:], x[whole*ResidueBlock:])
		split(whole*step, 1, &last[0])
	}
	return inexact == 0
}

func (m *SplitModulus) words() *[6]uint32 { return (*[6]uint32)(unsafe.Pointer(m)) }
func (m *JoinModulus) words() *[5]float64 { return (*[5]float64)(unsafe.Pointer(m)) }

// Transpose turns 16 rows of a block, one after another in src, into columns of
// a right panel, which begin at dst. A panel has 16 rows of ResidueColumns
// groups of 4 residues for each block.
func (r Residues) Transpose(dst, src []byte) {
	const row = residueGroup * ResidueColumns
	_, _ = src[residueHalf*ResidueBlock-1], dst[(residueHalf-1)*row+ResidueBlock-1]
	r.body.transpose(&dst[0], row, &src[0])
}

// Tile stores the sums of products of the residues of two panels in
// ResidueRows rows of ResidueColumns elements. Panel a has ResidueRows rows for
// each block, signed; b has unsigned residues.
func (r Residues) Tile(blocks int, a, b []byte, c []int32, row int) {
	_, _ = a[blocks*ResidueRows*ResidueBlock-1], b[blocks*ResidueColumns*ResidueBlock-1]
	_ = c[(ResidueRows-1)*row+ResidueColumns-1]
	r.body.tile(blocks, &a[0], &b[0], &c[0], row)
}

// Join stores the integers next to zero whose residues modulo moduli[l] are
// c[l·plane + j], times scale·scales[j], in hi and lo: hi + lo is one of them.
// The last of the moduli is the product of the others. The number of integers
// is a multiple of 16.
func (r Residues) Join(
	hi, lo []float64, c []int32, plane int, moduli []JoinModulus, scale float64, scales []float64,
) {
	n, last := len(hi), len(moduli)-1
	if n == 0 {
		return
	}
	_, _ = lo[n-1], scales[n-1]
	_ = c[(last-1)*plane+n-1]
	r.body.join(&hi[0], &lo[0], &c[0], plane, n/16*16, &moduli[0].words()[0], last, scale,
		&scales[0])
}

// Round stores hi[j] + lo[j] in dst, rounded once, and bit j%8 of fails[j/8] if
// the error that hi[j] + lo[j] may have leaves the rounding open:
//
//	row.Error·norms[j] + row.Norm·errors[j] + row.Joined·scales[j]
//
// A zero is certain only if it has no error, and is stored as +0. The number of
// elements is a multiple of 8.
func (r Residues) Round(
	dst []float64, fails []byte, hi, lo []float64, row *RoundRow, norms, errors, scales []float64,
) {
	n := len(dst)
	if n == 0 {
		return
	}
	_, _, _ = fails[n/8-1], hi[n-1], lo[n-1]
	_, _, _ = norms[n-1], errors[n-1], scales[n-1]
	r.body.round(&dst[0], &fails[0], &hi[0], &lo[0], n/8*8, &row.Error, &norms[0], &errors[0],
		&scales[0])
}

// The bounds of rounding: 2^-53 twice, for lo itself and for lo ± e, and 1.
// Both have room for the rounding of the error itself.
const (
	roundUnit = 0x1p-52 * (1 + 0x1p-19)
	roundMore = 1 + 0x1p-19
)

// residueRoundGeneric is the portable body of Round.
func residueRoundGeneric(
	pd *float64, pf *byte, ph, pl *float64, n int, pr *float64, pn, pe, ps *float64,
) {
	dst, hi, lo := unsafe.Slice(pd, n), unsafe.Slice(ph, n), unsafe.Slice(pl, n)
	row, norms := (*RoundRow)(unsafe.Pointer(pr)), unsafe.Slice(pn, n)
	errors, scales := unsafe.Slice(pe, n), unsafe.Slice(ps, n)
	fails := unsafe.Slice(pf, n/8)
	clear(fails)
	for j := range dst {
		e := float64(row.Error * norms[j])
		e = math.FMA(row.Norm, errors[j], e)
		e = math.FMA(row.Joined, scales[j], e)
		e = math.FMA(roundUnit, math.Abs(lo[j]), float64(e*roundMore))
		down, up := hi[j]+(lo[j]-e), hi[j]+(lo[j]+e)
		dst[j] = down
		if down != up || down == 0 && e != 0 {
			fails[j/8] |= 1 << (j % 8)
		}
	}
}
