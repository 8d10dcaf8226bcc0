package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

func TestMain(m *testing.M) {
	if r := Role(); r != "" {
		playRole(r)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// playRole is the program under test: an honest one, or one that breaks in the
// way its role names.
func playRole(r string) {
	if r == "honest" {
		in, out, err := Stdio()
		if err == nil {
			fmt.Println("a library that prints")
			err = Serve(in, out, honest, "greeting")
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if r == "host" {
		playHost()
	}
	in := newLineReader(os.Stdin)
	hello := in.line()
	switch r {
	case "silent":
		time.Sleep(time.Hour)
	case "mute exit":
		fmt.Fprintln(os.Stderr, "first words")
		fmt.Fprintln(os.Stderr, "cannot find my brain")
		os.Exit(3)
	case "refuse":
		fmt.Println("error no such op:", hello)
		return
	case "garbage hello":
		fmt.Println("Welcome to FooSum 1.0!")
		time.Sleep(time.Hour)
	case "long line":
		os.Stdout.Write(bytes.Repeat([]byte("x"), 4*maxLine))
		time.Sleep(time.Hour)
	case "bad key":
		fmt.Println("ok colour=blue")
	case "bad value":
		fmt.Println("ok out=f31")
	case "bad escape":
		fmt.Println("ok library=100%")
	case "twice":
		fmt.Println("ok out=f32 out=f64")
	case "too many lanes":
		fmt.Println("ok lanes=999999999")
	case "no lanes":
		fmt.Println("ok lanes=0")
	case "cells of a sum":
		fmt.Println("ok cells=1")
	case "shm unasked":
		fmt.Println("ok shm=1")
	case "eager":
		fmt.Print("ok\nok\n")
		time.Sleep(time.Hour)
	}
	fmt.Println("ok")
	in.line()
	switch r {
	case "hang":
		time.Sleep(time.Hour)
	case "die":
		fmt.Fprintln(os.Stderr, "segmentation violation, more or less")
		os.Exit(7)
	case "half":
		os.Stdout.WriteString("ok\n\x00\x00")
		return
	case "half line":
		os.Stdout.WriteString("o")
		return
	case "too much":
		os.Stdout.WriteString("ok\n" + strings.Repeat("\x00", 9))
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("The answer is 42")
		time.Sleep(time.Hour)
	case "binary garbage":
		os.Stdout.Write(bytes.Repeat([]byte{0xff, 0, 7}, 100000))
		time.Sleep(time.Hour)
	case "close":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
}

// playHost opens a program that hangs, tells its process number and waits to be
// killed.
func playHost() {
	p, err := Self("hang")
	if err != nil {
		panic(err)
	}
	w, err := Open(context.Background(), p, probe.Key{Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(w.child.proc.Pid)
	_ = w.Call(context.Background(), probe.NewBatch(w)) // until killed
	time.Sleep(time.Hour)
}

// lineReader reads lines without reading ahead.
type lineReader struct{ r io.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{r} }

func (l *lineReader) line() string {
	var s []byte
	var b [1]byte
	for {
		if _, err := l.r.Read(b[:]); err != nil || b[0] == '\n' {
			return string(s)
		}
		s = append(s, b[0])
	}
}

// honest sums in order, in the format of the inputs; with n = 13 it fails on
// command of its input.
func honest(h Hello) (*Session, error) {
	k := h.Key
	if k.N == 666 {
		return nil, errors.New("this number\nis not for sums")
	}
	k.Library, k.Version, k.Runtime = "Höflich=gut", "1.0 beta", h.Extra["greeting"]
	if k.Acc != 0 {
		k.Out = k.Acc
	}
	s := &Session{Key: k}
	if k.M == 0 && k.N == 5 {
		s.Lanes = 3
	}
	f, g := k.DType, k.Out
	if g == 0 {
		g = f
	}
	row := func(x, y []float64) float64 {
		sum := 0.0
		for i := range x {
			v := x[i]
			if y != nil {
				v = f.Mul(v, y[i], fp.NearestEven)
			}
			sum = g.Add(sum, v, fp.NearestEven)
		}
		return sum
	}
	compute := func(cols int) func(x, y, out []byte) error {
		return func(x, y, out []byte) error {
			xs, ys := make([]float64, len(x)/f.Bytes()), make([]float64, len(y)/f.Bytes())
			Decode(f, xs, x)
			Decode(f, ys, y)
			if len(ys) == 0 {
				ys = nil
			}
			if k.N == 13 && xs[0] == 13 {
				panic("thirteen")
			}
			if k.N == 13 && xs[0] == 14 {
				os.Exit(14)
			}
			var sums []float64
			for r := 0; r < len(xs)/k.N; r++ {
				v := row(xs[r*k.N:(r+1)*k.N], ys)
				for range cols {
					sums = append(sums, v)
				}
			}
			Encode(g, out, sums)
			return nil
		}
	}
	s.Call = compute(1)
	if k.Op == probe.Gemm || k.Op == probe.Gemv {
		s.Cells = compute(max(1, k.Cols))
	}
	return s, nil
}

// program returns the program of a role.
func program(t testing.TB, r string) Program {
	t.Helper()
	p, err := Self(r)
	if err != nil {
		t.Fatal(err)
	}
	p.Fields = []Field{{"greeting", "hello, world = 100%"}}
	return p
}

// open opens a program for a spec.
func open(t testing.TB, p Program, s probe.Spec) *Worker {
	t.Helper()
	key, lanes, err := Plan("test:program", s)
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

// wantFault checks an error's ID and that its text holds each part.
func wantFault(t *testing.T, err error, id string, parts ...string) {
	t.Helper()
	var f *probe.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a fault %s", err, id)
	}
	if f.ID != id {
		t.Errorf("fault %s (%v), want %s", f.ID, err, id)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("fault %q does not say %q", err, p)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("fault %q is more than a line", err)
	}
}

func TestCallAgainstLocal(t *testing.T) {
	for _, sh := range []bool{false, true} {
		for _, s := range []probe.Spec{
			{Op: probe.Sum, DType: fp.Binary64, N: 1},
			{Op: probe.Sum, DType: fp.Binary32, N: 100, Acc: fp.Binary64, Align: 8, Stride: 3},
			{Op: probe.Dot, DType: fp.Binary16, N: 77},
			{Op: probe.Sum, DType: fp.BFloat16, N: 33, Axis: "1", M: 5, Order: "F"},
			{Op: probe.Gemv, DType: fp.Binary32, N: 20, Trans: "a"},
			{Op: probe.Gemm, DType: fp.Binary32, N: 9, M: 4, Cols: 3, OutIndex: []int{1, 2}, Threads: 2},
			{Op: probe.Dot, DType: fp.Binary64, N: 50000},
		} {
			t.Run(fmt.Sprintf("%s/%s/n=%d/shared=%v", s.Op, s.DType, s.N, sh), func(t *testing.T) {
				p := program(t, "honest")
				p.Shared = sh
				w := open(t, p, s)
				if w.answer.shared != (sh && runtime.GOOS == "linux") {
					t.Errorf("shared memory in use: %v", w.answer.shared)
				}
				checkKey(t, w.Key(), s)
				rng := rand.New(rand.NewPCG(1, 2))
				b := probe.NewBatch(w)
				for range 3 {
					fill(b, s.DType, rng)
					if err := w.Call(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					checkOut(t, w, b)
				}
				if w.Restarts() != 0 || w.Warnings() != nil {
					t.Errorf("restarts %d, warnings %q", w.Restarts(), w.Warnings())
				}
			})
		}
	}
}

// checkKey checks what the honest program says of itself.
func checkKey(t *testing.T, k probe.Key, s probe.Spec) {
	t.Helper()
	want, _, err := Plan("test:program", s)
	if err != nil {
		t.Fatal(err)
	}
	want.Library, want.Version, want.Runtime = "Höflich=gut", "1.0 beta", "hello, world = 100%"
	if s.Acc != 0 {
		want.Out = s.Acc
	}
	if fmt.Sprintf("%+v", k) != fmt.Sprintf("%+v", want) {
		t.Errorf("key\n%+v, want\n%+v", k, want)
	}
}

// checkOut compares outputs, and the matrix where there is one, with the honest
// sums computed here.
func checkOut(t *testing.T, w *Worker, b *probe.Batch) {
	t.Helper()
	k := w.Key()
	want := make([]float64, w.Lanes())
	for r := range want {
		for i := range k.N {
			v := b.X[r*k.N+i]
			if b.Y != nil {
				v = k.DType.Mul(v, b.Y[i], fp.NearestEven)
			}
			want[r] = k.Out.Add(want[r], v, fp.NearestEven)
		}
		if math.Float64bits(want[r]) != math.Float64bits(b.Out[r]) {
			t.Fatalf("lane %d is %v, want %v", r, b.Out[r], want[r])
		}
	}
	c, ok := w.Target().(probe.CellTarget)
	if ok != (k.Op == probe.Gemv || k.Op == probe.Gemm) {
		t.Fatalf("cell target: %v for %s", ok, k.Op)
	}
	if !ok {
		return
	}
	rows, cols := c.Cells()
	all := make([]float64, rows*cols)
	clear(b.Out)
	if err := c.CallCells(t.Context(), b, all); err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if v != want[i/cols] || b.Out[i/cols] != v {
			t.Fatalf("cell %d is %v, want %v", i, v, want[i/cols])
		}
	}
	wantFault(t, c.CallCells(t.Context(), b, all[1:]), "bad-batch")
}

func TestProgramChoosesLanes(t *testing.T) {
	p := program(t, "honest")
	p.Shared = true
	w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 5})
	if w.Lanes() != 3 {
		t.Fatalf("%d lanes", w.Lanes())
	}
	b := probe.NewBatch(w)
	fill(b, fp.Binary64, rand.New(rand.NewPCG(3, 4)))
	if err := w.Call(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	checkOut(t, w, b)
}

func TestHostilePrograms(t *testing.T) {
	key, lanes, err := Plan("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role, id string
		parts    []string
	}{
		{"silent", "worker-timeout", []string{"no answer within 300ms", "never answered the hello"}},
		{"mute exit", "worker-died", []string{"exit status 3", "cannot find my brain"}},
		{"refuse", "worker-refused", []string{"no such op"}},
		{"garbage hello", "worker-protocol", []string{"Welcome to FooSum"}},
		{"long line", "worker-protocol", []string{"no line of the protocol"}},
		{"bad key", "worker-protocol", []string{"colour"}},
		{"bad value", "worker-protocol", []string{"f31"}},
		{"bad escape", "worker-protocol", []string{"100%"}},
		{"twice", "worker-protocol", []string{"twice"}},
		{"too many lanes", "worker-protocol", []string{"999999999"}},
		{"no lanes", "worker-protocol", []string{`"0"`}},
		{"cells of a sum", "worker-protocol", []string{"no matrix"}},
		{"shm unasked", "worker-protocol", []string{"shared memory"}},
		{"eager", "worker-protocol", []string{"3 bytes after"}},
		{"hang", "worker-timeout", []string{"no answer within 300ms"}},
		{"die", "worker-died", []string{"exit status 7", "more or less"}},
		{"half", "worker-died", []string{"after 2 of the 8 bytes"}},
		{"half line", "worker-died", []string{`middle of the line "o"`}},
		{"too much", "worker-protocol", []string{"1 bytes more"}},
		{"garbage", "worker-protocol", []string{"The answer is 42"}},
		{"binary garbage", "worker-protocol", []string{"no line"}},
		{"close", "worker-died", nil},
	} {
		t.Run(c.role, func(t *testing.T) {
			t.Parallel()
			p := program(t, c.role)
			if c.id == "worker-timeout" {
				p.Start, p.Call = 5*time.Second, 300*time.Millisecond
			}
			if c.role == "silent" {
				p.Start = 300 * time.Millisecond
			}
			w, err := Open(t.Context(), p, key, lanes)
			if err == nil {
				defer w.Close()
				b := probe.NewBatch(w)
				for i := range 2 { // the second starts the program anew
					err = w.Call(t.Context(), b)
					wantFault(t, err, c.id, c.parts...)
					if w.Restarts() != i || len(w.Warnings()) != i {
						t.Errorf("%d restarts, want %d", w.Restarts(), i)
					}
				}
			}
			wantFault(t, err, c.id, c.parts...)
		})
	}
}

func TestErrorsAndRestart(t *testing.T) {
	w := open(t, program(t, "honest"), probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 13})
	b := probe.NewBatch(w)
	b.X[0] = 13
	wantFault(t, w.Call(t.Context(), b), "worker-error", "panic: thirteen")
	b.X[0] = 1
	if err := w.Call(t.Context(), b); err != nil || w.Restarts() != 0 {
		t.Fatalf("after an error that the program reported: %v, %d restarts", err, w.Restarts())
	}
	b.X[0] = 14
	wantFault(t, w.Call(t.Context(), b), "worker-died", "exit status 14")
	b.X[0] = 2
	if err := w.Call(t.Context(), b); err != nil || b.Out[0] != 2 || w.Restarts() != 1 {
		t.Fatalf("after its death: %v, sum %v, %d restarts", err, b.Out[0], w.Restarts())
	}
	b.X = b.X[:12]
	wantFault(t, w.Call(t.Context(), b), "bad-batch")
	w.Close()
	wantFault(t, w.Call(t.Context(), probe.NewBatch(w)), "bad-batch")
}

func TestRefusal(t *testing.T) {
	key, lanes, err := Plan("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 666})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), program(t, "honest"), key, lanes)
	wantFault(t, err, "worker-refused", "this number is not for sums")
	var r *Refusal
	if !errors.As(err, &r) || r.Text != "this number is not for sums" {
		t.Errorf("refusal %v", r)
	}
	p := program(t, "honest")
	p.Fields = []Field{{"colour", "blue"}}
	_, err = Open(t.Context(), p, key, lanes)
	wantFault(t, err, "worker-refused", `unknown key "colour"`)
}

func TestMissingProgram(t *testing.T) {
	key, lanes, err := Plan("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Program{Args: []string{"no-such-program-anywhere"}}, key, lanes)
	wantFault(t, err, "worker-start", "no-such-program-anywhere")
	_, err = Open(t.Context(), Program{}, key, lanes)
	wantFault(t, err, "worker-start")
}

func TestCancel(t *testing.T) {
	p := program(t, "hang")
	p.Call = time.Hour
	w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	pid := w.child.proc.Pid
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	err := w.Call(ctx, probe.NewBatch(w))
	wantFault(t, err, "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not say that the context was cancelled", err)
	}
	if alive(pid) {
		t.Errorf("process %d is still there", pid)
	}
	wantFault(t, w.Call(ctx, probe.NewBatch(w)), "cancelled")
	_, err = Open(ctx, p, w.asked, 1)
	wantFault(t, err, "cancelled")
}

// alive reports whether a process of that number exists, a zombie included.
func alive(pid int) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return err == nil
}

// A host that is killed takes its programs with it, even one that does not
// watch its input.
func TestHostKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Missing(t, "Linux, where a child can ask to die with its parent")
	}
	p := program(t, "host")
	cmd := exec.Command(p.Args[0])
	cmd.Env = p.Env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(newLineReader(out).line())
	if err != nil {
		t.Fatal(err)
	}
	if !alive(pid) {
		t.Fatalf("process %d is not there", pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // says that it was killed
	for i := 0; running(pid); i++ {
		if i == 1000 {
			t.Fatalf("process %d outlives its host", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// running reports whether a process exists and is no zombie, which an orphan
// may stay where nobody adopts it.
func running(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(b, []byte(") Z "))
}

// The processes that a program starts end with it.
func TestGrandchildren(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
	sh := require.Program(t, "sh")
	script := `read hello; sleep 1000 & echo "error $!"; wait`
	key := probe.Key{Target: "test:program", Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}
	_, err := Open(t.Context(), Program{Args: []string{sh, "-c", script}}, key, 1)
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(refusal.Text)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; running(pid); i++ {
		if i == 1000 {
			t.Fatalf("process %d outlives the program that started it", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A process that a program leaves behind, in a session of its own and with the
// pipes in its hands, does not keep the host from seeing that the program ended.
func TestLeftBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
	sh := require.Program(t, "sh")
	require.Program(t, "setsid")
	file := filepath.Join(t.TempDir(), "pid")
	script := `read hello; setsid sh -c 'echo $$ > "$0"; exec sleep 100' "$1" & while ! test -s "$1"; do sleep 0.01; done; exit 3`
	key := probe.Key{Target: "test:program", Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}
	_, err := Open(t.Context(), Program{Args: []string{sh, "-c", script, sh, file}, Start: time.Hour}, key, 1)
	wantFault(t, err, "worker-died", "without an answer (exit status 3)")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if !running(pid) {
		t.Error("the fault came only when the process that was left behind had ended")
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended
	}
}

// Output kills what it has started, with all that this has started.
func TestOutput(t *testing.T) {
	sh := require.Program(t, "sh")
	out, err := Output(t.Context(), sh, "-c", "echo to be read")
	if err != nil || string(out) != "to be read\n" {
		t.Errorf("output %q, %v", out, err)
	}
	if _, err := Output(t.Context(), sh, "-c", "exit 4"); err == nil || err.Error() != "exit status 4" {
		t.Errorf("error %v", err)
	}
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	go func() {
		for ctx.Err() == nil {
			if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
				cancel(stop)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := Output(ctx, sh, "-c", `sleep 1000 & echo $! > "$0.new"; mv "$0.new" "$0"; wait`, file); err != stop {
		t.Errorf("error %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; running(pid); i++ {
		if i == 1000 {
			t.Fatalf("process %d outlives the program that started it", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		list []fp.Format
		want string
	}{
		{nil, ""}, {[]fp.Format{fp.Binary64}, "f64"}, {[]fp.Format{fp.Binary64, fp.Binary32}, "f64 and f32"},
		{[]fp.Format{fp.Binary64, fp.Binary32, fp.Binary16}, "f64, f32 and f16"},
	} {
		if got := List(c.list, "and"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Whatever a program writes, the host says no more than that it is wrong.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"ok\n", "ok out=f32 lanes=3\nok\n\x00\x00\x00\x00", "error no\n", "ok lanes=99999999999\n", "ok a=%zz\n", "\n\n", "ok\nok\n12345678", "ok shm=1\n", "ok out=bf16 cells=1 mean=1\r\n"} {
		f.Add([]byte(s))
	}
	key, lanes, err := Plan("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, wrote []byte) {
		w := &Worker{asked: key, wanted: lanes}
		c := &child{reply: bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(wrote)), maxLine)}
		a, err := w.readAnswer(c)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x00") && !errors.As(err, new(*reported)) {
				t.Errorf("message %q", err)
			}
			return
		}
		if a.lanes < 1 || a.lanes > maxValues || !a.key.Out.Valid() || a.cells || a.shared {
			t.Fatalf("%q was taken for %+v", wrote, a)
		}
		w.answer = a
		if a.lanes > 1000 {
			return // the results would be long, not strange
		}
		if w.readOK(c) == nil {
			_ = w.receive(c, make([]float64, a.lanes)) // any result is one
		}
	})
}

// Whatever a host writes, a program written with Serve ends without a crash.
func FuzzServe(f *testing.F) {
	for _, s := range []string{"lastbit 1 op=sum dtype=f64 n=1 lanes=1\ncall\n12345678", "lastbit 2\n", "lastbit 1 op=gemm dtype=f16 n=2 lanes=2 m=2 cols=2\ncells\n123456789012", "lastbit 1 op=sum dtype=f64 n=99999999999 lanes=9999999999\ncall\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, wrote []byte) {
		var answer bytes.Buffer
		small := func(h Hello) (*Session, error) {
			if h.Lanes > 1000 || h.Key.N > 1000 || h.Key.M > 1000 || h.Key.Cols > 1000 {
				return nil, errors.New("too large for a test")
			}
			nothing := func(x, y, out []byte) error { return nil }
			return &Session{Key: h.Key, Call: nothing, Cells: nothing}, nil
		}
		_ = Serve(bytes.NewReader(wrote), &answer, small) // an error is as good as none
		if s := answer.String(); s != "" && !strings.HasPrefix(s, "ok") && !strings.HasPrefix(s, "error ") {
			t.Errorf("answer %q", s)
		}
	})
}

func TestNothingLeft(t *testing.T) {
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	count := goroutines()
	var pids []int
	var wg sync.WaitGroup
	for _, r := range []string{"honest", "hang", "die", "close", "too much"} {
		p := program(t, r)
		p.Call, p.Shared = 200*time.Millisecond, true
		w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
		pids = append(pids, w.child.proc.Pid)
		wg.Go(func() {
			_ = w.Call(context.Background(), probe.NewBatch(w)) // the faults are another test's
			w.Close()
			w.Close()
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	for range 100 {
		if goroutines() <= count {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", goroutines(), count)
}

// goroutines counts those of this package.
func goroutines() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "wire.(*child)") + strings.Count(string(buf), "wire.startChild")
}

func TestCodec(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		var x []float64
		if f.Bytes() == 2 {
			for b := range uint64(1 << 16) {
				x = append(x, f.FromBits(b))
			}
		}
		for range 10000 {
			x = append(x, f.FromBits(rng.Uint64()))
			x = append(x, math.Float64frombits(rng.Uint64()), math.Ldexp(rng.NormFloat64(), rng.IntN(60)-40), rng.NormFloat64()) // rounded on the way
		}
		buf := make([]byte, f.Bytes()*len(x))
		Encode(f, buf, x)
		got := make([]float64, len(x))
		Decode(f, got, buf)
		for i, v := range x {
			want := f.Round(v, fp.NearestEven)
			if math.Float64bits(want) != math.Float64bits(got[i]) && !(want != want && got[i] != got[i]) {
				t.Fatalf("%s: %x became %x, want %x", f, v, got[i], want)
			}
		}
	}
}

func TestEscape(t *testing.T) {
	var all strings.Builder
	for b := range 256 {
		all.WriteByte(byte(b))
	}
	for _, s := range []string{"", "plain", "a b=c%d\ne", "Höhe", all.String()} {
		line := formatLine("ok", []Field{{"k", s}})
		if strings.Count(line, "\n") != 1 {
			t.Errorf("%q is not one line", line)
		}
		words := strings.Fields(line)
		fs, err := parseFields(words[1:])
		if err != nil || len(fs) != 1 || fs[0].Value != s {
			t.Errorf("%q came back as %q, %v", s, fs, err)
		}
	}
}

func TestPlan(t *testing.T) {
	ok := func(s probe.Spec, m, cols, lanes int, index ...int) {
		t.Helper()
		k, l, err := Plan("a:b", s)
		if err != nil || k.M != m || k.Cols != cols || l != lanes || fmt.Sprint(k.OutIndex) != fmt.Sprint(index) {
			t.Errorf("%+v: m=%d cols=%d lanes=%d index %v, %v; want %d %d %d %v", s, k.M, k.Cols, l, k.OutIndex, err, m, cols, lanes, index)
		}
	}
	f32, f64 := fp.Binary32, fp.Binary64
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 10}, 0, 0, 1)
	ok(probe.Spec{Op: probe.Gemv, DType: f32, N: 100}, 100, 0, 100, 0)
	ok(probe.Spec{Op: probe.Gemv, DType: f64, N: 1 << 20}, 8, 0, 8, 0)
	ok(probe.Spec{Op: probe.Gemm, DType: f32, N: 512}, 512, 512, 512, 0, 0)
	ok(probe.Spec{Op: probe.Gemm, DType: f32, N: 1 << 20}, 7, 7, 7, 0, 0)
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 4096, Axis: "1"}, 1024, 0, 1024, 0)
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 1 << 20, Axis: "0", OutIndex: []int{3}}, 4, 0, 4, 3)
	for _, s := range []probe.Spec{
		{}, {Op: probe.Sum, N: 3}, {Op: probe.Sum, DType: f32}, {Op: probe.Sum, DType: f32, N: -1}, {Op: "max", DType: f32, N: 3},
		{Op: probe.Dot, DType: f32, N: 3, Axis: "0"}, {Op: probe.Sum, DType: f32, N: 3, Axis: "2"}, {Op: probe.Dot, DType: f32, N: 3, M: 2},
		{Op: probe.Gemv, DType: f32, N: 3, Cols: 2}, {Op: probe.Gemv, DType: f32, N: 3, Trans: "b"}, {Op: probe.Gemm, DType: f32, N: 3, Trans: "c"},
		{Op: probe.Gemm, DType: f32, N: 3, OutIndex: []int{0}}, {Op: probe.Gemm, DType: f32, N: 3, OutIndex: []int{3, 0}}, {Op: probe.Gemv, DType: f32, N: 3, OutIndex: []int{-1}},
		{Op: probe.Sum, DType: f32, N: 3, Align: 64}, {Op: probe.Sum, DType: f32, N: 3, Stride: -1}, {Op: probe.Sum, DType: f32, N: 3, Threads: -2},
		{Op: probe.Gemm, DType: f32, N: 1 << 20, M: 1 << 20}, {Op: probe.Sum, DType: f32, N: 3, Order: "F"}, {Op: probe.Sum, DType: f32, N: 3, Device: "tpu"},
	} {
		_, _, err := Plan("a:b", s)
		if s.Op == "" || s.Op == "max" {
			wantFault(t, err, "bad-op")
			continue
		}
		wantFault(t, err, "bad-spec", "a:b")
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		b.Run("format="+f.String(), func(b *testing.B) {
			x := make([]float64, 1<<16)
			for i := range x {
				x[i] = f.Round(float64(i%97)*0.37, fp.NearestEven)
			}
			buf := make([]byte, f.Bytes()*len(x))
			b.SetBytes(int64(8 * len(x)))
			for b.Loop() {
				Encode(f, buf, x)
				Decode(f, x, buf)
			}
		})
	}
}

func BenchmarkCall(b *testing.B) {
	for _, n := range []int{16, 1 << 20} {
		for _, sh := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/shared=%v", n, sh), func(b *testing.B) {
				p := program(b, "honest")
				p.Shared = sh
				w := open(b, p, probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n})
				batch := probe.NewBatch(w)
				for b.Loop() {
					if err := w.Call(b.Context(), batch); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
