package wire_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/probe/wire"
)

// A program answers a hello and then calls. Here it sums three float64 in
// order, with strings as its standard input and output.
func ExampleServe() {
	values := make([]byte, 24)
	hello := strings.NewReader("lastbit 1 op=sum dtype=f64 n=3 lanes=1\ncall\n" + string(values))
	var answer bytes.Buffer
	err := wire.Serve(hello, &answer, func(h wire.Hello) (*wire.Session, error) {
		sum := func(x, _, out []byte) error {
			v := make([]float64, h.Key.N)
			wire.Decode(h.Key.DType, v, x)
			s := 0.0
			for _, x := range v {
				s += x
			}
			wire.Encode(h.Key.DType, out, []float64{s})
			return nil
		}
		k := h.Key
		k.Library, k.Version = "example", "1.0"
		return &wire.Session{Key: k, Call: sum}, nil
	})
	lines := strings.SplitAfter(answer.String(), "\n")
	fmt.Printf("%s%s%d bytes, %v\n", lines[0], lines[1], len(lines[2]), err)
	// Output:
	// ok library=example version=1.0 out=f64 threads=1
	// ok
	// 8 bytes, <nil>
}
