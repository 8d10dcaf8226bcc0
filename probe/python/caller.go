package python

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/wire"
)

//go:embed caller.py
var callerCode string

// callerProgram returns the program that answers in a process that has started
// lastbit.
func callerProgram() string {
	return strings.Join([]string{arraysCode, blasCode, normsCode, callableCode, mainCode,
		callerCode}, "\n\n")
}

// callerPrefix begins the addresses of callables that the calling process has
// given.
const callerPrefix = "caller:"

// CallerVariable names the environment variable that holds the place of the
// connection to the calling process: "fd:3", a socket that is inherited, or
// "tcp:ADDRESS:TOKEN", where the process listens for one connection that begins
// with the token.
const CallerVariable = "LASTBIT_CALLER"

// CallerPlace returns the value of CallerVariable.
func CallerPlace() string { return os.Getenv(CallerVariable) }

// CallerOptions are the fields of a Spec that a callable of a Caller honours.
// The process is the caller's, with its own threads and its own environment.
const CallerOptions = (probe.AllOptions | probe.WithIntegers) &^ (probe.WithAcc | probe.WithEnv)

// Caller opens callables of the process that has started this one: its Python
// package gives each a name. All of them answer in turn, on one connection. The
// zero value is ready for use, by several goroutines.
type Caller struct {
	// Place is the value of CallerVariable.
	Place string

	pool wire.Pool
	once sync.Once
}

// Open opens a callable by its name. The error is a *probe.Fault: no-caller
// where nobody listens, or one that a Driver's callable ends in.
func (c *Caller) Open(ctx context.Context, name string, s probe.Spec) (probe.Target, error) {
	f := &function{name: name, own: true, given: true, matrix: true, dtypes: all,
		ops: append(slices.Clone(anything), squares...)}
	if c.Place == "" {
		return nil, noCaller(f.address(), nil)
	}
	if s.Threads != -1 {
		return nil, &probe.Fault{ID: "bad-spec", Thing: f.address(),
			Cause: "its process has its own number of threads", Cure: "ask with --threads -1"}
	}
	key, lanes, err := f.plan(s)
	if err != nil {
		return nil, err
	}
	w, err := wire.Open(ctx, wire.Program{
		Fields:  []wire.Field{{Name: "function", Value: name}},
		Start:   s.CallTimeout(),
		Call:    s.CallTimeout(),
		Shared:  true,
		Fault:   f.faultOf,
		Pool:    &c.pool,
		Kind:    c.Place,
		Connect: c.connect,
	}, key, lanes)
	if err != nil {
		return nil, f.explain(err)
	}
	return w.Target(), nil
}

// Close ends the connection, once every target is closed.
func (c *Caller) Close() { c.pool.Close() }

// noCaller is the Fault of a process that does not answer.
func noCaller(thing string, err error) error {
	return &probe.Fault{ID: "no-caller", Thing: thing,
		Cause: "no program that answers has started this one",
		Cure:  "call lastbit.reveal and the like from Python", Err: err}
}

// connect connects to the calling process and sends it the program that
// answers. A connection is made once: its loss is final.
func (c *Caller) connect() (io.ReadWriteCloser, error) {
	err := error(&probe.Fault{ID: "no-caller", Thing: callerPrefix[:len(callerPrefix)-1],
		Cause: "the connection to the calling program has ended", Cure: "call again"})
	var conn net.Conn
	c.once.Do(func() { conn, err = dialCaller(c.Place) })
	if err != nil {
		return nil, err
	}
	code := callerProgram()
	if _, err := fmt.Fprintf(conn, "%d\n%s", len(code), code); err != nil {
		conn.Close()
		return nil, noCaller(c.Place, err)
	}
	go hangUpWithParent(conn)
	return conn, nil
}

// dialCaller opens the connection at a place.
func dialCaller(place string) (net.Conn, error) {
	kind, at, _ := strings.Cut(place, ":")
	switch kind {
	case "fd":
		fd, err := strconv.Atoi(at)
		if err != nil {
			return nil, noCaller(place, err)
		}
		file := os.NewFile(uintptr(fd), "connection to the calling program")
		if file == nil {
			return nil, noCaller(place, os.ErrInvalid)
		}
		defer file.Close() // FileConn duplicates it
		conn, err := net.FileConn(file)
		if err != nil {
			return nil, noCaller(place, err)
		}
		return conn, nil
	case "tcp":
		cut := max(strings.LastIndexByte(at, ':'), 0)
		conn, err := net.Dial("tcp", at[:cut])
		if err == nil {
			_, err = io.WriteString(conn, at[min(cut+1, len(at)):]+"\n")
		}
		if err != nil {
			return nil, noCaller(place, err)
		}
		return conn, nil
	}
	return nil, noCaller(place, errors.New("its form is unknown"))
}

// parentInterval is the time between two looks at the parent process.
const parentInterval = 200 * time.Millisecond

// hangUpWithParent closes a connection when the parent process has ended. Its
// other end may be held open by processes that the parent has forked.
func hangUpWithParent(conn net.Conn) {
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(parentInterval)
	}
	conn.Close()
}
