package wire

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// connected returns a program that adds two float64 values at the other end of
// a connection. It ends the connection instead of returning −1, and does not
// return −2.
func connected(t *testing.T) Program {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	go Serve(theirs, theirs, func(h Hello) (*Session, error) {
		return &Session{Key: h.Key, Call: func(x, _, out []byte) error {
			value := func(i int) float64 {
				return math.Float64frombits(binary.NativeEndian.Uint64(x[8*i:]))
			}
			switch sum := value(0) + value(1); sum {
			case -1:
				theirs.Close()
			case -2:
				<-never
			default:
				binary.NativeEndian.PutUint64(out, math.Float64bits(sum))
			}
			return nil
		}}, nil
	})
	calls := 0
	return Program{Start: 10 * time.Second, Call: 10 * time.Second,
		Connect: func() (io.ReadWriteCloser, error) {
			if calls++; calls > 1 {
				return nil, errors.New("the connection has ended")
			}
			return ours, nil
		}}
}

// A program that runs already answers on its connection, whose end is final.
func TestConnection(t *testing.T) {
	for _, c := range []struct {
		first float64
		limit time.Duration
		id    string
	}{{-2, 10 * time.Second, "worker-died"}, {-3, 50 * time.Millisecond, "worker-timeout"}} {
		p := connected(t)
		p.Call = c.limit
		key := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 2}.Key("caller")
		w, err := Open(t.Context(), p, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		b := probe.NewBatch(w)
		b.X[0], b.X[1] = 2, 1
		if err := w.Call(t.Context(), b); err != nil || b.Out[0] != 3 {
			t.Errorf("the sum is %v, the error %v", b.Out[0], err)
		}
		if _, known := w.OtherThreads(); known {
			t.Error("the threads of another program are known")
		}
		b.X[0] = c.first
		drivertest.Fault(t, w.Call(t.Context(), b), c.id)
		drivertest.Fault(t, w.Call(t.Context(), b), "worker-start", "has ended")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The end of a context ends a call on a connection.
func TestConnectionCancelled(t *testing.T) {
	w, err := Open(t.Context(), connected(t),
		probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 2}.Key("caller"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	b := probe.NewBatch(w)
	b.X[0] = -2
	drivertest.Fault(t, w.Call(ctx, b), "cancelled")
}
