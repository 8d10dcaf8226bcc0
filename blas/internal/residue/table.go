package residue

import (
	"math"
	"math/big"
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// moduli are coprime in pairs: the largest such numbers whose residues and
// rounded quotients fit the kernels.
var moduli = [...]int64{
	255, 254, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191, 181, 179,
	173, 167, 163, 157, 151,
}

// table holds the constants of products modulo the first moduli.
type table struct {
	left, right []kernel.SplitModulus
	join        []kernel.JoinModulus // the product of the moduli is the last

	joined float64 // bound of the error of a joined integer
}

// tables holds the constants for the first moduli, as many as the index.
var tables = func() (all [len(moduli) + 1]func() *table) {
	for n := range all {
		all[n] = sync.OnceValue(func() *table { return newTable(moduli[:n]) })
	}
	return all
}()

// logRange returns range2 of the first n moduli: products of norms are at most
// 0.4 times the product of the moduli.
func logRange(n int) float64 {
	sum := math.Log2(0.4) //lastbit:ignore libm the plan changes no bits
	for _, p := range moduli[:n] {
		sum += math.Log2(float64(p)) //lastbit:ignore libm the plan changes no bits
	}
	return sum
}

// The units of the first and the second part of weights: a sum of residues
// times first parts has at most 53 bits, and so has one of second parts.
const (
	firstBits  = 49 // of the product of the moduli
	secondBits = 40
)

func newTable(moduli []int64) *table {
	whole := big.NewInt(1)
	for _, p := range moduli {
		whole.Mul(whole, big.NewInt(p))
	}
	bits := whole.BitLen()
	t := new(table)
	if bits > maxExactBits {
		t.joined = math.Ldexp(1, bits-firstBits-secondBits-36)
	}
	for _, m := range moduli {
		p := big.NewInt(m)
		weight := new(big.Int).Quo(whole, p)
		inverse := new(big.Int).ModInverse(new(big.Int).Mod(weight, p), p)
		t.left = append(t.left, splitModulus(p, inverse))
		t.right = append(t.right, splitModulus(p, big.NewInt(1)))
		t.join = append(t.join, kernel.JoinModulus{
			Inverse: 1 / float64(m), Modulus: float64(m), Weights: parts(weight, bits),
		})
	}
	f, _ := new(big.Float).SetInt(whole).Float64()
	t.join = append(t.join, kernel.JoinModulus{Inverse: 1 / f, Modulus: f,
		Weights: parts(whole, bits)})
	return t
}

// maxExactBits bounds the bits of products of moduli whose joined integers are
// exact. Beyond, the sums of third parts are rounded: each is below 2^12 units
// of the second part, and all errors together are below 2^-36 units.
const maxExactBits = 130

// parts returns w as a sum of multiples of the units.
func parts(w *big.Int, bits int) (all [3]float64) {
	rest := new(big.Int).Set(w)
	for i, unit := range []int{bits - firstBits, bits - firstBits - secondBits, 0} {
		part := rest
		if unit > 0 {
			part = new(big.Int).Rsh(rest, uint(unit))
			part.Lsh(part, uint(unit))
		}
		all[i], _ = new(big.Float).SetInt(part).Float64()
		rest = new(big.Int).Sub(rest, part)
	}
	return all
}

// splitModulus returns the constants for residues modulo p, times a unit.
func splitModulus(p, unit *big.Int) (s kernel.SplitModulus) {
	m := int32(p.Int64())
	power := new(big.Int).Set(unit)
	lowest := int32(0)
	for i := range s.Coefficients {
		c := int32(power.Int64())
		if c > m/2 {
			c -= m
		}
		s.Coefficients[i] = int8(c)
		lowest += 255 * min(c, 0)
		power.Lsh(power, 8).Mod(power, p)
	}
	base := new(big.Int).Lsh(unit, 95)
	base.Neg(base).Mod(base, p)
	s.Base = int32(base.Int64()) + (-lowest+m-1)/m*m
	s.Inverse = 1 / float32(m)
	s.Negative = uint32(uint16(-m))
	return s
}
