package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/xitongsys/parquet-go-source/local"
	"github.com/xitongsys/parquet-go/writer"

	"github.com/lastbit/lastbit/exact"
)

// TestTotals sums a CSV file and two Parquet files, and compares with package
// exact.
func TestTotals(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	var sums [3]exact.Accumulator
	var sales []Sale
	for i := range 3000 {
		shop := random.IntN(len(sums))
		sale := Sale{Shop: fmt.Sprint("shop, ", shop)}
		if i%10 != 0 {
			v := float64(random.IntN(1e9)) / 100 * []float64{1, 1e12, 1e-12}[random.IntN(3)]
			sums[shop].Add(v)
			sale.Price = &v
		}
		sales = append(sales, sale)
	}
	writeCSV(t, filepath.Join(dir, "a.csv"), sales[:1000])
	writeParquet(t, filepath.Join(dir, "b.parquet"), sales[1000:1500])
	writeParquet(t, filepath.Join(dir, "c.parquet"), sales[1500:])
	output := filepath.Join(dir, "totals.csv")
	p, s := beam.NewPipelineWithRoot()
	totals(s, filepath.Join(dir, "*.csv"), filepath.Join(dir, "*.parquet"), output)
	if _, err := beam.Run(t.Context(), "direct", p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(got)
	var want []string
	for i := range sums {
		want = append(want, fmt.Sprintf("\"shop, %d\",%s", i,
			strconv.FormatFloat(sums[i].Float64(), 'g', -1, 64)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func writeCSV(t *testing.T, name string, sales []Sale) {
	t.Helper()
	var b strings.Builder
	b.WriteString(header + "\n")
	for _, sale := range sales {
		price := ""
		if sale.Price != nil {
			price = strconv.FormatFloat(*sale.Price, 'g', -1, 64)
		}
		fmt.Fprintf(&b, "%q,%s\n", sale.Shop, price)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeParquet(t *testing.T, name string, sales []Sale) {
	t.Helper()
	file, err := local.NewLocalFileWriter(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.NewParquetWriter(file, new(Sale), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, sale := range sales {
		if err := w.Write(sale); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteStop(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
