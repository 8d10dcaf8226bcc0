package ask

import (
	"errors"
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// Calibrate narrows the scale of c to units and counts that the target adds
// exactly, and checks that every summand counts once.
func Calibrate(c *Channel) error {
	c.Expect("calibrate", 2)
	s := &c.Scale
	if s.Bits < 1 {
		return noRange(c)
	}
	flushed, err := flushesUnits(c)
	if err != nil {
		return err
	}
	if flushed {
		s.useNormalUnits(c.Key.DType)
	}
	for bits := s.Bits; ; {
		s.Bits = bits
		w := c.Inputs.Weights(nil)
		fill := c.Inputs.Masked(w, nil)
		out, err := c.AskMain(nil, fill)
		if err != nil {
			return err
		}
		n, ok := s.Count(out[0])
		precision := c.Key.DType.Precision()
		switch {
		case ok && n == w.Total():
			return nil
		case out[0] != out[0]:
			return &probe.Fault{ID: "returns-nan", Thing: c.Key.String(),
				Cause: "the sum of small positive numbers came out as NaN",
				Cure:  "check the function's signature, --dtype and --op"}
		case out[0] == 0 && s.Unit < c.Key.DType.MinNormal() && !flushed:
			flushed = true
			s.useNormalUnits(c.Key.DType)
			bits = s.Bits
		case bits > precision && !c.Key.Mean:
			bits = precision // the accumulator has the input format
		case bits > fp.BFloat16.Precision():
			bits = fp.BFloat16.Precision()
		default:
			return wrongTotal(c, w, fill, out[0])
		}
	}
}

// flushesUnits reports whether units are subnormal, and one alone is returned
// as zero. Totals of many units may be normal.
func flushesUnits(c *Channel) (bool, error) {
	if c.Scale.Unit >= c.Key.DType.MinNormal() || c.Key.Mean {
		return false, nil
	}
	out, err := c.AskMain(nil, func(row []float64) { row[0] = c.Scale.Unit })
	return err == nil && out[0] == 0, err
}

// useNormalUnits makes units normal numbers of binary16, the only format whose
// units are subnormal. -2^14 absorbs sums below 2^(14-25) in a float32: 7 units
// of 2^-14.
func (s *Scale) useNormalUnits(f fp.Format) {
	s.Unit, s.Bits, s.Lo, s.Hi = f.MinNormal(), min(s.Bits, 3), 14, 14
}

// noRange returns the fact that masks and units do not fit into the format.
func noRange(c *Channel) *verdict.Fact {
	const what = "a mean of so many summands leaves no room in this format: one part in n is " +
		"too small to be seen beside a summand large enough to hide the others"
	return &verdict.Fact{Reason: verdict.NoRange, What: "the format has too little range",
		Witness: c.Witness(what, nil, c.Inputs.Masked(nil, nil), nil, nil)}
}

// wrongTotal finds a summand that does not count once, by halving the range
// with a wrong total. It returns a fact: WrongTotal, or Changed.
func wrongTotal(c *Channel, w Weights, fill Fill, seen float64) error {
	want := c.Scale.Output(w.Total())
	const what = "a sum of small whole numbers is wrong"
	no := &verdict.Fact{Reason: verdict.WrongTotal, What: "a total of small counts is wrong",
		Witness: c.Witness(what, nil, fill, []float64{seen}, &want)}
	if err := Repeat(c, no.Witness); err != nil {
		return err
	}
	units := func(lo, hi int) Fill {
		return func(row []float64) {
			for i := lo; i < hi; i++ {
				row[i] = c.Scale.Unit
			}
		}
	}
	counts := func(lo, hi int) (out float64, ok bool, err error) {
		outs, err := c.AskMain(nil, units(lo, hi))
		if err != nil {
			return 0, false, err
		}
		n, ok := c.Scale.Count(outs[0])
		return outs[0], ok && int(n) == hi-lo, nil //lastbit:ignore floatconv a count of summands
	}
	lo, hi := 0, c.N
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if float64(mid-lo) >= c.Scale.Limit() {
			break
		}
		_, ok, err := counts(lo, mid)
		if err != nil {
			return err
		}
		if ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	if hi-lo == 1 {
		out, ok, err := counts(lo, hi)
		if err != nil {
			return err
		}
		if !ok {
			want := c.Scale.Output(1)
			no.Witness = c.Witness(fmt.Sprintf("summand %d alone does not count once", lo),
				nil, units(lo, hi), []float64{out}, &want)
		}
	}
	return no
}

// openingStructures is the number of structures asked first, openingShort where
// sums are short: together about 40 bits of evidence for or against a family.
const (
	openingStructures = 3
	openingShort      = 5
	openingBits       = 40 // where a structure shows one bit
)

// Open asks the first structures, and returns the lanes that agreed with the
// main lane on all of them. It makes units negative for a target that rounds
// up: there −M plus a positive count is not −M.
func Open(c *Channel) (o Opening, pool []int, err error) {
	size := openingStructures
	if c.Scale.Bits < 20 || c.N < 16 {
		size = openingShort
	}
	switch {
	case c.Scale.Bits == 1:
		size = openingBits
	case c.Scale.Step != 0:
		size = max(size, openingBits/c.Scale.Bits)
	}
	for {
		o, pool, err = askStructures(c, c.Inputs.Structures(size))
		var no *verdict.Fact
		if !errors.As(err, &no) || c.N < 2 || no.Reason != verdict.NoTree || c.Scale.Step != 0 {
			return o, pool, err
		}
		mode, other := roundingMode(c)
		switch {
		case other != nil:
			return o, nil, other
		case mode == fp.Up && c.Scale.Unit > 0:
			c.Scale.Unit = -c.Scale.Unit
			continue
		case mode == fp.TowardZero:
			no.Reason, no.What = verdict.TowardZero, "sums are rounded toward zero"
			no.Witness.What = "additions are rounded toward zero: " +
				"a mask moves by what it absorbs, and not always by the same place"
		}
		return o, nil, err
	}
}

// roundingMode finds the direction that the sum of two summands is rounded in,
// from 1 + 3h, −1 − 3h and 1 + h, h being a quarter of the spacing above 1.
func roundingMode(c *Channel) (fp.Mode, error) {
	h := math.Ldexp(1, -c.Key.Out.Precision()-1)
	sum := func(a, b float64) (float64, error) {
		out, err := c.AskMain(nil, func(row []float64) { row[0], row[c.N-1] = a, b })
		if err != nil {
			return 0, err
		}
		return out[0], nil
	}
	above, err := sum(1, 3*h)
	if err != nil {
		return 0, err
	}
	below, err := sum(-1, -3*h)
	if err != nil {
		return 0, err
	}
	slight, err := sum(1, h)
	switch {
	case above == 1 && below == -1:
		return fp.TowardZero, err
	case above == 1:
		return fp.Down, err
	case slight > 1:
		return fp.Up, err
	}
	return fp.NearestEven, err
}
