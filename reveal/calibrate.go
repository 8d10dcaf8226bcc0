package reveal

import (
	"errors"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// calibrate finds the units, masks and precision that the target allows, and
// checks that every summand counts once.
func (p *prober) calibrate() error {
	p.expect("calibrate", 2)
	flushed := false
	if p.sc.bits < 2 {
		return &inconsistent{verdict: Unsupported, what: "the format has too little range",
			witness: p.witness("a mean of so many summands leaves no room in this format: one part in n is too small to be seen beside a summand large enough to hide the others", nil, p.fill(nil, nil), nil, nil)}
	}
	for bits := p.sc.bits; ; {
		p.sc.bits = bits
		w := p.randomWeights(nil)
		fill := p.fill(w, nil)
		out, err := p.askIn(p.pool[:1], nil, fill)
		if err != nil {
			return err
		}
		c, ok := p.count(out[0])
		switch {
		case ok && c == w.total():
			return nil
		case out[0] != out[0]:
			return &probe.Fault{ID: "returns-nan", Thing: p.key.String(), Cause: "the sum of small positive numbers came out as NaN", Cure: "check the function's signature, --dtype and --op"}
		case out[0] == 0 && p.sc.unit < p.key.DType.MinNormal() && !flushed:
			// Subnormal units were flushed: a larger unit, and fewer of them below a mask.
			flushed = true
			p.sc.unit = p.key.DType.MinNormal()
			bits = min(bits, 4)
		case bits > p.key.DType.Precision() && !p.key.Mean:
			bits = p.key.DType.Precision() // accumulated in the input format
		case bits > fp.BFloat16.Precision():
			bits = fp.BFloat16.Precision()
		default:
			return p.notASum(w, fill, out[0])
		}
	}
}

// firstStructures asks the first structures. Where sums are rounded up, −M plus
// a count is not −M; negative counts do not have that.
func (p *prober) firstStructures() (bank []structure, counts []float64, pool []int, err error) {
	for {
		bank = p.structures(p.bankSize())
		counts, pool, err = p.askStructures(bank)
		var no *inconsistent
		if !errors.As(err, &no) || p.n < 2 || no.verdict != "" {
			return bank, counts, pool, err
		}
		mode, other := p.roundingMode()
		switch {
		case other != nil:
			return nil, nil, nil, other
		case mode == fp.Up && p.sc.unit > 0:
			p.sc.unit = -p.sc.unit
			continue
		case mode == fp.TowardZero:
			no.verdict, no.what = Unsupported, "sums are rounded toward zero"
			no.witness.What = "additions are rounded toward zero, where no mask absorbs what is added to it"
		}
		return nil, nil, nil, err
	}
}

// roundingMode finds the direction in which the sum of two summands is rounded:
// 1 + 3h and −1 − 3h, h being a quarter of the spacing above 1.
func (p *prober) roundingMode() (fp.Mode, error) {
	h := math.Ldexp(1, -p.key.Out.Precision()-1)
	sum := func(a, b float64) (float64, error) {
		out, err := p.askIn(p.pool[:1], nil, func(row []float64) { row[0], row[p.n-1] = a, b })
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
