package record

import (
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Environment variables of a program that is recorded.
const (
	// Variable names the file of the log, which must be new: a second process
	// with the same environment notes nothing.
	Variable = "LASTBIT_RECORD"
	// OnlyVariable has a function, a number and the hash of arguments, in
	// hexadecimal and with colons between. Only this function is noted. The
	// program ends after that number of calls, or after a call with these
	// arguments unless the hash is 0.
	OnlyVariable = "LASTBIT_RECORD_ONLY"
	// AloneVariable, if it is not empty, leaves out generated calls of other
	// functions than the one of OnlyVariable or ShowVariable.
	AloneVariable = "LASTBIT_RECORD_ALONE"
	// ShowVariable has a function and the hash of arguments: the log becomes a
	// text of the first such call, after which the program ends.
	ShowVariable = "LASTBIT_RECORD_SHOW"
)

// EntrySize is the size of an entry of the log: the function, and the hashes of
// the arguments and of the results, as little-endian words.
const EntrySize = 24

// Panic is the hash of the results of a generated call that ends in a panic.
const Panic = ^uint64(0)

// Trailer is the function of the last entry, whose other words are the number
// of calls that were not noted, and 0.
const Trailer = ^uint64(0)

// Bounds of the calls that are noted, beside those with generated arguments.
const (
	maxCalls = 100_000   // of a function
	maxWords = 1 << 27   // of the values of a function
	maxLog   = 4_000_000 // calls of a program
)

// stopped is the exit code after OnlyVariable or ShowVariable: the testing
// package takes 0 for a mistake.
const stopped = 3

// recorder notes the calls of a program.
type recorder struct {
	mu       sync.Mutex
	file     *os.File
	buffer   []byte
	noted    int
	left     atomic.Uint64 // calls that were not noted
	only     uint64        // a function, or 0
	end      int           // the calls of it
	endArgs  uint64        // the arguments of the last call
	show     uint64        // a function, or 0
	showArgs uint64
	alone    bool // generated calls are calls of this function
	// generated is the function whose call with generated arguments begins, or
	// 0.
	generated atomic.Uint64

	functions map[uint64]*Function
}

var running = start()

// start reads the environment.
func start() *recorder {
	name := os.Getenv(Variable)
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil
	}
	r := &recorder{file: file, functions: map[uint64]*Function{}}
	only, show := numbers(os.Getenv(OnlyVariable)), numbers(os.Getenv(ShowVariable))
	r.only, r.end, r.endArgs = only[0], int(only[1]), only[2]
	r.show, r.showArgs = show[0], show[1]
	r.alone = os.Getenv(AloneVariable) != ""
	return r
}

// numbers reads up to three numbers.
func numbers(s string) (all [3]uint64) {
	for i, text := range strings.SplitN(s, ":", len(all)) {
		all[i], _ = strconv.ParseUint(text, 16, 64)
	}
	return all
}

// A Function is one whose calls are noted.
type Function struct {
	id    uint64
	other bool        // another function is the only one whose calls are noted
	full  atomic.Bool // no further call is noted, except generated ones
	calls int
	words int // of arguments and results
}

// New returns the function with a number, which is not 0.
func New(id uint64) *Function {
	f := &Function{id: id}
	f.other = running == nil || running.show != 0 && running.show != id ||
		running.only != 0 && running.only != id
	if running != nil {
		running.mu.Lock()
		defer running.mu.Unlock()
		running.functions[id] = f
	}
	return f
}

// function returns the function with a number.
func (r *recorder) function(id uint64) *Function {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.functions[id]
}

// IsFull reports whether a call is not to be noted.
func (f *Function) IsFull() bool {
	if f != nil && !f.other && (!f.full.Load() || running.generated.Load() == f.id) {
		return false
	}
	if running != nil {
		running.left.Add(1)
	}
	return true
}

// A Call is a call that has begun.
type Call struct {
	function  *Function
	args      uint64
	words     int    // of the arguments
	text      string // of the arguments, if this call is shown
	generated bool   // the arguments are
}

// Begin notes the arguments of a call.
func (f *Function) Begin(args ...any) Call {
	var h hasher
	h.arguments(args)
	c := Call{function: f, args: h.sum, words: h.words,
		generated: running.generated.CompareAndSwap(f.id, 0)}
	if running.show == f.id && running.showArgs == c.args {
		c.text = describe("argument", args)
	}
	return c
}

// End notes the results of a call, and what it may have changed: the contents
// of slices and what pointers lead to.
func (c Call) End(results, changed []any) {
	if c.text != "" {
		running.print(c.text + describe("result", results) + describe("changed", changed))
	}
	var h hasher
	h.results(results)
	h.changed(changed)
	c.words += h.words
	if running.note(c, h.sum) {
		os.Exit(stopped)
	}
}

// note appends an entry to the log, and reports whether it is the last one that
// is wanted.
func (r *recorder) note(c Call, results uint64) (isLast bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := c.function
	if r.show != 0 || f.other || f.full.Load() && !c.generated {
		return false
	}
	if !c.generated {
		f.calls++
		f.words += c.words
		r.noted++
		f.full.Store(f.calls >= maxCalls || f.words >= maxWords || r.noted >= maxLog)
	}
	r.append(f.id, c.args, results)
	r.end--
	return r.only != 0 && (r.end == 0 || r.endArgs != 0 && r.endArgs == c.args)
}

func (r *recorder) append(words ...uint64) {
	for _, w := range words {
		r.buffer = binary.LittleEndian.AppendUint64(r.buffer, w)
	}
	if len(r.buffer) > 1<<20 {
		r.write()
	}
}

// write writes the buffer. A log that cannot be written is short, which its
// reader sees.
func (r *recorder) write() {
	_, _ = r.file.Write(r.buffer)
	r.buffer = r.buffer[:0]
}

// print writes the text of a call, and ends the program.
func (r *recorder) print(text string) {
	r.mu.Lock()
	_, _ = r.file.WriteString(text)
	r.mu.Unlock()
	os.Exit(stopped)
}

// Flush ends the log, as the last thing that the program does.
func Flush() {
	r := running
	if r == nil || r.show != 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		r.append(Trailer, r.left.Load(), 0)
		r.write()
		_ = r.file.Close()
		r.file = nil
	}
}
