package instrument

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// Settings choose how the operations of a run are rounded.
type Settings struct {
	Perturb bool    // round up or down at random
	Profile bool    // record what the operations do
	Free    bool    // toss a coin for every execution, even of equal operands
	Seed    uint64  // fixes every coin, unless Free is set; see perturb.Away
	Sites   []bool  // the sites that are perturbed, by number; nil means all
	Calls   bool    // note the paths of calls that lead to operations
	Depth   int     // frames of such a path, from the innermost; MaxDepth if 0
	Mode    Mode    // with Perturb
	Share   float64 // of the operations that are perturbed; 0 means all
	Jitter  uint64  // makes goroutines take other turns, if not 0
	Narrow  []bool  // the sites whose results are rounded to float32; nil means none

	// Jolts, if not nil, has numbers of sites, or 0: the results of a site are
	// moved by 2^(1-n) of their size, or, for a sum, of its operands' size, and
	// comparisons of operands that differ by less come out either way, with
	// Profile. Seeds 2n and 2n+1 have opposite moves.
	Jolts []uint8

	// Only, if not nil, has the paths whose operations are perturbed, with
	// Calls.
	Only []Call
}

// The bounds of Settings.Depth. Frames of package perturb count.
const (
	MaxDepth = perturb.MaxDepth
	MinDepth = perturb.MinDepth
)

// A Call is a path of calls that leads to operations of a program.
type Call struct {
	hash   uint64
	File   string   // the path of the file with the operations
	Frames []string // function:line, the outermost first; the last has the operations
}

// callMode returns the value of Header.Calls.
func (s Settings) callMode() uint64 {
	switch {
	case !s.Calls:
		return 0
	case s.Only == nil:
		return perturb.AllCalls
	}
	return perturb.OnlyListed
}

// shareOf returns the value of Header.Share.
func (s Settings) shareOf() uint64 {
	if s.Share <= 0 || s.Share >= 1 {
		return 0
	}
	return uint64(s.Share * 0x1p64) //lastbit:ignore floatconv below 2^64
}

// MaxJolt is the largest number of Settings.Jolts.
const MaxJolt = perturb.MaxJolt

// writeControl writes a control file for a number of sites.
func writeControl(path string, s Settings, sites int) error {
	n := uint64(sites)
	data := make([]byte, perturb.RecordOffset(n))
	header := []uint64{perturb.Magic, n, s.Seed, one(s.Perturb), one(s.Profile), one(s.Free),
		0, s.callMode(), uint64(cmp.Or(s.Depth, MaxDepth)), 0, s.Jitter, 0,
		s.Mode.Rounding, uint64(s.Mode.Precision), uint64(s.Mode.Exponent), s.shareOf()}
	for i, v := range header {
		binary.NativeEndian.PutUint64(data[8*i:], v)
	}
	for i := range sites {
		if s.Sites == nil || s.Sites[i] {
			data[int(perturb.MaskOffset)+i] = perturb.Perturbed
		}
		if s.Narrow != nil && s.Narrow[i] {
			data[int(perturb.MaskOffset)+i] |= perturb.Narrowed
		}
		if s.Jolts != nil {
			data[int(perturb.MaskOffset)+i] |= s.Jolts[i] << perturb.JoltBit
		}
	}
	if s.Calls {
		table := make([]perturb.Call, perturb.CallSlots)
		for _, c := range s.Only {
			list(table, c.hash)
		}
		data = append(data, make([]byte, perturb.CallOffset(n, s.Profile)-uint64(len(data)))...)
		data = append(data, bytesOf(table)...)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	return os.Truncate(path, int64(perturb.Size(n, s.Profile, s.Calls)))
}

// list puts a path into a table of calls, at the place where package perturb
// looks for it.
func list(table []perturb.Call, hash uint64) {
	for i := range uint64(len(table)) {
		c := &table[(hash>>1+i)%uint64(len(table))]
		if c.Hash == 0 || c.Hash == hash {
			c.Hash, c.Listed = hash, 1
			return
		}
	}
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// read reads the records and the calls of a control file.
func (o *Output) read(path string, sites int, s Settings) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n := uint64(sites)
	if want := perturb.Size(n, s.Profile, s.Calls); uint64(len(data)) != want {
		return fmt.Errorf("instrument: %s has %d bytes, not %d", path, len(data), want)
	}
	o.Forked = binary.NativeEndian.Uint64(data[unsafe.Offsetof(perturb.Header{}.Forked):]) != 0
	if s.Profile {
		o.Records = make([]perturb.Record, sites)
		copy(bytesOf(o.Records), data[perturb.RecordOffset(n):])
	}
	if !s.Calls {
		return nil
	}
	full := data[unsafe.Offsetof(perturb.Header{}.Full):]
	o.Unlisted = binary.NativeEndian.Uint64(full)
	table := make([]perturb.Call, perturb.CallSlots)
	copy(bytesOf(table), data[perturb.CallOffset(n, s.Profile):])
	for _, c := range table {
		text := string(bytes.TrimRight(c.Text[:], "\x00"))
		if lines := strings.Split(text, "\n"); text != "" && len(lines) > 1 {
			o.Calls = append(o.Calls, Call{c.Hash, lines[0], lines[1:]})
		}
	}
	return nil
}
