package exactbeam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/lastbit/lastbit/exact"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[*exact.Accumulator](), encodeSum, decodeSum)
	beam.RegisterCoder(reflect.TypeFor[*squares](), encodeSquares, decodeSquares)
	beam.RegisterCoder(reflect.TypeFor[Pair](), encodePair, decodePair)
}

// squares holds Σ x and Σ x² of the same numbers.
type squares struct{ x, xx exact.Accumulator }

func encodeSum(a *exact.Accumulator) ([]byte, error) { return a.MarshalBinary() }

func decodeSum(b []byte) (*exact.Accumulator, error) {
	a := new(exact.Accumulator)
	if err := a.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	return a, nil
}

// encodeSquares returns the length of the state of Σ x in two bytes, that
// state, and the state of Σ x².
func encodeSquares(s *squares) ([]byte, error) {
	b, err := s.x.AppendBinary(make([]byte, 2, 128))
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint16(b, uint16(len(b)-2))
	return s.xx.AppendBinary(b)
}

func decodeSquares(b []byte) (*squares, error) {
	if len(b) < 2 {
		return nil, errors.New("exactbeam: the bytes of two sums end too early")
	}
	n, b := int(binary.BigEndian.Uint16(b)), b[2:]
	if n > len(b) {
		return nil, errors.New("exactbeam: the bytes of two sums end too early")
	}
	s := new(squares)
	if err := s.x.UnmarshalBinary(b[:n]); err != nil {
		return nil, err
	}
	if err := s.xx.UnmarshalBinary(b[n:]); err != nil {
		return nil, err
	}
	if s.x.Count() != s.xx.Count() {
		return nil, fmt.Errorf("exactbeam: a sum of %d numbers and a sum of %d squares",
			s.x.Count(), s.xx.Count())
	}
	return s, nil
}

// encodePair returns the bits of both numbers, so that a NaN and −0 stay.
func encodePair(p Pair) []byte {
	b := make([]byte, 0, 16)
	for _, v := range []float64{p.X, p.Y} {
		//lastbit:ignore nankey the bits of a NaN travel, too
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func decodePair(b []byte) (Pair, error) {
	if len(b) != 16 {
		return Pair{}, fmt.Errorf("exactbeam: a pair has 16 bytes, and these are %d", len(b))
	}
	return Pair{
		X: math.Float64frombits(binary.BigEndian.Uint64(b)),
		Y: math.Float64frombits(binary.BigEndian.Uint64(b[8:])),
	}, nil
}
