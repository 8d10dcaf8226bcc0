package dataset

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// wantFile is a line of testdata/parquet_matrix.py: what is in a file.
type wantFile struct {
	File, About string
	Rows        int
	Sums        map[string]struct {
		Count int
		Sum   string
	}
	Keys map[string]map[string]int
}

// exactSum is the exact sum of a column, as the matrix writes it.
type exactSum struct {
	finite  big.Int // in units of 2^-1100·10^-scale
	special float64
	scale   int
	count   int
}

const exactUnit = 1100

func (s *exactSum) add(v float64) {
	if v-v != 0 {
		s.special += v
		return
	}
	if v == 0 {
		return
	}
	fraction, exp := math.Frexp(v)
	m := big.NewInt(int64(math.Ldexp(fraction, 53)))
	s.finite.Add(&s.finite, m.Lsh(m, uint(exp-53+exactUnit)))
}

func (s *exactSum) addColumn(c *Column) {
	s.count += len(c.Values) - len(c.Empty)
	s.scale = c.Scale
	parts := c.Units
	if parts == nil {
		parts = [][]float64{c.Values, c.Rest}
	}
	for _, part := range parts {
		for _, v := range part {
			s.add(v)
		}
	}
}

func (s *exactSum) String() string {
	switch {
	case math.IsNaN(s.special):
		return "NaN"
	case s.special != 0:
		return map[bool]string{true: "inf", false: "-inf"}[s.special > 0]
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.scale)), nil)
	return new(big.Rat).SetFrac(&s.finite, unit.Lsh(unit, exactUnit)).RatString()
}

// sumsOf returns the exact sums of columns of a file.
func sumsOf(path string, b *Block, columns ...string) ([]exactSum, error) {
	r, err := Open(path, Options{Columns: columns, SkipEmpty: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	sums := make([]exactSum, len(columns))
	for {
		if err := r.Next(b); err == io.EOF {
			return sums, nil
		} else if err != nil {
			return nil, err
		}
		for i := range sums {
			sums[i].addColumn(&b.Columns[i])
		}
	}
}

// tally returns the number of rows with each key of a column. Keys have = in
// front, and "" are the rows without one.
func tally(path, number, key string, b *Block) (map[string]int, error) {
	r, err := Open(path, Options{Columns: []string{number}, Key: key, SkipEmpty: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rows := map[string]int{}
	var texts []string
	for {
		if err := r.Next(b); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		texts = append(texts, b.Fresh...)
		for _, k := range b.Keys {
			if k < 0 {
				rows[""]++
			} else {
				rows["="+texts[k]]++
			}
		}
	}
}

// check compares a file with what is in it, and returns the number of its
// columns.
func (w *wantFile) check(t *testing.T, path string) int {
	t.Helper()
	var b Block
	columns := slices.Sorted(maps.Keys(w.Sums))
	if len(columns) > 0 {
		sums, err := sumsOf(path, &b, columns...)
		if err != nil {
			t.Errorf("%s: %v", w.About, err)
		}
		for i := range sums {
			got, want := &sums[i], w.Sums[columns[i]]
			if got.String() != want.Sum || got.count != want.Count {
				t.Errorf("%s, column %s: the sum of %d is %s, want %s of %d", w.About, columns[i],
					got.count, got, want.Sum, want.Count)
			}
		}
	}
	for column, want := range w.Keys {
		got, err := tally(path, "bool", column, &b)
		if err != nil {
			t.Errorf("%s, keys %s: %v", w.About, column, err)
			continue
		}
		for text := range union(got, want) {
			if got[text] != want[text] {
				t.Errorf("%s, keys %s: %q in %d rows, want %d", w.About, column, text, got[text],
					want[text])
			}
		}
	}
	return len(w.Sums) + len(w.Keys)
}

func union(a, b map[string]int) map[string]bool {
	all := map[string]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return all
}

// checkMatrix writes files by testdata/parquet_matrix.py and compares them.
func checkMatrix(t *testing.T, python string, args ...string) {
	t.Helper()
	folder := t.TempDir()
	checkLines(t, python, append([]string{folder}, args...), func(w *wantFile) int {
		n := w.check(t, filepath.Join(folder, w.File))
		if err := os.Remove(filepath.Join(folder, w.File)); err != nil {
			t.Error(err)
		}
		return n
	})
}

// checkLines calls check, which returns the number of columns, for every line
// of testdata/parquet_matrix.py.
func checkLines(t *testing.T, python string, args []string, check func(w *wantFile) int) {
	t.Helper()
	script := filepath.Join("testdata", "parquet_matrix.py")
	cmd := exec.CommandContext(t.Context(), python, append([]string{script}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	files, columns := 0, 0
	for lines.Scan() {
		var w wantFile
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		files, columns = files+1, columns+check(&w)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("there are no files")
	}
	t.Logf("%d files, %d columns", files, columns)
}

// TestParquetMatrix reads what PyArrow, DuckDB and Polars write: every codec,
// page version, encoding and type, with nulls in several patterns. With
// LASTBIT_PARQUET=all it reads every combination of these.
func TestParquetMatrix(t *testing.T) {
	var args []string
	if os.Getenv("LASTBIT_PARQUET") == "all" {
		args = []string{"more"}
	}
	checkMatrix(t, pyenv.Python(t), args...)
}

// TestParquetOthers reads the files that parquet-go tests with, which
// parquet-mr, Impala, Arrow's Rust library and others wrote, and compares the
// sums with the sums of PyArrow's values.
func TestParquetOthers(t *testing.T) {
	python := pyenv.Python(t)
	cmd := exec.CommandContext(t.Context(), require.Program(t, "go"), "list", "-m", "-f",
		"{{.Dir}}", "github.com/parquet-go/parquet-go")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata",
		"*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		info, err := os.Stat(name)
		const most = 1 << 20 // for Python's speed
		return err != nil || info.Size() > most || slices.Contains(inconsistent,
			filepath.Base(name))
	})
	checkLines(t, python, append([]string{"read"}, files...), func(w *wantFile) int {
		return w.check(t, w.File)
	})
}

// inconsistent are files that state two numbers of rows.
var inconsistent = []string{"repeated_no_annotation.parquet"}

// TestParquetSpark reads what parquet-mr writes. LASTBIT_SPARK names a Python
// that has pyspark.
func TestParquetSpark(t *testing.T) {
	python := os.Getenv("LASTBIT_SPARK")
	if python == "" {
		t.Skip("LASTBIT_SPARK names no Python with pyspark, PyArrow, DuckDB and Polars")
	}
	checkMatrix(t, python, "spark")
}

// TestParquetRandom reads files of random options. LASTBIT_PARQUET_FILES is the
// number of files, and LASTBIT_PARQUET_SEED a seed.
func TestParquetRandom(t *testing.T) {
	files, seed := "25", "1"
	if n := os.Getenv("LASTBIT_PARQUET_FILES"); n != "" {
		files = n
	}
	if n, err := strconv.Atoi(os.Getenv("LASTBIT_PARQUET_SEED")); err == nil {
		seed = strconv.Itoa(n)
	}
	checkMatrix(t, pyenv.Python(t), "random", files, seed)
}
