package parquet

// The numbers of the fields in these structs are those of parquet.thrift.

// Physical is the type of the values in a page.
type Physical int32

// The physical types.
const (
	Boolean Physical = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedByteArray
)

// encoding is the encoding of values, or of levels.
type encoding int32

const (
	plain                encoding = 0
	plainDictionary      encoding = 2
	rle                  encoding = 3
	bitPacked            encoding = 4
	deltaBinaryPacked    encoding = 5
	deltaLengthByteArray encoding = 6
	deltaByteArray       encoding = 7
	rleDictionary        encoding = 8
	byteStreamSplit      encoding = 9
)

// metadata is the struct FileMetaData.
type metadata struct {
	schema    []schemaElement
	rows      int64
	groups    []rowGroup
	orders    []columnOrder
	encrypted bool
}

type schemaElement struct {
	isLeaf     bool
	physical   Physical
	length     int32
	repetition int32
	name       string
	children   int32
	converted  int32 // −1 without one
	scale      int32
	precision  int32
	logical    *Logical
}

const (
	optional = 1
	repeated = 2
)

type rowGroup struct {
	chunks []chunk
	rows   int64
}

// chunk is the struct ColumnChunk with its ColumnMetaData.
type chunk struct {
	file             bool // the values are in another file
	encrypted        bool
	physical         Physical
	path             []string
	codec            codec
	values           int64
	compressed       int64
	data, dictionary int64 // offsets
	statistics       statistics
}

// statistics is the struct Statistics. A field that is not there is nil.
type statistics struct {
	oldMin, oldMax     []byte
	min, max           []byte
	nulls              int64 // −1 if not there
	minExact, maxExact bool
}

// columnOrder is how a column's minimum and maximum are compared.
type columnOrder uint8

const (
	unknownOrder columnOrder = iota
	typeOrder
	totalOrder
)

// parseMetadata reads a footer.
func parseMetadata(b []byte) (m metadata, err error) {
	t := &thrift{b: b}
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 2 && kind == thriftList:
			t.list(thriftStruct, func() { m.schema = append(m.schema, t.schemaElement()) })
		case id == 3 && kind == thriftI64:
			m.rows = t.int64()
		case id == 4 && kind == thriftList:
			t.list(thriftStruct, func() { m.groups = append(m.groups, t.rowGroup()) })
		case id == 7 && kind == thriftList:
			t.list(thriftStruct, func() { m.orders = append(m.orders, t.columnOrder()) })
		case id == 8:
			m.encrypted = true
			return false
		default:
			return false
		}
		return true
	})
	return m, t.err
}

func (t *thrift) schemaElement() schemaElement {
	e := schemaElement{converted: -1}
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			e.physical, e.isLeaf = Physical(t.int32()), true
		case id == 2 && kind == thriftI32:
			e.length = t.int32()
		case id == 3 && kind == thriftI32:
			e.repetition = t.int32()
		case id == 4 && kind == thriftBinary:
			e.name = string(t.binary())
		case id == 5 && kind == thriftI32:
			e.children = t.int32()
		case id == 6 && kind == thriftI32:
			e.converted = t.int32()
		case id == 7 && kind == thriftI32:
			e.scale = t.int32()
		case id == 8 && kind == thriftI32:
			e.precision = t.int32()
		case id == 10 && kind == thriftStruct:
			e.logical = t.logical()
		default:
			return false
		}
		return true
	})
	return e
}

func (t *thrift) columnOrder() (o columnOrder) {
	t.fields(func(id int16, _ byte) bool {
		switch id {
		case 1:
			o = typeOrder
		case 2:
			o = totalOrder
		}
		return false
	})
	return o
}

func (t *thrift) rowGroup() (g rowGroup) {
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftList:
			t.list(thriftStruct, func() { g.chunks = append(g.chunks, t.chunk()) })
		case id == 3 && kind == thriftI64:
			g.rows = t.int64()
		default:
			return false
		}
		return true
	})
	return g
}

func (t *thrift) chunk() chunk {
	c := chunk{physical: -1, codec: -1, statistics: statistics{nulls: -1}}
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftBinary:
			c.file = len(t.binary()) > 0
		case id == 3 && kind == thriftStruct:
			t.columnMetadata(&c)
		case id == 8 || id == 9:
			c.encrypted = true
			return false
		default:
			return false
		}
		return true
	})
	return c
}

