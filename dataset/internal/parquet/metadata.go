package parquet

import "strings"

// The fields of these structs have the numbers that parquet.thrift gives them.

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

// The fields of the structs in parquet.thrift, as far as they are read.
var (
	fileSpec = spec{[]byte{
		1: thriftI32, 2: thriftList, 3: thriftI64, 4: thriftList, 6: thriftBinary,
		7: thriftList, 8: thriftStruct,
	}, []int16{1, 2, 3, 4}}
	elementSpec = spec{[]byte{
		1: thriftI32, 2: thriftI32, 3: thriftI32, 4: thriftBinary, 5: thriftI32, 6: thriftI32,
		7: thriftI32, 8: thriftI32, 10: thriftStruct,
	}, []int16{4}}
	orderSpec = spec{[]byte{
		1: thriftStruct, 2: thriftStruct,
	}, nil}
	groupSpec = spec{[]byte{
		1: thriftList, 2: thriftI64, 3: thriftI64,
	}, []int16{1, 2, 3}}
	chunkSpec = spec{[]byte{
		1: thriftBinary, 2: thriftI64, 3: thriftStruct, 8: thriftStruct, 9: thriftBinary,
	}, nil}
	columnSpec = spec{[]byte{
		1: thriftI32, 2: thriftList, 3: thriftList, 4: thriftI32, 5: thriftI64, 6: thriftI64,
		7: thriftI64, 9: thriftI64, 10: thriftI64, 11: thriftI64, 12: thriftStruct,
	}, []int16{1, 2, 3, 4, 5, 6, 7, 9}}
	statisticsSpec = spec{[]byte{
		1: thriftBinary, 2: thriftBinary, 3: thriftI64, 4: thriftI64, 5: thriftBinary,
		6: thriftBinary, 7: thriftTrue, 8: thriftTrue,
	}, nil}
	pageSpec = spec{[]byte{
		1: thriftI32, 2: thriftI32, 3: thriftI32, 4: thriftI32, 5: thriftStruct,
		7: thriftStruct, 8: thriftStruct,
	}, []int16{1, 2, 3}}
	dataSpec = spec{[]byte{
		1: thriftI32, 2: thriftI32, 3: thriftI32, 4: thriftI32, 5: thriftStruct,
	}, []int16{1, 2, 3, 4}}
	dictionarySpec = spec{[]byte{
		1: thriftI32, 2: thriftI32, 3: thriftTrue,
	}, []int16{1, 2}}
	dataV2Spec = spec{[]byte{
		1: thriftI32, 2: thriftI32, 3: thriftI32, 4: thriftI32, 5: thriftI32, 6: thriftI32,
		7: thriftTrue, 8: thriftStruct,
	}, []int16{1, 2, 3, 4, 5, 6}}
)

// metadata is the struct FileMetaData.
type metadata struct {
	schema    []schemaElement
	rows      int64
	groups    []rowGroup
	writer    string // the program, and its version
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
	t.fields(&fileSpec, func(id int16, kind byte) {
		switch id {
		case 2:
			t.list(thriftStruct, func() { m.schema = append(m.schema, t.schemaElement()) })
		case 3:
			m.rows = t.int64()
		case 4:
			t.list(thriftStruct, func() { m.groups = append(m.groups, t.rowGroup()) })
		case 6:
			m.writer = string(t.binary())
		case 7:
			t.list(thriftStruct, func() { m.orders = append(m.orders, t.columnOrder()) })
		case 8:
			m.encrypted = true
			t.skip(kind)
		default:
			t.skip(kind)
		}
	})
	if strings.HasPrefix(m.writer, "fastparquet") {
		m.dropOldBounds()
	}
	return m, t.err
}

// dropOldBounds forgets the deprecated minima and maxima. fastparquet compares
// the values of a categorical column by the order of its categories.
func (m *metadata) dropOldBounds() {
	for _, g := range m.groups {
		for i := range g.chunks {
			s := &g.chunks[i].statistics
			s.oldMin, s.oldMax = nil, nil
		}
	}
}

