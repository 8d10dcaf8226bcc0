package dataset

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// pageSize is the number of elements of a page, and the bytes of a page of
// texts.
const pageSize = 1 << 14

// A list is a sequence that grows page by page: a slice that grew would be
// copied, and be in memory twice.
type list[T any] struct {
	pages [][]T
	n     int
}

func (l *list[T]) at(i int) *T { return &l.pages[i/pageSize][i%pageSize] }

func (l *list[T]) append(v T) {
	if l.n == len(l.pages)*pageSize {
		l.pages = append(l.pages, make([]T, pageSize))
	}
	*l.at(l.n) = v
	l.n++
}

// An index finds the places of keys in a list by their hashes: a table with
// open addressing, at most half full, of places plus 1.
type index struct {
	slots []uint32
	n     int
}

// find returns the place of a key with a hash, and true; or false, and the slot
// to put it in.
func (x *index) find(hash uint64, isKey func(place int) bool) (place int, slot *uint32) {
	if x.slots == nil {
		x.slots = make([]uint32, 1<<6)
	}
	for i := hash; ; i++ {
		s := &x.slots[i&uint64(len(x.slots)-1)]
		if *s == 0 {
			return -1, s
		}
		if isKey(int(*s - 1)) {
			return int(*s - 1), nil
		}
	}
}

// put puts a place in a slot that find returned. hashOf returns the hash of any
// place's key.
func (x *index) put(slot *uint32, place int, hashOf func(place int) uint64) {
	*slot = uint32(place + 1)
	if x.n++; 2*x.n < len(x.slots) {
		return
	}
	old := x.slots
	x.slots = make([]uint32, 2*len(old))
	for _, s := range old {
		if s != 0 {
			_, slot := x.find(hashOf(int(s-1)), func(int) bool { return false })
			*slot = s
		}
	}
}

// texts holds texts, each after its length, and finds their numbers.
type texts struct {
	seed   maphash.Seed
	index  index
	places list[uint64] // of each text: its page, and its offset there
	pages  [][]byte
}

// at returns text i.
func (t *texts) at(i int) []byte {
	p := *t.places.at(i)
	b := t.pages[p>>32][uint32(p):]
	n, k := binary.Uvarint(b)
	return b[k:][:n]
}

func (t *texts) hash(b []byte) uint64 { return maphash.Bytes(t.seed, b) }

// number returns the number of a text, and whether it is new.
func (t *texts) number(b []byte) (i int, isNew bool) {
	if t.index.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	i, slot := t.index.find(t.hash(b), func(i int) bool { return bytes.Equal(t.at(i), b) })
	if slot == nil {
		return i, false
	}
	i = t.places.n
	t.add(b)
	t.index.put(slot, i, func(i int) uint64 { return t.hash(t.at(i)) })
	return i, true
}

// add appends a text.
func (t *texts) add(b []byte) {
	need := len(b) + binary.MaxVarintLen64
	last := len(t.pages) - 1
	if last < 0 || cap(t.pages[last])-len(t.pages[last]) < need {
		t.pages = append(t.pages, make([]byte, 0, max(pageSize, need)))
		last++
	}
	p := t.pages[last]
	t.places.append(uint64(last)<<32 | uint64(len(p)))
	t.pages[last] = append(binary.AppendUvarint(p, uint64(len(b))), b...)
}

// words holds numbers of 128 bits, most of them of 64, and finds their places.
type words struct {
	index index
	low   list[uint64]
	high  map[int]uint64 // what is not 0
}

// hashWords mixes the bits of a number: the finalizer of MurmurHash3.
func hashWords(w [2]uint64) uint64 {
	h := w[0] ^ w[1]*0x9e3779b97f4a7c15
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// number returns the number of w, and whether it is new.
func (t *words) number(w [2]uint64) (i int, isNew bool) {
	i, slot := t.index.find(hashWords(w), func(i int) bool {
		return *t.low.at(i) == w[0] && (w[1] == 0 && t.high == nil || t.high[i] == w[1])
	})
	if slot == nil {
		return i, false
	}
	i = t.low.n
	t.low.append(w[0])
	if w[1] != 0 {
		if t.high == nil {
			t.high = map[int]uint64{}
		}
		t.high[i] = w[1]
	}
	t.index.put(slot, i, func(i int) uint64 {
		return hashWords([2]uint64{*t.low.at(i), t.high[i]})
	})
	return i, true
}
