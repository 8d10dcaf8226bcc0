package digits

import (
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// MaxDigits is the number of decimal digits of a float64: 53·log10 2.
const MaxDigits = 15.95

// typical is the usual size of a result's error over the spread of the samples
// around it. A rounding up or down at random is off by √(1/3) ulp in the mean
// square, and one to nearest by √(1/12), half of that; the logarithm of a
// normal error has its mean at 0.53 standard deviations; and the spread around
// one result, rather than their mean, is larger by √(1+1/4).
const typical = 0.53 * 0.5 / 1.118

// factor returns the usual size of a result's error over the spread of runs.
// One run has no spread: its digits are those that it shares with the plain
// run. By stochastic rounding a result is off by √(1/6) ulp in the mean square,
// and in Monte Carlo arithmetic by noise of √(1/12) ulp of its virtual
// precision, as much again for each of two operands.
func factor(m instrument.Mode, runs int) float64 {
	switch {
	case runs == 1:
		return 1
	case m.Rounding == perturb.Stochastic:
		return typical * math.Sqrt2
	case m.Rounding == perturb.MonteCarlo:
		return typical * 2 / math.Sqrt(3)
	}
	return typical
}

// estimate returns the number of decimal digits of plain that can be trusted,
// given the values of runs with other roundings and their factor: -log10 of the
// typical relative error, at most the number of digits printed. A count, which
// is another whole number in a run, is wrong in its last digit at least.
func estimate(plain number, samples []float64, factor float64) float64 {
	most := min(MaxDigits, float64(plain.printed))
	sum, areWhole := 0.0, plain.isWhole
	for _, v := range samples {
		d := 0.0
		if v != plain.value {
			d = v/plain.value - 1
		}
		areWhole = areWhole && v == math.Trunc(v)
		sum += float64(d * d)
	}
	rms := math.Sqrt(sum / float64(max(1, len(samples))))
	switch {
	case rms == 0:
		return most
	case rms-rms != 0: // a value is infinite or NaN, or plain 0
		return 0
	case areWhole:
		most = min(most, float64(plain.printed-1))
	}
	return min(most, digitsOf(factor*rms))
}

// digitsOf returns the number of decimal digits that a relative error leaves.
func digitsOf(relative float64) float64 {
	return max(0, min(MaxDigits, -crmath.Log10(relative)))
}

// noise is the text of a number without a right digit.
const noise = "@.0"

// maxShown is the number of digits that a number keeps which changes beyond
// them only: no rounding error is too small to change the next one.
const maxShown = 16

// show returns the numeral with only the digits that are right, rounded, in the
// notation of its text where that can be. A constant number is the same in
// every run.
func show(text string, n number, digits float64, isConstant bool) string {
	d := int(math.Floor(digits)) //lastbit:ignore floatconv a number of digits
	if digits >= MaxDigits {
		d = maxShown
	}
	switch {
	case d >= n.printed || digits >= MaxDigits && isConstant || n.value == 0 && d > 0:
		return text
	case d == 0 && n.isNext && sign(text) != "":
		return "+" + noise
	case d == 0:
		return noise
	case strings.ContainsAny(text, "xX"):
		return strconv.FormatFloat(n.value, 'e', d-1, 64)
	}
	exponent := strings.IndexAny(text, "eE")
	//lastbit:ignore floatconv a number of digits
	decimals := d - 1 - int(math.Floor(crmath.Log10(math.Abs(n.value))))
	if exponent >= 0 || decimals < 0 {
		return sign(text) + strconv.FormatFloat(math.Abs(n.value), 'e', d-1, 64)
	}
	return sign(text) + strconv.FormatFloat(math.Abs(n.value), 'f', decimals, 64)
}

// sign returns the sign that a numeral begins with.
func sign(text string) string {
	if text[0] == '-' || text[0] == '+' {
		return text[:1]
	}
	return ""
}
