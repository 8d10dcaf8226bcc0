package sums

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/lastbit/lastbit/probe"
)

// A Budget bounds the groups that a program may hold: every key needs exact
// sums of its own, and a program that runs out of memory ends without a
// message. A nil Budget bounds nothing.
type Budget struct {
	maxKeys int   // of a result; 0 if memory alone bounds them
	memory  int64 // bytes for the groups of all results; 0 if unknown
	used    int64 // bytes so far
	looked  int64 // used, when the limits of the process were last read
}

// lookEvery is the bytes of groups after which a budget reads the limits of
// the process again: what threads and their stacks take in the meantime is not
// its own, but leaves it less.
const lookEvery = 2 << 20

// NewBudget returns a budget of at most maxKeys groups. For 0 the bound is the
// number that fits into free bytes of memory and into the limits of the
// process.
func NewBudget(maxKeys int, free int64) *Budget {
	b := &Budget{maxKeys: maxKeys}
	if maxKeys == 0 {
		b.memory = withinLimits(free)
	}
	return b
}

// Bytes of memory that a group takes, measured with 600,000 of them: about half
// is garbage that the collector has not found yet. groupBytes is for the key
// and the result, sumBytes for each exact sum and the rows that wait for it.
const (
	groupBytes = 1 << 10
	sumBytes   = 3 << 10
)

// Bytes of a group of compactGroups and its key, and of each of its sums,
// measured with a million of them.
const (
	compactBytes    = 96
	compactSumBytes = 96
)

// cost returns the bytes of a group with a number of sums.
func cost(sums int) int64 { return groupBytes + int64(sums)*sumBytes }

// Take accounts for one more group, of some sums, of a result that has some
// keys already.
func (b *Budget) Take(by string, keys, sums int) error { return b.take(by, keys, cost(sums)) }

// take accounts for one more group, of some bytes, of a result that has some
// keys already.
func (b *Budget) take(by string, keys int, bytes int64) error {
	if b == nil {
		return nil
	}
	if b.maxKeys > 0 && keys >= b.maxKeys {
		return tooManyKeys(by, b.maxKeys, "keys, as --max-keys bounds them", "raise --max-keys")
	}
	return b.fill(by, keys, bytes)
}

// fill accounts for bytes of a result that has some keys.
func (b *Budget) fill(by string, keys int, bytes int64) error {
	if b.used += bytes; b.memory > 0 && b.used > b.memory || b.limited() {
		const limit = "keys, and the sums of more do not fit into free memory"
		return tooManyKeys(by, keys, limit,
			"give more memory (ulimit -v); --max-keys sets another bound")
	}
	return nil
}

// limited reports whether the process has come close to its limits, which it
// reads when lookEvery bytes are used since the last time.
func (b *Budget) limited() bool {
	if b.memory == 0 || b.used-b.looked < lookEvery {
		return false
	}
	b.looked = b.used
	return room() < reserve
}

// more accounts for more sums of a group, of a result that has some keys.
func (b *Budget) more(by string, keys, sums int) error {
	if b == nil {
		return nil
	}
	return b.fill(by, keys, int64(sums)*sumBytes)
}

// recount accounts for the groups of p alone, after others were merged into it.
func (b *Budget) recount(p *Partial) error {
	if b == nil {
		return nil
	}
	b.used, b.looked = 0, 0
	for _, s := range p.results {
		for _, g := range s.groups {
			b.used += cost(g.total.(*exactTotal).size())
		}
		if p.grouped && b.maxKeys > 0 && len(s.groups) > b.maxKeys {
			return b.take(p.by, len(s.groups), cost(0))
		}
	}
	return nil
}

func tooManyKeys(by string, bound int, limit, cure string) error {
	return &probe.Fault{
		ID: "too-many-keys", Thing: "--by " + by,
		Cause: fmt.Sprintf("there are more than %d %s", bound, limit),
		Cure:  "choose a column with fewer keys, or " + cure,
	}
}

// reserve is the memory of the rest of the program: buffers, threads, and the
// heap's own arenas of 64 MiB. minMemory bounds the bytes of groups from below:
// a program with less dies while it starts.
const (
	reserve   = 192 << 20
	minMemory = 16 << 20
)

// withinLimits returns the bytes that groups may take, of free ones: 0 if
// nothing bounds them.
func withinLimits(free int64) int64 {
	left := int64(math.MaxInt64)
	if free > 0 {
		left = free
	}
	if room := room(); room < math.MaxInt64 {
		left = min(left, max(room-reserve, minMemory))
	}
	if left == math.MaxInt64 {
		return 0
	}
	return left
}

// room returns the bytes that are left of the limits of the process, and
// math.MaxInt64 without one. Go's own limit is soft, and bounds nothing.
func room() int64 {
	const cgroup = "/sys/fs/cgroup/memory."
	page := int64(os.Getpagesize())
	// The kernel takes the pages of files back before it ends a process.
	files := numberAfter(cgroup+"stat", "inactive_file", 1)
	left := int64(math.MaxInt64)
	for _, l := range []struct{ limit, used int64 }{
		{numberAfter("/proc/self/limits", "Max address space", 1),
			numberAfter("/proc/self/statm", "", page)},
		{numberAfter(cgroup+"max", "", 1), numberAfter(cgroup+"current", "", 1) - files},
	} {
		if l.limit > 0 {
			left = min(left, max(l.limit-l.used, 0))
		}
	}
	return left
}

// numberAfter returns the number that follows a label in a file, in some unit;
// 0 without a number, as for a limit that is unlimited.
func numberAfter(file, label string, unit int64) int64 {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(content, []byte(label))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil || n > math.MaxInt64/unit {
		return 0
	}
	return n * unit
}
