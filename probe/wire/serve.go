package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Hello is the request of a host.
type Hello struct {
	Key   probe.Key         // the computation; Target is empty, Threads is 1 by default
	Lanes int               // inputs per call
	Extra map[string]string // the fields that are not the protocol's own
}

// Session is a program's answer to a Hello.
type Session struct {
	// Key is the key of the request. Its Library, Version, Kernel, Runtime,
	// Out, Mean and Threads go to the host.
	Key probe.Key
	// Lanes is the number of lanes of a call; 0 accepts the number of the host.
	Lanes int
	// Call computes out from x (Lanes·N values) and y (N values; empty for
	// sums), dense arrays of Key.DType in the machine's byte order; out holds
	// Lanes values of Key.Out. The slices are valid until it returns, and start
	// at any address.
	Call func(x, y, out []byte) error
	// Keeps reports that nothing writes to x and y, not even the code under
	// test. A call that differs from the last one in a few values then costs
	// the host less.
	Keeps bool
	// Cells computes the whole matrix of outputs, M·Cols of them, row by row.
	// It may be nil.
	Cells func(x, y, all []byte) error
	// Reach holds the largest offsets that Move takes.
	Reach probe.Placement
	// Move places the operands of the next calls past their own places, or at
	// these. It is nil where Reach is zero.
	Move func(at probe.Placement)
	// Close releases what the session holds. It may be nil.
	Close func()
}

