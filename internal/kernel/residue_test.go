package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// residueTest holds constants of three moduli, as package residue makes them,
// and random data.
type residueTest struct {
	*testing.T
	rng    *rand.Rand
	moduli []int64
	split  []SplitModulus
	join   []JoinModulus // of the three moduli, and their product
}

func newResidueTest(t *testing.T) *residueTest {
	r := &residueTest{T: t, rng: rand.New(rand.NewPCG(21, 22)), moduli: []int64{255, 254, 151}}
	whole := 1.0
	for _, p := range r.moduli {
		whole *= float64(p)
		s := SplitModulus{Inverse: 1 / float32(p), Negative: uint32(uint16(-p))}
		power := int64(1)
		for i := range s.Coefficients {
			s.Coefficients[i] = int8((power+p/2)%p - p/2)
			power = power * 256 % p
		}
		bias := new(big.Int).Lsh(big.NewInt(1), 95)
		bias.Neg(bias).Mod(bias, big.NewInt(p))
		s.Base = int32(bias.Int64() + 12*255*128/p*p + p)
		r.split = append(r.split, s)
	}
	for _, p := range append(slices.Clone(r.moduli), int64(whole)) {
		r.join = append(r.join, JoinModulus{1 / float64(p), float64(p),
			[3]float64{whole / float64(p), 0, 0}})
	}
	r.join[len(r.moduli)].Weights[0] = whole
	return r
}

// bodies returns the bodies that run here, the portable ones first.
func (r *residueTest) bodies() []Residues {
	all := []Residues{{&residuesGeneric}}
	if fast := NewResidues(Best()); fast.IsFast() {
		all = append(all, fast)
	}
	return all
}

// number returns an integer of up to 94 bits, or a number that is none, for a
// scale of 1.
func (r *residueTest) number() float64 {
	v := 2*r.rng.Float64() - 1
	switch r.rng.IntN(8) {
	case 0:
		return math.Copysign(0, v)
	case 1:
		return math.Copysign(MaxSplit, v)
	case 2:
		return v * 0x1p-1070
	case 3:
		return float64(r.rng.IntN(512)-256) / 2 // integers and ties
	}
	return math.Ldexp(v, r.rng.IntN(95))
}

// TestResidueSplit holds residues against integers of any length.
func TestResidueSplit(t *testing.T) {
	r := newResidueTest(t)
	for trial := range 300 {
		x := make([]float64, 1+r.rng.IntN(200))
		exponent := []int{0, 300, -300}[trial%3]
		exact := true
		want := make([]*big.Int, len(x))
		for i := range x {
			v := r.number()
			nearest := math.RoundToEven(v)
			want[i], _ = new(big.Float).SetFloat64(nearest).Int(nil)
			x[i] = math.Ldexp(v, -exponent)
			exact = exact && nearest == v
		}
		signed := trial%2 == 0
		blocks := (len(x) + ResidueBlock - 1) / ResidueBlock
		var first []byte
		for _, k := range r.bodies() {
			const step, guard = ResidueBlock + 32, 0xa5
			plane := blocks * step
			dst := slices.Repeat([]byte{guard}, len(r.moduli)*plane+64)
			scale := math.Ldexp(1, exponent)
			got := k.Split(dst, plane, step, x, scale, 0x1p48/scale, r.split, signed)
			if got != exact && exponent == 0 {
				t.Fatalf("trial %d: exact is %v", trial, got)
			}
			for l, p := range r.moduli {
				for i := range blocks * ResidueBlock {
					got := int64(dst[l*plane+i/ResidueBlock*step+residueOrder(i%ResidueBlock)])
					if signed {
						got = int64(int8(got))
					}
					difference := big.NewInt(got)
					if i < len(x) {
						difference.Sub(difference, want[i])
					}
					if difference.Mod(difference, big.NewInt(p)).Sign() != 0 ||
						signed && 2*got > p || signed && 2*got < -p || !signed && got >= p {
						t.Fatalf("trial %d: %v has residue %d modulo %d", trial, x[i], got, p)
					}
				}
			}
			if first == nil {
				first = dst
			} else if !slices.Equal(first, dst) {
				t.Fatalf("trial %d: bytes differ from the portable body's", trial)
			}
		}
	}
}

