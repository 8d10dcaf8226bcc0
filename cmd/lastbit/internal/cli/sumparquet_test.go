package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept returns the path of a parquet file that other programs wrote.
func kept(name string) string {
	return filepath.Join("..", "..", "..", "..", "dataset", "testdata", "parquet", name)
}

// TestSumParquet sums files that parquet libraries read wrongly or refuse, in
// every way that reads them: alone and together, by keys, in parts and merged.
func TestSumParquet(t *testing.T) {
	acc := filepath.Join(t.TempDir(), "a.acc")
	all := []string{kept("checked.parquet"), kept("packed.parquet"), kept("duckdb.parquet"),
		kept("polars.parquet")}
	runSum(t, append([]string{"sum", "--column", "money", "--partial", acc}, all[:2]...)...)
	four := append([]string{"sum", "--column", "money", "--digest"}, all...)
	for _, c := range []struct {
		args []string
		want string // a part of the output
	}{
		{[]string{"sum", kept("lz4.parquet")}, "sum        125125\n"},
		{[]string{"sum", kept("lz4.parquet"), kept("lz4.parquet")}, "sum        250250\n"},
		{[]string{"sum", kept("booleans.parquet")}, "sum        8\n"},
		{[]string{"sum", kept("differences.parquet")}, "sum        -6\n"},
		{append(four, "--json"), `"exact":"70854"`},
		{append([]string{"sum", "--column", "money,amount"}, all...),
			"money     240  70854  70854  "},
		{[]string{"sum", all[1], "--column", "money", "--by", "key"},
			"key0     15  4203.15  4203.15  "},
		{[]string{"sum", all[2], "--column", "amount", "--by", "money"},
			"\n-0.07 "},
		{[]string{"sum", all[0], "--column", "amount,money", "--op", "dot"},
			"exact      180097.925\n"},
		{[]string{"merge", acc}, "exact      35427\n"},
	} {
		var stdout, stderr bytes.Buffer
		Run(t.Context(), strings.NewReader(""), &stdout, &stderr, c.args)
		if !strings.Contains(stdout.String(), c.want) {
			t.Errorf("lastbit %s: %s%s, want %s", strings.Join(c.args, " "), &stdout, &stderr,
				c.want)
		}
	}
	digests := map[string]bool{}
	for range 2 {
		digests[sumJSON(t, four...).Digest] = true
		all[0], all[3] = all[3], all[0]
		four = append([]string{"sum", "--column", "money", "--digest"}, all...)
	}
	if len(digests) != 1 || digests[""] {
		t.Errorf("the digests are %v", digests)
	}
}

// TestSumParquetDamaged changes a byte of a page: the checksum, or the column's
// statistics, show it in every verb that reads it.
func TestSumParquetDamaged(t *testing.T) {
	b, err := os.ReadFile(kept("checked.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	b[bytes.Index(b, []byte("\x00\x00\x00\x00\x00\x00\x1d\x40"))+6] ^= 1 // 7.25
	name := filepath.Join(t.TempDir(), "x.parquet")
	write(t, name, b)
	for _, args := range [][]string{
		{"sum", name, "--column", "amount"},
		{"sum", name, "--column", "amount", "--by", "key"},
		{"sum", name, "--column", "amount", "--partial", filepath.Join(t.TempDir(), "x")},
		{"sum", kept("lz4.parquet"), name, "--column", "amount"},
		{"explain", name, kept("checked.parquet"), "--column", "amount"},
	} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), strings.NewReader(""), &stdout, &stderr, args)
		if code != 2 || stdout.Len() > 0 ||
			!strings.Contains(stderr.String(), "the checksum of a page is wrong") ||
			!strings.HasSuffix(stderr.String(), "#bad-data]\n") {
			t.Errorf("lastbit %s: exit code %d, %s%s", strings.Join(args, " "), code, &stdout,
				&stderr)
		}
	}
}
