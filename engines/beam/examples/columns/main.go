// Command columns sums the prices in CSV and Parquet files exactly, for each
// shop, and writes a line for each:
//
//	go run ./examples/columns -csv 'sales-*.csv' -parquet 'sales-*.parquet' -output totals.csv
//
// Both kinds of files have the columns shop and price. A row without a price is
// left out. The program runs in one process; for other runners, import theirs
// instead of direct, or call beamx.Run.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"reflect"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/parquetio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"

	exactbeam "github.com/lastbit/lastbit/engines/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Sale]())
	register.Function2x1(parse)
	register.Function2x0(price)
	register.Function2x2(line)
	register.Emitter1[Sale]()
	register.Emitter2[string, float64]()
}

// A Sale is a row of a file.
type Sale struct {
	Shop  string   `parquet:"name=shop, type=BYTE_ARRAY, convertedtype=UTF8"`
	Price *float64 `parquet:"name=price, type=DOUBLE, repetitiontype=OPTIONAL"`
}

const header = "shop,price"

func main() {
	csvFiles := flag.String("csv", "", "CSV files, with * for several")
	parquetFiles := flag.String("parquet", "", "Parquet files, with * for several")
	output := flag.String("output", "totals.csv", "file of the sums")
	flag.Parse()
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	totals(s, *csvFiles, *parquetFiles, *output)
	if _, err := beam.Run(context.Background(), "direct", p); err != nil {
		log.Fatal(err)
	}
}

// totals sums the prices of files and writes the sums.
func totals(s beam.Scope, csvFiles, parquetFiles, output string) {
	var sales []beam.PCollection
	if csvFiles != "" {
		sales = append(sales, beam.ParDo(s, parse, textio.Read(s, csvFiles)))
	}
	if parquetFiles != "" {
		sales = append(sales, parquetio.Read(s, parquetFiles, reflect.TypeFor[Sale]()))
	}
	prices := beam.ParDo(s, price, beam.Flatten(s, sales...))
	sums := exactbeam.SumPerKey(s, prices)
	textio.Write(s, output, beam.ParDo(s, line, sums))
}

// parse emits the sale in a line of CSV, except in the header.
func parse(text string, emit func(Sale)) error {
	if text == header {
		return nil
	}
	cells, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return err
	}
	if len(cells) != 2 {
		return fmt.Errorf("%q has %d columns, want %s", text, len(cells), header)
	}
	sale := Sale{Shop: cells[0]}
	if cells[1] != "" {
		v, err := strconv.ParseFloat(cells[1], 64)
		if err != nil {
			return err
		}
		sale.Price = &v
	}
	emit(sale)
	return nil
}

// price emits the price of a sale that has one, with its shop as the key.
func price(sale Sale, emit func(string, float64)) {
	if sale.Price != nil {
		emit(sale.Shop, *sale.Price)
	}
}

// line returns a line of CSV with a sum, in the fewest digits that read back to
// it.
func line(shop string, sum float64) (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	err := w.Write([]string{shop, strconv.FormatFloat(sum, 'g', -1, 64)})
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n"), err
}
