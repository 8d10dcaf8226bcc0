package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
	"github.com/lastbit/lastbit/probe/internal/process"
)

func TestMain(m *testing.M) {
	for name, play := range roles() {
		if process.TakeRole(name) {
			play()
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// roles returns the programs under test: an honest one, a host, one of several
// sessions, and those that break as their names describe, when they are greeted
// or called.
func roles() map[string]func() {
	play := map[string]func(){
		"honest": playHonest, "host": playHost, "sessions": playSessions,
	}
	for name, answer := range greetings() {
		play[name] = func() {
			in := lineReader{os.Stdin}
			answer(in.line())
			fmt.Println("ok")
			in.line()
		}
	}
	for name, answer := range calls() {
		play[name] = func() {
			in := lineReader{os.Stdin}
			in.line()
			fmt.Println("ok")
			in.line()
			answer()
		}
	}
	return play
}

// hang waits to be killed.
func hang() { time.Sleep(time.Hour) }

// greetings returns the programs that fail to answer a hello.
func greetings() map[string]func(hello string) {
	reply := func(words string) func(string) { return func(string) { fmt.Println(words) } }
	return map[string]func(string){
		"silent": func(string) { hang() },
		"mute exit": func(string) {
			fmt.Fprintln(os.Stderr, "first words")
			fmt.Fprintln(os.Stderr, "cannot find my brain")
			os.Exit(3)
		},
		"refuse": func(hello string) {
			fmt.Println("error no such op:", hello)
			os.Exit(0)
		},
		"garbage hello": func(string) {
			fmt.Println("Welcome to FooSum 1.0!")
			hang()
		},
		"long line": func(string) {
			os.Stdout.Write(bytes.Repeat([]byte("x"), 4*maxLine))
			hang()
		},
		"bad key":          reply("ok colour=blue"),
		"bad value":        reply("ok out=f31"),
		"bad escape":       reply("ok library=100%"),
		"twice":            reply("ok out=f32 out=f64"),
		"too many lanes":   reply("ok lanes=999999999"),
		"no lanes":         reply("ok lanes=0"),
		"cells of a sum":   reply("ok cells=1"),
		"shm unasked":      reply("ok shm=1"),
		"integers unasked": reply("ok integers=i8"),
		"odd integers":     reply("ok integers=i9"),
		"nothing but ok":   reply("ok"),
		"keeps a pipe":     reply("ok keeps=1"),
		"moves one":        reply("ok moves=64"),
		"moves back":       reply("ok moves=64,-8,0"),
		"moves no y":       reply("ok moves=64,8,0"),
		"eager": func(string) {
			fmt.Print("ok\nok\n")
			hang()
		},
	}
}

// calls returns the programs that fail to answer a call.
func calls() map[string]func() {
	return map[string]func(){
		"hang": hang,
		"die": func() {
			fmt.Fprintln(os.Stderr, "segmentation violation, more or less")
			os.Exit(7)
		},
		"half":      func() { os.Stdout.WriteString("ok\n\x00\x00") },
		"half line": func() { os.Stdout.WriteString("o") },
		"too much": func() {
			os.Stdout.WriteString("ok\n" + strings.Repeat("\x00", 9))
			hang()
		},
		"garbage": func() {
			fmt.Println("The answer is 42")
			hang()
		},
		"binary garbage": func() {
			os.Stdout.Write(bytes.Repeat([]byte{0xff, 0, 7}, 100000))
			hang()
		},
		"close": func() {
			os.Stdout.Close()
			hang()
		},
	}
}

// playHonest computes the requested operation.
func playHonest() {
	in, out, err := process.Stdio()
	if err == nil {
		fmt.Println("a library that prints")
		err = Serve(in, out, honest, "greeting")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// playHost opens a program that hangs, prints its process number and waits to
// be killed.
func playHost() {
	args, env, err := process.Self("hang")
	if err != nil {
		panic(err)
	}
	key := probe.Key{Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}
	w, err := Open(context.Background(), Program{Args: args, Env: env}, key, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(w.child.proc.Pid)
	_ = w.Call(context.Background(), probe.NewBatch(w)) // until killed
	hang()
}

// lineReader reads lines without reading ahead.
type lineReader struct{ r io.Reader }

func (l lineReader) line() string {
	var s []byte
	var b [1]byte
	for {
		if _, err := l.r.Read(b[:]); err != nil || b[0] == '\n' {
			return string(s)
		}
		s = append(s, b[0])
	}
}

// honest sums in order, in the format of the inputs; with n = 13 its input can
// make it fail.
func honest(h Hello) (*Session, error) {
	k := h.Key
	if k.N == 666 {
		return nil, errors.New("this number\nis not for sums")
	}
	k.Library, k.Version, k.Runtime = "Höflich=gut", "1.0 beta", h.Extra["greeting"]
	k.Out = k.DType
	if k.Acc != 0 {
		k.Out = k.Acc
	}
	s := &Session{Key: k, Call: sums(k, 1), Keeps: true}
	if k.M == 0 && k.N == 5 {
		s.Lanes = 3
	}
	if k.Op == probe.Gemm || k.Op == probe.Gemv {
		s.Cells = sums(k, max(1, k.Cols))
	}
	if k.N == movedN {
		movable(s)
	}
	return s, nil
}

// movedN is the number of summands of a program that moves its operands.
const movedN = 17

// movable lets a session move x by up to 64 bytes, and y by up to 32, and adds
// to its results what it has moved them by.
func movable(s *Session) {
	var now probe.Placement
	s.Reach = probe.Placement{X: 64}
	if s.Key.Op.Products() {
		s.Reach.Y = 32
	}
	s.Move = func(at probe.Placement) { now = at }
	call := s.Call
	s.Call = func(x, y, out []byte) error {
		err := call(x, y, out)
		v := make([]float64, len(out)/s.Key.Out.Bytes())
		Decode(s.Key.Out, v, out)
		for i := range v {
			v[i] += float64(now.X + now.Y)
		}
		Encode(s.Key.Out, out, v)
		return err
	}
}

// sums returns the function that computes the lanes of a key, each as often as
// there are columns.
func sums(k probe.Key, cols int) func(x, y, out []byte) error {
	return func(x, y, out []byte) error {
		xs := make([]float64, len(x)/k.DType.Bytes())
		ys := make([]float64, len(y)/k.DType.Bytes())
		Decode(k.DType, xs, x)
		Decode(k.DType, ys, y)
		if k.N == 13 && xs[0] == 13 {
			panic("thirteen")
		}
		if k.N == 13 && xs[0] == 14 {
			os.Exit(14)
		}
		var all []float64
		for r := 0; r < len(xs)/k.N; r++ {
			sum := chain(k, xs[r*k.N:(r+1)*k.N], ys)
			for range cols {
				all = append(all, sum)
			}
		}
		Encode(k.Out, out, all)
		return nil
	}
}

// chain adds in order. Without second factors y is empty.
func chain(k probe.Key, x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		if len(y) > 0 {
			v = k.DType.Mul(v, y[i], fp.NearestEven)
		}
		sum = k.Out.Add(sum, v, fp.NearestEven)
	}
	return sum
}

// program returns the program of a role.
func program(t testing.TB, r string) Program {
	t.Helper()
	args, env, err := process.Self(r)
	if err != nil {
		t.Fatal(err)
	}
	return Program{Args: args, Env: env, Fields: []Field{{"greeting", "hello, world = 100%"}}}
}

// open opens a program for a spec.
func open(t testing.TB, p Program, s probe.Spec) *Worker {
	t.Helper()
	key, lanes, err := plan.Key("test:program", s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Open(t.Context(), p, key, lanes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// fill fills a batch with random values of its format.
func fill(b *probe.Batch, f fp.Format, rng *rand.Rand) {
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
		}
	}
}
