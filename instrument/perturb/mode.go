package perturb

import "math"

// The values of Header.Mode: how inexact results are rounded.
const (
	Random      = iota // up or down, with equal chances (CESTAC)
	Stochastic         // up or down: the nearer one is likelier, in proportion
	MonteCarlo         // with noise on operands and results (Parker1997)
	ShortFormat        // to nearest, in a shorter format
)

// The mode of this process, beside Random: bits of the significand, and the
// exponents of the format.
var (
	mode           uint64
	precision      int
	minExp, maxExp int
	share          uint64  // of operations that are perturbed, of 2^64; 0 is all
	jolts          []uint8 // by site: see jolt; nil if there are none
	joltKey        uint64
	joltWay        bool // the opposite of all jolts
)

// setMode takes the mode of a control file.
func setMode(h *Header) {
	mode, precision, share = h.Mode, int(h.Precision), h.Share
	maxExp = 1<<(max(h.Exponent, 2)-1) - 1
	minExp = 1 - maxExp
}

// isSpared reports whether an operation is among those that Header.Share leaves
// alone: by a hash of its site, its operands and the seed.
func isSpared(a, b float64, place uint32, key uint64) bool {
	return share != 0 && hash(a, b, uint64(index(place))<<8|spareHash, key) >= share
}

// The purposes of hashes of one operation.
const (
	roundHash = iota + 1
	leftHash
	rightHash
	spareHash
	joltHash
	slackHash
)

// hash returns random bits of an operation for a purpose.
func hash(a, b float64, purpose, key uint64) uint64 {
	return mix(toss(a, b, math.Float64frombits(purpose), key) ^ purpose*0x9e3779b97f4a7c15)
}

// uniform returns a number of at least 0 and below 1.
func uniform(h uint64) float64 { return float64(h>>11) * 0x1p-53 }

// perturbed returns r, a result to nearest with the error e, as the mode rounds
// it.
func perturbed(a, b, r, e float64, place uint32, key uint64) float64 {
	h := hash(a, b, roundHash, key)
	switch mode {
	case Stochastic:
		if e != 0 && e-e == 0 && uniform(h)*gap(r, e, place) < math.Abs(e) {
			return next(r, e, place)
		}
	case MonteCarlo:
		if e != 0 || !isShort(r, bitsOf(place)) {
			return rounded(r+(noise(r, uniform(h)-0.5, bitsOf(place))+e), place)
		}
	case ShortFormat:
		return shortened(r, e, place)
	}
	return r
}

// operands returns the operands of an operation, with noise in Monte Carlo
// arithmetic.
func operands(a, b float64, place uint32) (x, y float64) {
	key := keys[index(place)]
	if mode != MonteCarlo || key == 0 || calls != nil && isLeftAlone() ||
		isSpared(a, b, place, key) {
		return a, b
	}
	return noisy(a, hash(a, b, leftHash, key), place), noisy(b, hash(a, b, rightHash, key), place)
}

// noisy returns an operand with noise, rounded to its format.
func noisy(x float64, h uint64, place uint32) float64 {
	if x-x != 0 || isShort(x, bitsOf(place)) {
		return x
	}
	return rounded(x+noise(x, uniform(h)-0.5, bitsOf(place)), place)
}

// noise returns ξ·2^(e-t) for x = m·2^e with |m| between 1/2 and 1, and a
// virtual precision of t bits.
func noise(x, xi float64, t int) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(xi, e-t)
}

// isShort reports whether a number has at most t significant bits.
func isShort(x float64, t int) bool {
	m, _ := math.Frexp(x)
	m = math.Ldexp(m, t)
	return m == math.Trunc(m)
}

// bitsOf returns the precision of the mode, or of a place's format where that
// is lower.
func bitsOf(place uint32) int {
	if place >= single {
		return min(precision, 24)
	}
	return precision
}

// gap returns the distance of r from its neighbour in the direction of e.
func gap(r, e float64, place uint32) float64 { return math.Abs(next(r, e, place) - r) }

// next returns the neighbour of r in the direction of e, in the format of a
// place.
func next(r, e float64, place uint32) float64 {
	if place >= single {
		return float64(math.Nextafter32(float32(r), float32(math.Inf(int(math.Copysign(1, e))))))
	}
	return math.Nextafter(r, math.Inf(int(math.Copysign(1, e))))
}

// shortened returns r + e rounded to nearest in the format of the mode, ties to
// even. r is finite, and r + e rounded to nearest.
func shortened(r, e float64, place uint32) float64 {
	if r == 0 {
		return r
	}
	low, high := minExp, maxExp
	if place >= single {
		low, high = max(low, -126), min(high, 127)
	}
	t := bitsOf(place)
	_, exponent := math.Frexp(r)
	unit := max(exponent-t, low-t+1) // of the last place, as a power of two
	scaled := math.Ldexp(math.Abs(r), -unit)
	whole := math.Floor(scaled)
	part, beyond := scaled-whole, e*math.Copysign(1, r)
	if part > 0.5 || part == 0.5 && (beyond > 0 || beyond == 0 && math.Mod(whole, 2) != 0) {
		whole++
	}
	result := math.Ldexp(whole, unit)
	if result > math.Ldexp(2-math.Ldexp(1, 1-t), high) {
		result = math.Inf(1)
	}
	return math.Copysign(result, r)
}

// jolt returns r, a result or an operand, moved up or down by scale·2^(1-n), or
// half as much or between, for the number n of its site in the masks of the
// control file; and as it is if n is 0. So a run shows what an error of that
// size costs. The moves of two operations do not cancel exactly.
func jolt(a, b, r, scale float64, place uint32) float64 {
	n := jolts[index(place)]
	if n == 0 || r-r != 0 || scale-scale != 0 {
		return r
	}
	h := hash(a, b, joltHash, joltKey+2*uint64(index(place)))
	by := math.Ldexp(scale, 1-int(n)) * (0.5 + uniform(h<<1)/2)
	if h>>63 != 0 != joltWay {
		by = -by
	}
	return rounded(r+by, place)
}

// flipped returns the outcome of a comparison that an error as in jolt may turn
// round: about every second time. n is the number of its execution; in other
// goroutines than the first the operands count, since they take turns.
func flipped(a, b float64, holds bool, site uint32, n uint64) bool {
	m := jolts[site]
	if m == 0 || !(math.Abs(a-b) <= math.Ldexp(max(math.Abs(a), math.Abs(b)), 1-int(m))) {
		return holds
	}
	if isOther() {
		n = math.Float64bits(a) + 3*math.Float64bits(b)
	}
	return holds != (mix(joltKey^mix(n)^uint64(site))>>63 != 0 != joltWay)
}
