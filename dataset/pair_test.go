package dataset

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestBlocks reads files that are longer than a block, whose last one is short.
func TestBlocks(t *testing.T) {
	n := 2*blockValues + 77
	x := make([]float64, n)
	var csv strings.Builder
	rows := make([]inner, n)
	for i := range x {
		x[i] = float64(i)
		fmt.Fprintln(&csv, i)
		rows[i].Price = x[i]
	}
	for name, file := range map[string][]byte{
		"x.npy": npyOf(">f8", false, fmt.Sprintf("(%d,)", n), x), "x.csv": []byte(csv.String()),
		"x.parquet": parquetFile(rows, n/3),
		"x.npz": npz(map[string][]byte{"x": npyOf("<f8", false, fmt.Sprintf("(%d,)", n), x)},
			zip.Deflate),
	} {
		path := write(t, name, file)
		a, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Pair(a, b)
		if err != nil {
			t.Fatal(err)
		}
		var block Block
		next := 0
		for {
			if err = p.Next(&block); err != nil {
				break
			}
			for i, v := range block.Columns[0].Values {
				if v != float64(next+i) || block.Columns[1].Values[i] != v {
					t.Fatalf("%s: value %d is %v and %v", name, next+i, v,
						block.Columns[1].Values[i])
				}
			}
			next += block.Rows()
			if block.Rows() != blockValues/2 && next != n {
				t.Errorf("%s: a block of %d rows in the middle", name, block.Rows())
			}
		}
		if err != io.EOF || next != n {
			t.Errorf("%s: %d rows, %v", name, next, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPairRefuses(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	files := map[string][]byte{
		"3.raw": make([]byte, 24), "6.raw": make([]byte, 48), "2.csv": []byte("1\n2\n"),
		"6.csv":          []byte("1\n2\n3\n4\n5\n6\n"),
		"vector.npy":     npyOf("<f8", false, "(6,)", six),
		"row.npy":        npyOf("<f8", true, "(1, 6)", six),
		"other row.npy":  npyOf("<f8", false, "(1, 6)", six),
		"c.npy":          npyOf("<f8", false, "(2, 3)", six),
		"fortran.npy":    npyOf("<f8", true, "(2, 3)", six),
		"transposed.npy": npyOf("<f8", true, "(3, 2)", six),
	}
	for _, c := range []struct{ a, b, want string }{
		{"6.raw", "3.raw", "6.raw: it has 6 rows, and 3.raw has 3"},
		{"2.csv", "3.raw", "2.csv: it has 2 rows, and 3.raw has more"},
		{"c.npy", "fortran.npy", "stored in C order, and those of fortran.npy in Fortran order; " +
			"write both in one order, with numpy.ascontiguousarray"},
		{"c.npy", "transposed.npy", "its shape is (2, 3), and that of transposed.npy is (3, 2)"},
		{"vector.npy", "row.npy", "its shape is (6,), and that of row.npy is (1, 6)"},
		{"c.npy", "6.csv", "shape is (2, 3), and the rows of 6.csv have none; write it"},
		{"6.raw", "fortran.npy", "its rows have no shape, and that of fortran.npy is (2, 3)"},
		{"row.npy", "other row.npy", ""}, {"row.npy", "6.csv", ""}, {"c.npy", "c.npy", ""},
		{"vector.npy", "6.raw", ""},
	} {
		t.Chdir(t.TempDir())
		var r [2]*Reader
		for i, name := range []string{c.a, c.b} {
			err := os.WriteFile(name, files[name], 0o666)
			if err == nil {
				r[i], err = Open(name, Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		p, err := Pair(r[0], r[1])
		if err == nil {
			err = p.Next(&Block{})
			p.Close()
		}
		if c.want == "" && err == nil {
			continue
		}
		if c.want == "" || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %s: the error is %v, want %s", c.a, c.b, err, c.want)
		}
	}
}
