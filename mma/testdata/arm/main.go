// Command arm computes sums of four products by instructions of Arm: its
// argument is one of bfdot, bfmmla and bfmopa. It reads five words a sum, the
// factors of x and y in pairs and c, and writes the word of the result.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

func bfdot(x01, x23, y01, y23, c uint32) uint32
func bfmmla(x01, x23, y01, y23, c uint32) uint32
func bfmopa(x01, x23, y01, y23, c uint32) uint32

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "arm:", err)
		os.Exit(1)
	}
}

func run() error {
	all := map[string]func(x01, x23, y01, y23, c uint32) uint32{
		"bfdot": bfdot, "bfmmla": bfmmla, "bfmopa": bfmopa,
	}
	sum := all[os.Args[1]]
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		var w [5]uint32
		if err := binary.Read(in, binary.LittleEndian, &w); errors.Is(err, io.EOF) {
			return out.Flush()
		} else if err != nil {
			return err
		}
		r := sum(w[0], w[1], w[2], w[3], w[4])
		if err := binary.Write(out, binary.LittleEndian, r); err != nil {
			return err
		}
	}
}
