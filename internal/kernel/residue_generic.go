package kernel

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/internal/eft"
)

// residueOrder returns the place of element i in its block: each group of 4
// holds one element of each quarter, in the order that the assembly finds them.
func residueOrder(i int) int {
	quarter, at := i/16, i%16
	lane := at%8/2*4 + at/8*2 + at%2
	return lane*residueGroup + quarter
}

// residueSplitGeneric is the portable body of Split.
func residueSplitGeneric(
	pd *byte, plane, step int, px *float64, blocks int, scale, back float64, pm *uint32, count int,
	offset float32,
) (inexact uint64) {
	x := unsafe.Slice(px, blocks*ResidueBlock)
	moduli := unsafe.Slice((*SplitModulus)(unsafe.Pointer(pm)), count)
	for i, v := range x {
		limbs, exact := split(v, scale, back)
		if !exact {
			inexact = 1
		}
		at := i/ResidueBlock*step + residueOrder(i%ResidueBlock)
		for l := range moduli {
			*(*byte)(unsafe.Add(unsafe.Pointer(pd), at+l*plane)) = moduli[l].reduce(limbs, offset)
		}
	}
	return inexact
}

// split returns the bytes of the integer next to 2^48·scale·v, plus 2^95, and
// whether that is equal.
func split(v, scale, back float64) (limbs [12]byte, exact bool) {
	y := float64(v * scale)
	exact = float64(y*back) == v
	high := math.RoundToEven(y)
	y = float64((y - high) * 0x1p48)
	low := math.RoundToEven(y)
	exact = exact && low == y
	if !(math.Abs(high) <= 1<<47) {
		return limbs, false
	}
	//lastbit:ignore floatconv bounded by the scaling
	h := uint64(int64(high)<<16+int64(low)>>32) ^ 1<<63
	for i := range 4 {
		limbs[i] = byte(int64(low) >> (8 * i)) //lastbit:ignore floatconv bounded by the scaling
	}
	for i := range 8 {
		limbs[4+i] = byte(h >> (8 * i))
	}
	return limbs, exact
}

// reduce returns a residue.
func (m *SplitModulus) reduce(limbs [12]byte, offset float32) byte {
	sum := m.Base
	for i, c := range m.Coefficients {
		sum += int32(c) * int32(limbs[i])
	}
	q := math.RoundToEven(float64(float64(sum)*float64(m.Inverse)) + float64(offset))
	//lastbit:ignore floatconv bounded by the scaling
	return byte(sum + int32(q)*int32(int16(m.Negative)))
}

// residueTransposeGeneric is the portable body of Transpose.
func residueTransposeGeneric(pd *byte, dstRow int, ps *byte) {
	src := unsafe.Slice((*[residueGroup]byte)(unsafe.Pointer(ps)), residueHalf*residueHalf)
	for i := range residueHalf {
		row := unsafe.Slice((*[residueGroup]byte)(unsafe.Add(unsafe.Pointer(pd), i*dstRow)),
			residueHalf)
		for j := range row {
			row[j] = src[j*residueHalf+i]
		}
	}
}

// residueTileGeneric is the portable body of Tile.
func residueTileGeneric(blocks int, pa, pb *byte, pc *int32, cRow int) {
	const groups = ResidueBlock / residueGroup
	a := unsafe.Slice((*[residueGroup]int8)(unsafe.Pointer(pa)), blocks*ResidueRows*groups)
	b := unsafe.Slice((*[residueGroup]byte)(unsafe.Pointer(pb)), blocks*ResidueColumns*groups)
	for i := range ResidueRows {
		row := unsafe.Slice(Operand[float32]{(*float32)(unsafe.Pointer(pc)), cRow, 1}.Element(i, 0),
			ResidueColumns)
		sums := (*[ResidueColumns]int32)(unsafe.Pointer(&row[0]))
		clear(sums[:])
		for g := range blocks * groups {
			x := a[(g/groups*ResidueRows+i)*groups+g%groups]
			for j := range sums {
				y := b[g*ResidueColumns+j]
				for t, v := range x {
					sums[j] += int32(v) * int32(y[t])
				}
			}
		}
	}
}

// residueJoinGeneric is the portable body of Join.
func residueJoinGeneric(
	ph, pl *float64, pc *int32, plane, n int, pm *float64, count int, scale float64, ps *float64,
) {
	hi, lo, scales := unsafe.Slice(ph, n), unsafe.Slice(pl, n), unsafe.Slice(ps, n)
	moduli := unsafe.Slice((*JoinModulus)(unsafe.Pointer(pm)), count+1)
	c := unsafe.Slice(pc, (count-1)*plane+n)
	for j := range n {
		var sums [3]float64
		for l, m := range moduli[:count] {
			x := float64(c[l*plane+j])
			x = math.FMA(-nextInteger(x, m.Inverse), m.Modulus, x)
			for i, w := range m.Weights {
				sums[i] = math.FMA(w, x, sums[i])
			}
		}
		whole := &moduli[count]
		q := nextInteger(sums[0], whole.Inverse)
		for i, w := range whole.Weights {
			sums[i] = math.FMA(-q, w, sums[i])
		}
		s, e := eft.TwoSum(sums[0], sums[1])
		f, g := eft.TwoSum(e, sums[2])
		high, low := eft.TwoSum(s, f)
		hi[j] = float64(scale*high) * scales[j]
		lo[j] = float64(scale*(low+g)) * scales[j]
	}
}

// nextInteger returns the integer next to x·y, which is below 2^51.
func nextInteger(x, y float64) float64 {
	const magic = 1.5 * 0x1p52
	return math.FMA(x, y, magic) - magic
}
