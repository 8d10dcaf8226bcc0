// Command onefile sums columns of Parquet files in a Beam pipeline, and prints
// the digest of each sum, as lastbit sum --digest does, for engines/onefile:
//
//	go run ./onefile -key k -columns x,f -output digests 'part-*.parquet'
//
// A line has a column, a key, the digest, and Beam's own sum, both in
// hexadecimal. Decimals are summed as integers of units, of at most 53 bits.
// NULLs are left out. With the tag prism it runs on prism, and on the direct
// runner otherwise.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/lastbit/lastbit/dataset"
	exactbeam "github.com/lastbit/lastbit/engines/beam"
)

func init() {
	register.Function4x1(read)
	register.Function3x1(line)
	register.Iter1[[]byte]()
	register.Iter1[float64]()
	register.Emitter2[string, float64]()
}

func main() {
	key := flag.String("key", "", "column of keys")
	columns := flag.String("columns", "", "columns to sum, separated by commas")
	output := flag.String("output", "digests", "file of the digests")
	flag.Parse()
	files, err := filepath.Glob(flag.Arg(0))
	if err != nil || len(files) == 0 {
		log.Fatalf("no files %s (%v)", flag.Arg(0), err)
	}
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	numbers := beam.ParDo(s, read, beam.CreateList(s, files),
		beam.SideInput{Input: beam.Create(s, *key)},
		beam.SideInput{Input: beam.Create(s, *columns)})
	states := beam.CombinePerKey(s, &exactbeam.ExactState{}, numbers)
	both := beam.CoGroupByKey(s, states, stats.SumPerKey(s, numbers))
	textio.Write(s, *output, beam.ParDo(s, line, both))
	if _, err := beam.Run(context.Background(), runner, p); err != nil {
		log.Fatal(err)
	}
}

// read emits the numbers of a file, with the column's name and the row's key
// as the key.
func read(file, key, columns string, emit func(string, float64)) error {
	names := strings.Split(columns, ",")
	r, err := dataset.Open(file, dataset.Options{Columns: names, Key: key, SkipEmpty: true})
	if err != nil {
		return err
	}
	defer r.Close()
	var block dataset.Block
	var keys [][]string // of each column
	for range names {
		keys = append(keys, nil)
	}
	for {
		switch err := r.Next(&block); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		for i, name := range names {
			for _, fresh := range block.Fresh {
				keys[i] = append(keys[i], name+"\t"+fresh)
			}
			if err := emitColumn(&block, i, keys[i], emit); err != nil {
				return err
			}
		}
	}
}

// emitColumn emits the numbers of a column.
func emitColumn(b *dataset.Block, i int, keys []string, emit func(string, float64)) error {
	c := &b.Columns[i]
	values := c.Values
	if c.Units != nil {
		values = c.Units[0]
	}
	if len(c.Units) > 1 || c.Rest != nil {
		return fmt.Errorf("%s has numbers beyond 2^53", keys[0])
	}
	empty := c.Empty
	for row, x := range values {
		if len(empty) > 0 && empty[0] == row {
			empty = empty[1:]
			continue
		}
		emit(keys[b.Keys[row]], x)
	}
	return nil
}

// line returns a line of the output.
func line(key string, states func(*[]byte) bool, sums func(*float64) bool) string {
	var state []byte
	var sum float64
	states(&state)
	sums(&sum)
	return fmt.Sprintf("%s\t%x\t%x", key, sha256.Sum256(state), sum)
}
