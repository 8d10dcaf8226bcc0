package parquet

import "bytes"

// Meaning is what the values of a column stand for.
type Meaning uint8

// The meanings. A Number means what its physical type does.
const (
	Number    Meaning = iota
	Unsigned          // integers without a sign
	Decimal           // integers, of units of 10^−Scale
	Half              // floats of 16 bits
	Text              // or the name of an enumeration, or JSON
	Opaque            // bytes
	Date              // days since 1970
	Time              // units since midnight
	Timestamp         // units since 1970
	UUID
	Unknown
)

// Logical describes what values stand for.
type Logical struct {
	Meaning Meaning
	// Name is the type's name, for messages.
	Name string
	// Scale and Precision describe a decimal.
	Scale, Precision int
	// Bits is the width of an integer; 0 for the physical type's width.
	Bits int
	// Digits is the number of decimals of a second in a unit of time: 3, 6 or
	// 9.
	Digits int
	// UTC is set for timestamps of an instant.
	UTC bool
}

// logical reads the union LogicalType.
func (t *thrift) logical() *Logical {
	l := &Logical{Meaning: Unknown, Name: "of a later version of the format"}
	simple := map[int16]Logical{
		1: {Meaning: Text, Name: "STRING"}, 2: {Meaning: Unknown, Name: "MAP"},
		3: {Meaning: Unknown, Name: "LIST"}, 4: {Meaning: Text, Name: "ENUM"},
		6: {Meaning: Date, Name: "DATE"}, 11: {Meaning: Number, Name: "NULL"},
		12: {Meaning: Text, Name: "JSON"}, 13: {Meaning: Opaque, Name: "BSON"},
		14: {Meaning: UUID, Name: "UUID"}, 15: {Meaning: Half, Name: "FLOAT16"},
	}
	known := spec{kinds: bytes.Repeat([]byte{thriftStruct}, maxLogical+1)}
	t.fields(&known, func(id int16, kind byte) {
		switch id {
		case 5:
			*l = t.decimal()
		case 7:
			*l = t.time(Time, "TIME")
		case 8:
			*l = t.time(Timestamp, "TIMESTAMP")
		case 10:
			*l = t.integer()
		default:
			if s, ok := simple[id]; ok {
				*l = s
			}
			t.skip(kind)
		}
	})
	return l
}

// maxLogical is the number of the last logical type.
const maxLogical = 18

var (
	decimalSpec = spec{[]byte{1: thriftI32, 2: thriftI32}, []int16{1, 2}}
	timeSpec    = spec{[]byte{1: thriftTrue, 2: thriftStruct}, []int16{1, 2}}
	unitSpec    = spec{[]byte{1: thriftStruct, 2: thriftStruct, 3: thriftStruct}, nil}
	integerSpec = spec{[]byte{1: thriftByte, 2: thriftTrue}, []int16{1, 2}}
)

func (t *thrift) decimal() Logical {
	l := Logical{Meaning: Decimal, Name: "DECIMAL"}
	t.fields(&decimalSpec, func(id int16, _ byte) {
		if v := int(t.int32()); id == 1 {
			l.Scale = v
		} else {
			l.Precision = v
		}
	})
	return l
}

func (t *thrift) time(m Meaning, name string) Logical {
	l := Logical{Meaning: m, Name: name}
	t.fields(&timeSpec, func(id int16, kind byte) {
		if id == 1 {
			l.UTC = kind == thriftTrue
			return
		}
		t.fields(&unitSpec, func(id int16, kind byte) {
			l.Digits = 3 * int(id)
			t.skip(kind)
		})
	})
	return l
}

func (t *thrift) integer() Logical {
	l := Logical{Meaning: Unsigned, Name: "INT"}
	t.fields(&integerSpec, func(id int16, kind byte) {
		switch {
		case id == 1:
			l.Bits = int(t.byte())
		case kind == thriftTrue:
			l.Meaning = Number
		}
	})
	return l
}