func (t *thrift) columnMetadata(c *chunk) {
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			c.physical = Physical(t.int32())
		case id == 3 && kind == thriftList:
			t.list(thriftBinary, func() { c.path = append(c.path, string(t.binary())) })
		case id == 4 && kind == thriftI32:
			c.codec = codec(t.int32())
		case id == 5 && kind == thriftI64:
			c.values = t.int64()
		case id == 7 && kind == thriftI64:
			c.compressed = t.int64()
		case id == 9 && kind == thriftI64:
			c.data = t.int64()
		case id == 11 && kind == thriftI64:
			c.dictionary = t.int64()
		case id == 12 && kind == thriftStruct:
			c.statistics = t.statistics()
		default:
			return false
		}
		return true
	})
}

func (t *thrift) statistics() statistics {
	s := statistics{nulls: -1}
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftBinary:
			s.oldMax = t.binary()
		case id == 2 && kind == thriftBinary:
			s.oldMin = t.binary()
		case id == 3 && kind == thriftI64:
			s.nulls = t.int64()
		case id == 5 && kind == thriftBinary:
			s.max = t.binary()
		case id == 6 && kind == thriftBinary:
			s.min = t.binary()
		case id == 7 && (kind == thriftTrue || kind == thriftFalse):
			s.maxExact = kind == thriftTrue
		case id == 8 && (kind == thriftTrue || kind == thriftFalse):
			s.minExact = kind == thriftTrue
		default:
			return false
		}
		return true
	})
	return s
}

// pageHeader is the struct PageHeader.
type pageHeader struct {
	kind                     int32
	size, compressed         int32
	checksum                 uint32
	hasChecksum              bool
	values                   int32
	encoding, levels         encoding
	isV2                     bool
	nulls, rows              int32
	defLength, repLength     int32
	isPlain                  bool // of a data page of version 2: not compressed
	hasDictionary, hasValues bool
}

// Kinds of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3
)

// parsePageHeader reads a header, and returns its length. The error is errShort
// if b is too short.
func parsePageHeader(b []byte) (h pageHeader, n int, err error) {
	t := &thrift{b: b}
	h.kind = -1
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind = t.int32()
		case id == 2 && kind == thriftI32:
			h.size = t.int32()
		case id == 3 && kind == thriftI32:
			h.compressed = t.int32()
		case id == 4 && kind == thriftI32:
			h.checksum, h.hasChecksum = uint32(t.int32()), true
		case id == 5 && kind == thriftStruct:
			t.dataHeader(&h)
		case id == 7 && kind == thriftStruct:
			t.dictionaryHeader(&h)
		case id == 8 && kind == thriftStruct:
			t.dataHeaderV2(&h)
		default:
			return false
		}
		return true
	})
	return h, t.at, t.err
}

func (t *thrift) dataHeader(h *pageHeader) {
	h.hasValues = true
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.values = t.int32()
		case id == 2 && kind == thriftI32:
			h.encoding = encoding(t.int32())
		case id == 3 && kind == thriftI32:
			h.levels = encoding(t.int32())
		default:
			return false
		}
		return true
	})
}

func (t *thrift) dictionaryHeader(h *pageHeader) {
	h.hasDictionary = true
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.values = t.int32()
		case id == 2 && kind == thriftI32:
			h.encoding = encoding(t.int32())
		default:
			return false
		}
		return true
	})
}

func (t *thrift) dataHeaderV2(h *pageHeader) {
	h.hasValues, h.isV2 = true, true
	t.fields(func(id int16, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.values = t.int32()
		case id == 2 && kind == thriftI32:
			h.nulls = t.int32()
		case id == 3 && kind == thriftI32:
			h.rows = t.int32()
		case id == 4 && kind == thriftI32:
			h.encoding = encoding(t.int32())
		case id == 5 && kind == thriftI32:
			h.defLength = t.int32()
		case id == 6 && kind == thriftI32:
			h.repLength = t.int32()
		case id == 7 && (kind == thriftTrue || kind == thriftFalse):
			h.isPlain = kind == thriftFalse
		default:
			return false
		}
		return true
	})
}
