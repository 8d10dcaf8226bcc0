// Package wire implements the protocol between lastbit and a program that
// computes sums in a process of its own, and supervises that process.
//
// The protocol, version 1, is lines of text and raw arrays on the program's
// standard input and output. docs/reference/wire.md describes it for people who
// write such programs in any language. This package has the host's side (Open),
// the program's side for programs written in Go (Serve), and the format of
// arrays (Encode, Decode):
//
//	open := func(h wire.Hello) (*wire.Session, error) {
//		return &wire.Session{Key: h.Key, Call: sum}, nil
//	}
//	err := wire.Serve(os.Stdin, os.Stdout, open)
//
// Values travel as the bits of their format: an array that is decoded and
// encoded again has the same bits, except that a NaN may lose its payload. A
// round trip costs about 10 µs over pipes. Large arrays travel through shared
// memory where host and program have it.
//
// A program may crash or hang, and may answer too much, too little or nonsense.
// Each of these is a *probe.Fault: the process is killed with all its children,
// and the next call starts it anew.
package wire
