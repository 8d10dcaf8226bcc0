package stoch

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
)

// Options configure an Arithmetic. The zero Options give CESTAC.
type Options struct {
	Seed uint64

	// Free makes coins depend on the number of operations so far, too. A
	// repeated operation then rounds anew, and results depend on the order of
	// operations among goroutines. Without it the coins of an operation are a
	// hash of its operands and the seed.
	Free bool

	// Independent gives the third sample a coin of its own. Otherwise it takes
	// the complement of the second one's, so that samples of an inexact
	// operation always differ.
	Independent bool

	// Rounding rounds results that are not exact.
	Rounding Rounding

	// Precision bounds the bits of significands, and ExponentBits the bits of
	// exponents: at least 2, and at most what the format has. 0 stands for the
	// format's number. Monte Carlo roundings take Precision as the virtual
	// precision, and leave results in the format.
	Precision, ExponentBits int

	// Ignore lists the kinds of instabilities that are not looked for.
	Ignore []Kind
}

// Arithmetic computes with numbers of three samples, and counts the
// instabilities that it detects. Its methods may be called by several
// goroutines.
type Arithmetic[T Float] struct {
	random
	limit    uint64 // sign where fast paths may be taken: UpOrDown in the format T; else 0
	detect   [kinds]bool
	rounding Rounding
	format   format
	virtual  int // bits of the virtual precision of Monte Carlo arithmetic
	found    *log
	level    kernel.Level // of the kernels for slices
}

// random is where coins come from.
type random struct {
	seed, seed2 uint64
	independent bool // the third sample does not mirror the second
	ops         *atomic.Uint64
}

// New returns an arithmetic. It panics if an option is out of its range.
func New[T Float](o Options) *Arithmetic[T] { return newArithmetic[T](o, newLog()) }

// Formats returns arithmetics of both formats with the same options, which
// count instabilities together. It panics as New does.
func Formats(o Options) (*Arithmetic[float64], *Arithmetic[float32]) {
	l := newLog()
	return newArithmetic[float64](o, l), newArithmetic[float32](o, l)
}

func newArithmetic[T Float](o Options, l *log) *Arithmetic[T] {
	a := &Arithmetic[T]{
		random:   random{seed: mix(o.Seed), seed2: mix(^o.Seed)},
		rounding: o.Rounding, format: formatOf[T](), found: l, level: kernel.Best(),
	}
	own := a.format
	if o.Rounding >= roundings {
		panic(fmt.Sprintf("stoch: no rounding %d", o.Rounding))
	}
	if o.Precision != 0 && (o.Precision < 2 || o.Precision > own.precision) {
		panic(fmt.Sprintf("stoch: precision %d: it has to be 2 to %d", o.Precision, own.precision))
	}
	if widest := own.exponentBits(); o.ExponentBits != 0 &&
		(o.ExponentBits < 2 || o.ExponentBits > widest) {
		panic(fmt.Sprintf("stoch: %d bits of exponents: they have to be 2 to %d",
			o.ExponentBits, widest))
	}
	a.virtual = own.precision
	switch {
	case o.Precision != 0 && o.Rounding.isMonteCarlo():
		a.virtual = o.Precision
	case o.Precision != 0:
		a.format.precision = o.Precision
	}
	if o.ExponentBits != 0 {
		a.format.maxExp = 1<<(o.ExponentBits-1) - 1
		a.format.minExp = 1 - a.format.maxExp
	}
	if o.Rounding == UpOrDown && a.format == own && !o.Free && !o.Independent {
		a.limit = sign
	}
	if o.Free {
		a.ops = new(atomic.Uint64)
	}
	a.independent = o.Independent
	for k := range a.detect {
		a.detect[k] = true
	}
	for _, k := range o.Ignore {
		a.detect[k] = false
	}
	return a
}

// golden is 2^64 over the golden ratio, odd.
const golden = 0x9e3779b97f4a7c15

// mix scrambles 64 bits: the finalizer of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// coins holds the random bits of an operation: one for each sample, beginning
// with the highest. 1 rounds down, and away from 0 in the fast paths of single
// numbers.
type coins uint64

// sign is the sign bit of float64.
const sign = 1 << 63

// toss returns the coins of an operation whose first samples have these bits.
func (r *random) toss(x, y uint64) coins { return toss(x^r.seed, y^r.seed2) }

// toss returns coins that depend on x and y. Two multiplications are needed:
// one alone leaves patterns in the coins of operands that change in steps.
func toss(x, y uint64) coins {
	high, low := bits.Mul64(x, y)
	return coins((high ^ low) * golden)
}

// again returns the coins of an operation in the free mode.
func (r *random) again(c coins) coins {
	if r.ops != nil {
		return coins(mix(uint64(c) + r.ops.Add(1)*golden))
	}
	return c
}

// isDown reports whether sample i rounds down.
func (r *random) isDown(c coins, i uint) bool {
	if i == 2 && !r.independent {
		return c>>62&1 == 0
	}
	return c>>(63-i)&1 != 0
}

// with returns other coins, for one more operand.
func (c coins) with(operand uint64) coins { return coins(mix(uint64(c) + operand)) }

// bitsOf returns the bits of x.
func bitsOf[T Float](x T) uint64 {
	if isSingle[T]() {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(float64(x))
}

// mode returns the direction of a coin.
func mode(isDown bool) fp.Mode {
	if isDown {
		return fp.Down
	}
	return fp.Up
}
