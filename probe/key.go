package probe

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Key identifies the object of a finding. The order depends on every field, so
// all are printed, locked and compared. Spec.Key fills the fields that a Spec
// has too.
type Key struct {
	Target   string    `json:"target"`            // address: "py:numpy.sum"
	Library  string    `json:"library,omitempty"` // "NumPy", "OpenBLAS"
	Version  string    `json:"version,omitempty"` // of the library
	Kernel   string    `json:"kernel,omitempty"`  // CPU kernel in use, where the library reports it
	Runtime  string    `json:"runtime,omitempty"` // interpreter or file: "/usr/bin/python3 3.11.2"
	Op       Op        `json:"op"`
	DType    fp.Format `json:"dtype"`                  // of the inputs
	Integers Integer   `json:"integers,omitempty"`     // of the inputs, which DType f64 holds
	Results  Integer   `json:"integers_out,omitempty"` // of the results, which Out f64 holds
	Acc      fp.Format `json:"acc,omitempty"`          // requested accumulation format
	Out      fp.Format `json:"out"`                    // of the result
	N        int       `json:"n"`                      // summands
	M        int       `json:"m,omitempty"`            // rows
	Cols     int       `json:"cols,omitempty"`         // columns
	Axis     string    `json:"axis,omitempty"`
	Trans    string    `json:"trans,omitempty"`
	Order    string    `json:"order,omitempty"`
	Stride   int       `json:"stride,omitempty"` // omitted when 1
	Align    int       `json:"align,omitempty"`  // bytes past a 64-byte boundary
	Threads  int       `json:"threads"`          // −1: the implementation's default
	Ranks    int       `json:"ranks,omitempty"`  // processes that share the summands
	OutIndex []int     `json:"out_index,omitempty"`
	Device   string    `json:"device,omitempty"`
	Mean     bool      `json:"mean,omitempty"` // the result is the sum divided by N
	Env      []string  `json:"env,omitempty"`  // of its process, besides lastbit's own

	// Settings is the library's own report of settings that choose its code, in
	// words: "AVX512, MKL_CBWR AUTO".
	Settings string `json:"settings,omitempty"`
}

// types returns the types of the inputs and, where it is another, of the
// results.
func (k Key) types() string {
	in, out := k.DType.String(), k.Out.String()
	if k.Integers != "" {
		in = string(k.Integers)
	}
	if k.Results != "" {
		out = string(k.Results)
	}
	if in == out {
		return in
	}
	return in + "→" + out
}

// String returns the key on one line, for people.
func (k Key) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", k.Target)
	if k.Library != "" {
		fmt.Fprintf(&b, " (%s)", strings.TrimSpace(k.Library+" "+k.Version))
	}
	if k.Kernel != "" {
		fmt.Fprintf(&b, " [%s]", k.Kernel)
	}
	fmt.Fprintf(&b, " %s %s", k.Op, k.types())
	fmt.Fprintf(&b, " n=%d", k.N)
	if k.M > 0 && k.Cols > 0 {
		fmt.Fprintf(&b, " shape=%d×%d×%d", k.M, k.Cols, k.N)
	} else if k.M > 0 {
		fmt.Fprintf(&b, " rows=%d", k.M)
	}
	for _, f := range []struct{ name, value string }{
		{"axis", k.Axis}, {"trans", k.Trans}, {"order", k.Order}, {"device", k.Device},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.value)
		}
	}
	if k.Stride > 1 {
		fmt.Fprintf(&b, " stride=%d", k.Stride)
	}
	if k.Align != 0 {
		fmt.Fprintf(&b, " align=%d", k.Align)
	}
	switch {
	case k.Threads > 1:
		fmt.Fprintf(&b, " threads=%d", k.Threads)
	case k.Threads < 0:
		b.WriteString(" threads=default")
	}
	if k.Ranks > 0 {
		fmt.Fprintf(&b, " ranks=%d", k.Ranks)
	}
	if k.OutIndex != nil {
		fmt.Fprintf(&b, " out=%s", joinInts(k.OutIndex))
	}
	for _, v := range k.Env {
		b.WriteString(" " + v)
	}
	return b.String()
}
