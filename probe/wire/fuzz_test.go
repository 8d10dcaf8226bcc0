package wire

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
)

// FuzzHost checks that the host turns any output of a program into a valid
// answer or an error.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"ok\n", "ok out=f32 lanes=3\nok\n\x00\x00\x00\x00", "error no\n",
		"ok lanes=99999999999\n", "ok a=%zz\n", "\n\n", "ok\nok\n12345678", "ok shm=1\n",
		"ok out=bf16 cells=1 mean=1\r\n"} {
		f.Add([]byte(s))
	}
	key, lanes, err := plan.Key("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, wrote []byte) {
		w := &Worker{asked: key, wanted: lanes}
		c := &child{reply: bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(wrote)),
			maxLine)}
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
	for _, s := range []string{"lastbit 1 op=sum dtype=f64 n=1 lanes=1\ncall\n12345678",
		"lastbit 2\n", "lastbit 1 op=gemm dtype=f16 n=2 lanes=2 m=2 cols=2\ncells\n123456789012",
		"lastbit 1 op=sum dtype=f64 n=99999999999 lanes=9999999999\ncall\n"} {
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
		if s := answer.String(); s != "" && !strings.HasPrefix(s, "ok") &&
			!strings.HasPrefix(s, "error ") {
			t.Errorf("answer %q", s)
		}
	})
}