// converted returns the meaning of the older ConvertedType.
func (e *schemaElement) convertedLogical() Logical {
	micros := func(l Logical) Logical { l.Digits = 6; return l }
	switch e.converted {
	case 0:
		return Logical{Meaning: Text, Name: "UTF8"}
	case 4:
		return Logical{Meaning: Text, Name: "ENUM"}
	case 5:
		return Logical{Meaning: Decimal, Name: "DECIMAL", Scale: int(e.scale),
			Precision: int(e.precision)}
	case 6:
		return Logical{Meaning: Date, Name: "DATE"}
	case 7:
		return Logical{Meaning: Time, Name: "TIME", Digits: 3, UTC: true}
	case 8:
		return micros(Logical{Meaning: Time, Name: "TIME", UTC: true})
	case 9:
		return Logical{Meaning: Timestamp, Name: "TIMESTAMP", Digits: 3, UTC: true}
	case 10:
		return micros(Logical{Meaning: Timestamp, Name: "TIMESTAMP", UTC: true})
	case 11, 12, 13, 14:
		return Logical{Meaning: Unsigned, Name: "UINT", Bits: 8 << (e.converted - 11)}
	case 15, 16, 17, 18:
		return Logical{Meaning: Number, Name: "INT", Bits: 8 << (e.converted - 15)}
	case 19:
		return Logical{Meaning: Text, Name: "JSON"}
	case 20:
		return Logical{Meaning: Opaque, Name: "BSON"}
	case 21:
		return Logical{Meaning: Unknown, Name: "INTERVAL"}
	}
	return Logical{Meaning: Unknown, Name: "of a later version of the format"}
}

// meaning returns what the values of a leaf stand for.
func (e *schemaElement) meaning() Logical {
	switch {
	case e.logical != nil:
		l := *e.logical
		if !l.fits(e.physical, e.length) || !e.agrees(&l) {
			l.Meaning = Unknown
		}
		return l
	case e.converted >= 0:
		l := e.convertedLogical()
		if !l.fits(e.physical, e.length) {
			l.Meaning = Unknown
		}
		return l
	}
	names := []string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY",
		"FIXED_LEN_BYTE_ARRAY"}
	l := Logical{Meaning: Number, Name: names[e.physical]}
	switch e.physical {
	case ByteArray, FixedByteArray:
		l.Meaning = Opaque
	case Int96:
		l.Meaning, l.Digits = Timestamp, 9
	}
	return l
}

// agrees reports whether the older ConvertedType, if there is one, is of the
// same number.
func (e *schemaElement) agrees(l *Logical) bool {
	if e.converted < 0 {
		return true
	}
	old := e.convertedLogical()
	if l.Meaning == Decimal || old.Meaning == Decimal {
		return l.Meaning == old.Meaning && l.Scale == old.Scale && l.Precision == old.Precision
	}
	return l.Meaning != Unsigned && l.Meaning != Number || l.Meaning == old.Meaning
}

// fits reports whether values of a physical type can stand for these.
func (l *Logical) fits(p Physical, length int32) bool {
	isInt := p == Int32 || p == Int64
	isBytes := p == ByteArray || p == FixedByteArray
	switch l.Meaning {
	case Number:
		return isInt || l.Name != "INT" && !isBytes && p != Int96
	case Unsigned:
		return isInt
	case Decimal:
		return (isInt || isBytes) && l.Precision > 0 && 0 <= l.Scale &&
			l.Scale <= min(l.Precision, maxScale)
	case Half:
		return p == FixedByteArray && length == 2
	case Text, Opaque:
		return isBytes
	case Date:
		return p == Int32
	case Time:
		return isInt && l.Digits > 0
	case Timestamp:
		return p == Int64 && l.Digits > 0
	case UUID:
		return p == FixedByteArray && length == 16
	}
	return true
}

// maxScale bounds the digits of a decimal after its point. The format has no
// bound; the longest in use is 76.
const maxScale = 10000

// holds reports whether values are within the range of an integer type that is
// narrower than the physical one.
func (c *Column) holds(w []uint64) bool {
	width := 64
	if c.Physical == Int32 {
		width = 32
	}
	if c.Bits <= 0 || c.Bits >= width {
		return true
	}
	for _, v := range w {
		high := v >> c.Bits
		if x := int64(v<<(64-width)) >> (64 - width); c.Meaning == Number {
			high = uint64(x>>(c.Bits-1) + x>>63&1) // 0 where it is 0 or −1
		}
		if high != 0 {
			return false
		}
	}
	return true
}
