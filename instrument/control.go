package instrument

import (
	"encoding/binary"
	"fmt"
	"os"
	"unsafe"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// Settings choose how the operations of a run are rounded.
type Settings struct {
	Perturb bool   // round up or down at random
	Profile bool   // record what the operations do
	Free    bool   // toss a coin for every execution, even of equal operands
	Seed    uint64 // fixes every coin, unless Free is set
	Sites   []bool // the sites that are perturbed, by number; nil means all
	Narrow  []bool // the sites whose results are rounded to float32; nil means none
}

// writeControl writes a control file for a number of sites.
func writeControl(path string, s Settings, sites int) error {
	n := uint64(sites)
	data := make([]byte, perturb.RecordOffset(n))
	header := []uint64{perturb.Magic, n, s.Seed, one(s.Perturb), one(s.Profile), one(s.Free)}
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
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	return os.Truncate(path, int64(perturb.Size(n, s.Profile)))
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// readRecords reads the records of a control file.
func readRecords(path string, sites int) ([]perturb.Record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := uint64(sites)
	if uint64(len(data)) != perturb.Size(n, true) {
		return nil, fmt.Errorf("instrument: %s has %d bytes, not %d", path, len(data),
			perturb.Size(n, true))
	}
	records := make([]perturb.Record, sites)
	if sites > 0 {
		to := unsafe.Slice((*byte)(unsafe.Pointer(&records[0])),
			sites*int(unsafe.Sizeof(perturb.Record{})))
		copy(to, data[perturb.RecordOffset(n):])
	}
	return records, nil
}