// TestResidueTile holds transposition and tiles against sums of products, of
// the largest residues too.
func TestResidueTile(t *testing.T) {
	r := newResidueTest(t)
	for trial, blocks := range []int{1, 2, 5, 512} {
		a := make([]byte, ResidueRows*blocks*ResidueBlock)
		b := make([]byte, ResidueColumns*blocks*ResidueBlock) // by columns, of 16 each
		for _, x := range [][]byte{a, b} {
			for i := range x {
				x[i] = byte(r.rng.Uint32())
			}
		}
		if trial == 3 {
			for i := range a {
				a[i] = 0x81 // −127
			}
			for i := range b {
				b[i] = 255
			}
		}
		for _, k := range r.bodies() {
			panel := make([]byte, len(b))
			for i := range len(b) / 1024 {
				block, part := i/3, i%3
				k.Transpose(panel[block*ResidueColumns*ResidueBlock+part*64:], b[i*1024:][:1024])
			}
			const row = ResidueColumns + 3
			c := make([]int32, ResidueRows*row)
			k.Tile(blocks, a, panel, c, row)
			for i := range ResidueRows {
				for j := range row {
					want := int32(0)
					for p := range blocks * ResidueBlock {
						if j < ResidueColumns {
							block, at := p/ResidueBlock, p%ResidueBlock
							want += int32(int8(a[(block*ResidueRows+i)*ResidueBlock+at])) *
								int32(b[(block*3+j/16)*1024+j%16*64+at])
						}
					}
					if got := c[i*row+j]; got != want {
						t.Fatalf("%d blocks: (%d, %d) is %d, want %d", blocks, i, j, got, want)
					}
				}
			}
		}
	}
}

// TestResidueJoin holds integers against those that residues were taken of.
func TestResidueJoin(t *testing.T) {
	r := newResidueTest(t)
	product := int64(1)
	for _, p := range r.moduli {
		product *= p
	}
	const n, plane = 64, 80
	c, want := make([]int32, len(r.moduli)*plane), make([]int64, n)
	for j := range want {
		want[j] = int64((r.rng.Float64() - 0.5) * 0.9 * float64(product))
		for l, p := range r.moduli {
			q := product / p
			inverse := new(big.Int).ModInverse(big.NewInt(q), big.NewInt(p)).Int64()
			residue := (want[j]%p + p) % p * inverse % p
			c[l*plane+j] = int32(residue - p*r.rng.Int64N(1<<22))
		}
	}
	scales := slices.Repeat([]float64{0x1p-30, 0x1p40}, n/2)
	for _, k := range r.bodies() {
		hi, lo := make([]float64, n), make([]float64, n)
		k.Join(hi, lo, c, plane, r.join, 8, scales)
		for j, v := range want {
			if got := hi[j] + lo[j]; got != float64(v)*8*scales[j] {
				t.Fatalf("integer %d is %v, want %v", j, got/8/scales[j], v)
			}
		}
	}
}

// TestResidueRound holds roundings against the two ends of their ranges.
func TestResidueRound(t *testing.T) {
	r := newResidueTest(t)
	const n = 32
	columns := make([][]float64, 5)
	for i := range columns {
		columns[i] = make([]float64, n)
	}
	hi, lo, norms, errors, scales := columns[0], columns[1], columns[2], columns[3], columns[4]
	open := 0
	for range 300 {
		for j := range n {
			hi[j] = 1 + r.rng.Float64()
			lo[j] = (2*r.rng.Float64() - 1) * 0x1p-53
			norms[j], errors[j] = r.rng.Float64(), r.rng.Float64()*0x1p-58
			scales[j] = r.rng.Float64()
			switch r.rng.IntN(8) {
			case 0:
				lo[j] = 0x1p-53 // a tie
			case 1:
				hi[j], lo[j] = 0, 0
			case 2:
				norms[j] = math.Inf(1)
			}
		}
		row := &RoundRow{r.rng.Float64() * 0x1p-58, r.rng.Float64(), 0x1p-60}
		if r.rng.IntN(2) == 0 {
			clear(errors)
			row.Error, row.Joined = 0, 0
		}
		var first []float64
		for _, k := range r.bodies() {
			dst, fails := make([]float64, n), make([]byte, n/8)
			k.Round(dst, fails, hi, lo, row, norms, errors, scales)
			for j, v := range dst {
				e := row.Error*norms[j] + row.Norm*errors[j] + row.Joined*scales[j]
				sure := hi[j]+(lo[j]-1.001*e) == hi[j]+(lo[j]+1.001*e) && (hi[j] != 0 || e == 0)
				isOpen := fails[j/8]>>(j%8)&1 == 1
				if isOpen {
					open++
				} else if v != hi[j]+(lo[j]-e) || v != hi[j]+(lo[j]+e) || hi[j] == 0 && e != 0 {
					t.Fatalf("%v + %v with error %v is %v", hi[j], lo[j], e, v)
				} else if math.Signbit(v) {
					t.Fatalf("%v is negative", v)
				}
				if sure && isOpen && lo[j] != 0x1p-53 {
					t.Fatalf("%v + %v with error %v is open", hi[j], lo[j], e)
				}
				if isOpen {
					dst[j] = 0
				}
			}
			if first == nil {
				first = dst
			} else if !slices.Equal(first, dst) {
				t.Fatal("results differ from the portable body's")
			}
		}
	}
	if open == 0 {
		t.Error("nothing was left open")
	}
}
