package perturb

import (
	"errors"
	"os"
	"slices"
	"unsafe"
)

// Variable is the environment variable that names the control file.
const Variable = "LASTBIT_PERTURB"

// Magic begins a control file; its last digit is the version of the format.
const Magic = 0x6c61737462697433

// Header begins a control file. Sites masks follow, a byte for each site:
// Perturbed, Narrowed, both, or 0 to leave the operations of the site alone.
// Sites records follow, if Profile is not 0, at the next multiple of 8, and
// then CallSlots calls, if Calls is not 0.
type Header struct {
	Magic   uint64
	Sites   uint64
	Seed    uint64
	Perturb uint64 // 1: round up or down at random
	Profile uint64 // 1: fill the records
	Free    uint64 // 1: every execution tosses its own coin, even of equal operands
	Counter uint64 // of coins, if Free
	Calls   uint64 // 0, AllCalls or OnlyListed
	Depth   uint64 // frames of a path of calls, from the innermost, at most MaxDepth
	Full    uint64 // operations whose path found no free slot
	Jitter  uint64 // not 0: goroutines give way at places that hang on this number
	Forked  uint64 // goroutines that the program started

	Mode                uint64 // of rounding: Random, Stochastic, MonteCarlo or ShortFormat
	Precision, Exponent uint64 // bits of the significand, and of the exponent's field
	Share               uint64 // of operations that are perturbed, of 2^64; 0 is all
}

// Samples is the number of executions of a site that a record keeps: the first
// ones, then every second of the next as many, and so on.
const Samples = 48

// A Record describes the executions of a site.
type Record struct {
	Count     uint64 // executions
	Inexact   uint64 // 1 if one had a rounding error
	Cancelled uint64 // sums that lost at least CancelBits leading bits
	True      uint64 // comparisons that held
	NaN       uint64 // results NaN or infinite of finite operands
	Rounded   uint64 // conversions to an integer: a checksum of their results
	Single    uint64 // 1 if results are float32

	// Shared is 1 if another goroutine than the first executed the site. Then
	// the numbers of executions hang on the schedule, and Spread has some
	// executions of the other goroutines. A Number there is a hash. Lock guards
	// it.
	Shared uint64
	Lock   uint32
	_      uint32
	Sample [Samples]Sample
	Spread [Spread]Sample
}

// Spread is the number of executions of other goroutines that a record keeps.
const Spread = 16

// A Sample is one execution: its number, the operands and the result.
type Sample struct {
	Number  uint64 // from 1, or a hash in Spread; 0 where there is none
	A, B, R float64
}

// CancelBits is the drop of the exponent in a sum that counts as cancellation.
const CancelBits = 10

// The bits of a mask.
const (
	Perturbed = 1 // if Header.Perturb is set
	Narrowed  = 2 // round results to float32

	// JoltBit is the first of six bits with the number of jolt.
	JoltBit = 2
	MaxJolt = 1<<6 - 1
)

// settings of this process; without a control file, none.
var (
	active    bool // an operation must do more than compute
	recording bool // it must be recorded
	free      bool // Header.Free
	header    *Header
	records   []Record
	calls     []Call   // nil if paths of calls do not matter
	narrowed  []bool   // by site; nil if none is
	keys      []uint64 // by site: the seed's key, or 0 to leave its operations alone
)

// MaskOffset and RecordOffset are the places of the masks and the records in a
// control file.
const MaskOffset = unsafe.Sizeof(Header{})

// RecordOffset returns the offset of the records for a number of sites.
func RecordOffset(sites uint64) uint64 { return (uint64(MaskOffset) + sites + 7) &^ 7 }

// CallOffset returns the offset of the calls.
func CallOffset(sites uint64, profile bool) uint64 {
	n := RecordOffset(sites)
	if profile {
		n += sites * uint64(unsafe.Sizeof(Record{}))
	}
	return n
}

// Size returns the size of a control file.
func Size(sites uint64, profile, calls bool) uint64 {
	n := CallOffset(sites, profile)
	if calls {
		n += CallSlots * uint64(unsafe.Sizeof(Call{}))
	}
	return n
}

func init() {
	if path := os.Getenv(Variable); path != "" {
		if err := open(path); err != nil {
			os.Stderr.WriteString("lastbit: the control file: " + err.Error() + "\n")
			os.Exit(2)
		}
	}
}

var errFormat = errors.New("not a control file of this version")

// open maps the control file and takes its settings.
func open(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < int64(MaskOffset) {
		return errFormat
	}
	data, err := mapFile(f, int(info.Size()))
	if err != nil {
		return err
	}
	return use(data)
}

// use takes the settings of a control file in memory.
func use(data []byte) error {
	h := (*Header)(unsafe.Pointer(&data[0]))
	if h.Magic != Magic || uint64(len(data)) < Size(h.Sites, h.Profile != 0, h.Calls != 0) {
		return errFormat
	}
	header, free, records = h, h.Free != 0, nil
	keys, narrowed, jolts = make([]uint64, h.Sites), nil, nil
	setMode(h)
	directed, away = h.Seed >= Toward, h.Seed<<63
	joltKey, joltWay = coinKey(h.Seed>>1), h.Seed&1 != 0
	for i, m := range data[MaskOffset:][:h.Sites] {
		if h.Perturb != 0 && m&Perturbed != 0 {
			keys[i] = coinKey(h.Seed)
		}
		if m&Narrowed != 0 {
			if narrowed == nil {
				narrowed = make([]bool, h.Sites)
			}
			narrowed[i] = true
		}
		if n := m >> JoltBit; n != 0 {
			if jolts == nil {
				jolts = make([]uint8, h.Sites)
			}
			jolts[i] = n
		}
	}
	if h.Profile != 0 && h.Sites > 0 {
		records = unsafe.Slice((*Record)(unsafe.Pointer(&data[RecordOffset(h.Sites)])), h.Sites)
	}
	calls = nil
	if h.Calls != 0 {
		at := CallOffset(h.Sites, h.Profile != 0)
		calls = unsafe.Slice((*Call)(unsafe.Pointer(&data[at])), CallSlots)
	}
	recording = records != nil
	quick = 0
	slow := recording || free || calls != nil || narrowed != nil || jolts != nil ||
		mode != Random || share != 0 || directed
	if !slow && len(keys) > 0 && !slices.Contains(keys, 0) {
		quick = keys[0]
	}
	active = h.Perturb != 0 || recording || narrowed != nil || jolts != nil
	return nil
}
