package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/lastbit/lastbit/dataset/internal/parquet"
	"github.com/lastbit/lastbit/fp"
)

// readKeys sets the numbers of the keys of rows, −1 for those without one.
func (l *leaf) readKeys(valid []bool, ids []int, k *keys) error {
	if l.IsWords() {
		l.words = sized(l.words, parquet.Count(valid))
		if err := l.r.Words(l.words); err != nil {
			return err
		}
	}
	words := l.words
	for i, ok := range valid {
		switch {
		case !ok:
			ids[i] = -1
		case l.IsWords():
			ids[i] = l.wordKey(k, words[0])
			words = words[1:]
		default:
			v, err := l.r.Bytes()
			if err != nil {
				return err
			}
			ids[i] = l.bytesKey(k, v)
		}
	}
	return nil
}

// wordKey returns the number of a key of up to 64 bits.
func (l *leaf) wordKey(k *keys, w uint64) int {
	if l.Meaning == parquet.Time { // 24:00 is 00:00: several words have one text
		return k.text([]byte(l.wordText(w)))
	}
	if l.isFloat() && l.float(w) != l.float(w) {
		w = math.MaxUint64 // one key for every NaN: it is one too
	}
	return k.word([2]uint64{w}, func() string { return l.wordText(w) })
}

// wordText returns the text of a key of up to 64 bits.
func (l *leaf) wordText(w uint64) string {
	if l.isFloat() {
		precision := 64
		if l.Physical == parquet.Float {
			precision = 32
		}
		return floatText(l.float(w), 0, precision)
	}
	negative, m := l.integer(w)
	v := int64(m)
	if negative {
		v = -v
	}
	switch l.Meaning {
	case parquet.Decimal:
		return decimalText(big.NewInt(v), l.Scale)
	case parquet.Date:
		return instant(v, 0, dateLayout)
	case parquet.Time:
		return l.fraction(v, "15:04:05")
	case parquet.Timestamp:
		return l.fraction(v, dateLayout+"T15:04:05")
	}
	s := strconv.FormatUint(m, 10)
	if negative {
		s = "-" + s
	}
	return s
}

const (
	dateLayout  = "2006-01-02"
	daySeconds  = 86400
	nanoseconds = 1_000_000_000
)

// instant returns the text of a time: seconds since 1970, or days for a date.
// Years before 1 or after 9999 have a sign.
func instant(v, nanos int64, layout string) string {
	var t time.Time
	if layout == dateLayout {
		v *= daySeconds
	}
	t = time.Unix(v, nanos).UTC()
	if year := t.Year(); year < 1 || year > 9999 {
		return fmt.Sprintf("%+05d", year) + t.Format(strings.TrimPrefix(layout, "2006"))
	}
	return t.Format(layout)
}

// fraction returns the text of a count of units, with the digits of the second
// that are not 0 at the end, so that a time has one text in every unit. The
// text of an instant ends in +00:00.
func (l *leaf) fraction(v int64, layout string) string {
	unit := int64(1)
	for range l.Digits {
		unit *= 10
	}
	seconds, part := v/unit, v%unit
	if part < 0 {
		seconds, part = seconds-1, part+unit
	}
	s := instant(seconds, 0, layout)
	if part != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%0*d", l.Digits, part), "0")
	}
	if l.Meaning == parquet.Timestamp && l.UTC {
		s += "+00:00"
	}
	return s
}

// bytesKey returns the number of a key of bytes.
func (l *leaf) bytesKey(k *keys, v []byte) int {
	switch {
	case l.Physical == parquet.Int96:
		return k.text([]byte(l.int96Text(v)))
	case l.Meaning == parquet.Decimal && len(v) > 0:
		l.text = append(l.text[:0], decimalText(bigInteger(v), l.Scale)...)
		return k.text(l.text)
	case l.Meaning == parquet.Half:
		x := fp.Binary16.FromBits(uint64(binary.LittleEndian.Uint16(v)))
		return k.text([]byte(floatText(x, 0, 32)))
	case l.Meaning == parquet.UUID:
		return k.text(fmt.Appendf(nil, "%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:]))
	}
	return k.text(v)
}

// int96Text returns the text of an INT96: the nanoseconds of a day, and the
// day's Julian number, which is 2440588 on 1 January 1970.
func (l *leaf) int96Text(v []byte) string {
	const epoch = 2440588
	day := int64(int32(binary.LittleEndian.Uint32(v[8:]))) - epoch
	nanos := int64(binary.LittleEndian.Uint64(v))
	seconds := day*daySeconds + nanos/nanoseconds
	part := nanos % nanoseconds
	if part < 0 {
		seconds, part = seconds-1, part+nanoseconds
	}
	s := instant(seconds, 0, dateLayout+"T15:04:05")
	if part != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%09d", part), "0")
	}
	return s
}