// Serve runs the program's side of the protocol: it reads a hello from r, asks
// open for a session, and answers calls until r ends. extra names the fields
// beyond the protocol's that open understands; any other is refused. Errors and
// panics of the session go to the host as text. The error returned comes from r
// or w, or from a hello that made no sense.
func Serve(r io.Reader, w io.Writer, open func(Hello) (*Session, error), extra ...string) error {
	s := &server{r: bufio.NewReaderSize(r, maxLine), w: bufio.NewWriterSize(w, maxLine)}
	h, shm, err := s.hello(extra)
	if err == nil {
		s.hi = h
		s.session, err = guard(func() (*Session, error) { return open(h) })
	}
	if err != nil {
		return errors.Join(s.fail(err), err)
	}
	if s.session.Close != nil {
		defer s.session.Close()
	}
	if err := s.agree(shm); err != nil {
		return err
	}
	if s.mem != nil {
		defer s.mem.close()
	}
	for {
		if err := s.call(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// maxOffered bounds the values of a matrix that a host asks for.
const maxOffered = 1 << 30

// server is one connection.
type server struct {
	r       *bufio.Reader
	w       *bufio.Writer
	hi      Hello
	session *Session
	lanes   int
	mem     *shared
	place   layout
	at      probe.Placement // of the operands
	in, out []byte
}

// hello reads the first line.
func (s *server) hello(extra []string) (h Hello, shm string, err error) {
	line, err := s.r.ReadString('\n')
	if err != nil {
		return h, "", fmt.Errorf("no hello: %w", err)
	}
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "lastbit" || words[1] != fmt.Sprint(Version) {
		return h, "", fmt.Errorf("this program speaks version %d of the protocol, not %s", Version,
			quote(strings.TrimSpace(line)))
	}
	fields, err := parseFields(words[2:])
	if err != nil {
		return h, "", err
	}
	h = Hello{Key: probe.Key{Threads: 1}, Extra: map[string]string{}}
	for _, f := range fields {
		known, err := setHello(&h.Key, &h.Lanes, f)
		switch {
		case err != nil:
			return h, "", err
		case f.Name == "shm":
			shm = f.Value
		case !known && slices.Contains(extra, f.Name):
			h.Extra[f.Name] = f.Value
		case !known:
			return h, "", fmt.Errorf("unknown key %s", quote(f.Name))
		}
	}
	if h.Key.Op == "" || !h.Key.DType.Valid() || h.Key.N == 0 || h.Lanes == 0 {
		return h, "", errors.New("a hello needs op, dtype, n and lanes")
	}
	if k := h.Key; h.Lanes > maxOffered/k.N || max(k.M, h.Lanes) > maxOffered/max(k.Cols, 1) {
		return h, "", errors.New("that is more than fits into a call")
	}
	return h, shm, nil
}

// agree answers the hello.
func (s *server) agree(shm string) error {
	k := s.session.Key
	if !k.Out.Valid() {
		k.Out = s.hi.Key.DType
	}
	s.session.Key.Out = k.Out
	fields := replyFields(k)
	s.lanes = s.hi.Lanes
	if s.session.Lanes != 0 && s.session.Lanes != s.lanes {
		s.lanes = s.session.Lanes
		shm = ""
		fields = append(fields, Field{"lanes", fmt.Sprint(s.lanes)})
	}
	if s.session.Cells != nil {
		fields = append(fields, Field{"cells", "1"})
	}
	if s.session.Reach != (probe.Placement{}) {
		fields = append(fields, Field{"moves", formatPlacement(s.session.Reach)})
	}
	if shm != "" {
		s.place = layoutOf(s.hi.Key, s.lanes)
		if mem, err := openShared(shm, s.place.size); err == nil {
			s.mem = mem
			fields = append(fields, Field{"shm", "1"})
			if s.session.Keeps {
				fields = append(fields, Field{"keeps", "1"})
			}
		}
	}
	s.w.WriteString(formatLine("ok", fields))
	return s.w.Flush()
}

// call answers one request. The error io.EOF means that there are no more.
func (s *server) call() error {
	line, err := s.r.ReadString('\n')
	if err != nil {
		if err == io.EOF && line != "" {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	word, at, err := s.request(strings.TrimSpace(line))
	if err != nil {
		return errors.Join(s.fail(err), err) // requests cannot be distinguished from data any more
	}
	compute, count := s.session.Call, s.lanes
	if word == "cells" {
		compute, count = s.session.Cells, s.hi.Key.M*max(1, s.hi.Key.Cols)
	}
	x, y, err := s.inputs()
	if err != nil {
		return err
	}
	out := s.outputs(count * s.session.Key.Out.Bytes())
	do := func() (any, error) {
		if at != s.at {
			s.session.Move(at)
			s.at = at
		}
		return nil, compute(x, y, out)
	}
	if _, err := guard(do); err != nil {
		return s.fail(err)
	}
	if s.mem != nil {
		out = nil
	}
	s.w.WriteString("ok\n")
	s.w.Write(out)
	return s.w.Flush()
}

// request returns the word of a request, and the places that it asks for.
func (s *server) request(line string) (word string, at probe.Placement, err error) {
	word, places, moved := strings.Cut(line, " ")
	if word != "call" && (word != "cells" || s.session.Cells == nil) {
		return "", at, fmt.Errorf("unknown request %s", quote(line))
	}
	if !moved {
		return word, at, nil
	}
	value, ok := strings.CutPrefix(places, "at=")
	if at, err = parsePlacement(value); !ok || err != nil {
		return "", at, fmt.Errorf("unknown request %s", quote(line))
	}
	if r := s.session.Reach; at.X > r.X || at.Y > r.Y || at.Out > r.Out {
		return "", at, fmt.Errorf("%s is out of reach", quote(places))
	}
	return word, at, nil
}

// outputs returns room for results.
func (s *server) outputs(size int) []byte {
	if s.mem != nil {
		return s.mem.mem[s.place.out : s.place.out+size]
	}
	s.out = slices.Grow(s.out[:0], size)[:size]
	return s.out
}

// fail answers with an error, on one line.
func (s *server) fail(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	s.w.WriteString("error " + text[:min(len(text), maxLine/2)] + "\n")
	return s.w.Flush()
}

// guard runs f and returns a panic as an error.
func guard[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// inputs returns X and Y of a request.
func (s *server) inputs() (x, y []byte, err error) {
	size := s.hi.Key.DType.Bytes()
	nx, ny := s.lanes*s.hi.Key.N*size, 0
	if s.hi.Key.Op.Products() {
		ny = s.hi.Key.N * size
	}
	if s.mem != nil {
		return s.mem.mem[s.place.x : s.place.x+nx], s.mem.mem[s.place.y : s.place.y+ny], nil
	}
	s.in = slices.Grow(s.in[:0], nx+ny)[:nx+ny]
	if _, err := io.ReadFull(s.r, s.in); err != nil {
		return nil, nil, fmt.Errorf("the input of a call ended early: %w", err)
	}
	return s.in[:nx], s.in[nx:], nil
}
