package perturb

import (
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Call is a path of calls that leads to operations: a slot of a table with
// open addressing, by Hash.
type Call struct {
	Hash   uint64         // of the path; 0 where the slot is free
	Listed uint64         // 1: perturbed with Header.Calls = OnlyListed
	Text   [CallText]byte // see describe
}

// The sizes of the table, and of a path. MinDepth frames hold the frames of
// this package and some of the program's.
const (
	CallSlots = 4096
	CallText  = 496
	MaxDepth  = 32
	MinDepth  = 8
)

// The values of Header.Calls, if it is not 0.
const (
	AllCalls   = 1 // note every path
	OnlyListed = 2 // leave the operations of the others alone, too
)

// isLeftAlone reports whether the operations of the current path are not
// perturbed. It notes the path if that is new, and the table has a free slot;
// Header.Full counts the operations that found none.
func isLeftAlone() bool {
	var pcs [MaxDepth]uintptr
	n := runtime.Callers(2, pcs[:min(header.Depth, MaxDepth)])
	h := uint64(n)
	for _, pc := range pcs[:n] {
		h = mix(h ^ uint64(pc-pcs[0])) // systems load a program at other addresses each time
	}
	h |= 1
	only := header.Calls == OnlyListed
	for i := range uint64(CallSlots) {
		c := &calls[(h>>1+i)%CallSlots]
		if atomic.LoadUint64(&c.Hash) == 0 && atomic.CompareAndSwapUint64(&c.Hash, 0, h) {
			describe(c, pcs[:n])
			return only
		}
		if atomic.LoadUint64(&c.Hash) == h {
			return only && c.Listed == 0
		}
	}
	count(&header.Full)
	return only
}

// describe writes the path to a slot: a line with the file of the operation,
// and a line for each frame, the outermost first, as far as there is room.
func describe(c *Call, pcs []uintptr) {
	frames := runtime.CallersFrames(pcs)
	text, file := "", ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "lastbit/perturb."):
			continue
		case strings.HasPrefix(f.Function, "runtime."):
			more = false
			continue
		case file == "":
			file = f.File
		}
		longer := "\n" + f.Function + ":" + strconv.Itoa(f.Line) + text
		if len(file)+len(longer) > CallText {
			break
		}
		text = longer
	}
	copy(c.Text[:], file+text)
}
