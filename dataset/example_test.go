package dataset_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/lastbit/lastbit/dataset"
)

const trades = `symbol,price,2019
A,0.5,3
B,0x1.8p3,7
A,-nan,1
`

// read prints the column of trades that the options select.
func read(o dataset.Options) {
	o.Format, o.Stdin = "csv", strings.NewReader(trades)
	r, err := dataset.Open("-", o)
	var e *dataset.Error
	if errors.As(err, &e) {
		fmt.Println(e.Cure)
		return
	}
	defer r.Close()
	var keys []string
	var b dataset.Block
	for {
		err := r.Next(&b)
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		keys = append(keys, b.Fresh...)
		for i := range b.Rows() {
			if o.Key != "" {
				fmt.Print(keys[b.Keys[i]], ": ")
			}
			fmt.Println(b.Columns[0].Values[i])
		}
	}
}

func ExampleOpen() {
	read(dataset.Options{Columns: []string{"price"}, Key: "symbol"})
	// Output:
	// A: 0.5
	// B: 12
	// A: NaN
}

// A column whose name is a number is reached by its name.
func ExampleOptions_columns() {
	read(dataset.Options{Columns: []string{"2019"}})
	// Output:
	// 3
	// 7
	// 1
}

// The first line of this text may be a header or data. Open does not guess.
func ExampleHeader() {
	read(dataset.Options{Columns: []string{"3"}})
	read(dataset.Options{Columns: []string{"3"}, Header: dataset.WithHeader})
	// Output:
	// add --header or --no-header
	// 3
	// 7
	// 1
}