func (t *thrift) schemaElement() schemaElement {
	e := schemaElement{converted: -1}
	t.fields(&elementSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			e.physical, e.isLeaf = Physical(t.int32()), true
		case 2:
			e.length = t.int32()
		case 3:
			e.repetition = t.int32()
		case 4:
			e.name = string(t.binary())
		case 5:
			e.children = t.int32()
		case 6:
			e.converted = t.int32()
		case 7:
			e.scale = t.int32()
		case 8:
			e.precision = t.int32()
		case 10:
			e.logical = t.logical()
		default:
			t.skip(kind)
		}
	})
	return e
}

func (t *thrift) columnOrder() (o columnOrder) {
	t.fields(&orderSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			o = typeOrder
		case 2:
			o = totalOrder
		}
		t.skip(kind)
	})
	return o
}

func (t *thrift) rowGroup() (g rowGroup) {
	t.fields(&groupSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			t.list(thriftStruct, func() { g.chunks = append(g.chunks, t.chunk()) })
		case 3:
			g.rows = t.int64()
		default:
			t.skip(kind)
		}
	})
	return g
}

func (t *thrift) chunk() chunk {
	c := chunk{physical: -1, codec: -1, statistics: statistics{nulls: -1}}
	t.fields(&chunkSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			c.file = len(t.binary()) > 0
		case 3:
			t.columnMetadata(&c)
		case 8, 9:
			c.encrypted = true
			t.skip(kind)
		default:
			t.skip(kind)
		}
	})
	return c
}

func (t *thrift) columnMetadata(c *chunk) {
	t.fields(&columnSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			c.physical = Physical(t.int32())
		case 3:
			t.list(thriftBinary, func() { c.path = append(c.path, string(t.binary())) })
		case 4:
			c.codec = codec(t.int32())
		case 5:
			c.values = t.int64()
		case 7:
			c.compressed = t.int64()
		case 9:
			c.data = t.int64()
		case 11:
			c.dictionary = t.int64()
		case 12:
			c.statistics = t.statistics()
		default:
			t.skip(kind)
		}
	})
}

func (t *thrift) statistics() statistics {
	s := statistics{nulls: -1}
	t.fields(&statisticsSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			s.oldMax = t.binary()
		case 2:
			s.oldMin = t.binary()
		case 3:
			s.nulls = t.int64()
		case 5:
			s.max = t.binary()
		case 6:
			s.min = t.binary()
		case 7:
			s.maxExact = kind == thriftTrue
		case 8:
			s.minExact = kind == thriftTrue
		default:
			t.skip(kind)
		}
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
	t.fields(&pageSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			h.kind = t.int32()
		case 2:
			h.size = t.int32()
		case 3:
			h.compressed = t.int32()
		case 4:
			h.checksum, h.hasChecksum = uint32(t.int32()), true
		case 5:
			t.dataHeader(&h)
		case 7:
			t.dictionaryHeader(&h)
		case 8:
			t.dataHeaderV2(&h)
		default:
			t.skip(kind)
		}
	})
	return h, t.at, t.err
}

func (t *thrift) dataHeader(h *pageHeader) {
	h.hasValues = true
	t.fields(&dataSpec, func(id int16, kind byte) {
		switch id {
		case 1:
			h.values = t.int32()
		case 2:
			h.encoding = encoding(t.int32())
		case 3:
			h.levels = encoding(t.int32())
		default:
			t.skip(kind)
		}
	})
}

func (t *thrift) dictionaryHeader(h *pageHeader) {
	h.hasDictionary = true
	t.fields(&dictionarySpec, func(id int16, kind byte) {
		switch id {
		case 1:
			h.values = t.int32()
		case 2:
			h.encoding = encoding(t.int32())
		default:
			t.skip(kind)
		}
	})
}

func (t *thrift) dataHeaderV2(h *pageHeader) {
	h.hasValues, h.isV2 = true, true
	t.fields(&dataV2Spec, func(id int16, kind byte) {
		switch id {
		case 1:
			h.values = t.int32()
		case 2:
			h.nulls = t.int32()
		case 3:
			h.rows = t.int32()
		case 4:
			h.encoding = encoding(t.int32())
		case 5:
			h.defLength = t.int32()
		case 6:
			h.repLength = t.int32()
		case 7:
			h.isPlain = kind == thriftFalse
		default:
			t.skip(kind)
		}
	})
}
