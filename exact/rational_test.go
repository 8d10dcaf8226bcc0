package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
)

// nearTie draws an integer of n bits that is halfway between two of 53 bits, or
// is a number of 53 bits, or is next to such a one.
func nearTie(rng *rand.Rand, n int) *big.Int {
	z := new(big.Int).SetUint64(1<<53 | rng.Uint64()>>11)
	z.Lsh(z, uint(n-54))
	return z.Add(z, big.NewInt(int64(rng.IntN(3)-1)))
}

// TestTies rounds quotients and roots that are all but exactly halfway between
// two floats.
func TestTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 60 + rng.IntN(10<<rng.IntN(5))
		num, den := nearTie(rng, n), new(big.Int).SetUint64(1+rng.Uint64()>>rng.IntN(60))
		if rng.IntN(2) == 0 {
			num.Mul(num, den)
			num.Add(num, big.NewInt(int64(rng.IntN(3)-1)))
		} else {
			den.SetInt64(1)
		}
		e := rng.IntN(40) - 80
		if got := roundRatio[float64](ratio{num, den, e}); !isRounded(got,
			rational(e, []*big.Int{num}, []*big.Int{den})) {
			t.Errorf("%v/%v·2^%d is %x", num, den, e, got)
		}
		num = nearTie(rng, n)
		num.Mul(num, num)
		num.Add(num, big.NewInt(int64(rng.IntN(3)-1)))
		den.SetInt64(1)
		if rng.IntN(2) == 0 {
			den.SetInt64(9)
			num.Mul(num, den)
			num.Add(num, big.NewInt(int64(rng.IntN(3)-1)))
		}
		if got := roundRoot[float64](-1, ratio{num, den, e}); !isRoot(got, -1,
			rational(e, []*big.Int{num}, []*big.Int{den})) {
			t.Errorf("−√(%v/%v·2^%d) is %x", num, den, e, got)
		}
	}
}

// TestDividedBy divides 128 bits, with and without a sticky bit, to almost
// ties.
func TestDividedBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		n := rng.Uint64()>>(1+rng.IntN(63)) + 1
		divisor := new(big.Int).SetUint64(n)
		dividend := new(big.Int).Mul(divisor, nearTie(rng, 128-divisor.BitLen()))
		dividend.Add(dividend, big.NewInt(int64(rng.IntN(3)-1)))
		shift := 128 - dividend.BitLen()
		if shift < 0 {
			continue
		}
		m := new(big.Int).Lsh(dividend, uint(shift))
		hi, lo := new(big.Int).Rsh(m, 64).Uint64(),
			new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		sticky := rng.IntN(2) == 0
		num := m.Lsh(m, 1)
		if sticky {
			num.Add(num, big.NewInt(1))
		}
		if got := dividedBy[float64](n, true, hi, lo, 127, sticky); !isRounded(-got,
			rational(-1, []*big.Int{num}, []*big.Int{divisor})) {
			t.Errorf("−(%#x:%016x, %v)/%d is %x", hi, lo, sticky, n, got)
		}
	}
}

// TestWindowLeading holds the leading bits of the sums of folds against
// integers.
func TestWindowLeading(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 5000 {
		w := window{set: true, e: rng.IntN(100)}
		sum := new(big.Int)
		for k := range w.t {
			v := rng.Int64() >> rng.IntN(64)
			if k == i%4 || i%3 == 0 && k == 2 {
				v = 0
			}
			w.t[k].add(v)
			if k == 0 && rng.IntN(2) == 0 {
				w.t[k].hi += rng.Int64N(1<<20) - 1<<19
			}
			z := new(big.Int).Lsh(big.NewInt(w.t[k].hi), 64)
			z.Add(z, new(big.Int).SetUint64(w.t[k].lo))
			sum.Lsh(sum, kernel.FoldStep)
			sum.Add(sum, z)
		}
		e := w.e - 2*kernel.FoldStep - 52
		negative, hi, lo, top, sticky := w.leading()
		if sum.Sign() == 0 {
			if hi != 0 {
				t.Fatalf("zero has leading bits: %v", w)
			}
			continue
		}
		m := new(big.Int).Abs(sum)
		bits := m.BitLen()
		m.Lsh(m, 128)
		m.Rsh(m, uint(bits))
		got := new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64)
		got.Add(got, new(big.Int).SetUint64(lo))
		if got.Cmp(m) != 0 || negative != (sum.Sign() < 0) || top != e+bits-1 ||
			sticky != (bits-int(sum.TrailingZeroBits()) > 128) {
			t.Fatalf("%v: %v, %x, 2^%d, %v; want %v, %x, 2^%d", w, negative, got, top, sticky, sum,
				m, e+bits-1)
		}
	}
}
