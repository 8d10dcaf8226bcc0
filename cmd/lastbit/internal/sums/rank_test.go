package sums

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/internal/require"
)

// rankVariable is set in the environment of a test binary that mpirun has
// started, and holds the JSON of a rankTask.
const rankVariable = "LASTBIT_TEST_SUMS_RANK"

// A rankTask is a task of tests for the ranks of a job.
type rankTask struct {
	Files    []string
	Col, Key string
}

func (r *rankTask) task() *Task {
	return task("sum", dataset.Options{Columns: []string{r.Col}, Key: r.Key, SkipEmpty: true,
		Header: dataset.NoHeader, SkipNaN: true}, r.Files...)
}

func TestMain(m *testing.M) {
	asked := os.Getenv(rankVariable)
	if asked == "" {
		os.Exit(m.Run())
	}
	var r rankTask
	if err := json.Unmarshal([]byte(asked), &r); err != nil {
		panic(err)
	}
	fail := func(err error) { fmt.Fprintln(os.Stderr, err) }
	t := r.task()
	if err := t.RunRank(context.Background(), nil, fail, func(p *Partial) error {
		fmt.Print(shown(p, t))
		return nil
	}); err != nil {
		os.Exit(1)
	}
}

// shown returns the results of a task, each on a line.
func shown(p *Partial, t *Task) string {
	lines, err := p.Lines(t.Algorithm, true, false)
	if err != nil {
		return err.Error()
	}
	s := ""
	for _, l := range lines {
		key := ""
		if l.Key != nil {
			key = *l.Key
		}
		s += fmt.Sprintln(key, l.Count, l.Missing, l.Bits, l.Exact, l.Digest)
	}
	return s
}

// price is a row with a decimal that may be null.
type price struct {
	P *int64 `parquet:"p,optional,decimal(2:18)"`
}

// TestRanks holds that the ranks of a job print what one process does: sums,
// decimals, keys, and the number of rows that were left out.
func TestRanks(t *testing.T) {
	dir := t.TempDir()
	var texts, decimals []string
	for i := range 3 {
		name := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		write(t, name, strings.Repeat("a,1\nb,\nc,nan\n", i+1)+"k,1\n")
		texts = append(texts, name)
		cents := int64(10 + i)
		var b bytes.Buffer
		w := parquet.NewGenericWriter[price](&b)
		if _, err := w.Write([]price{{&cents}, {nil}, {&cents}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, fmt.Sprintf("%d.parquet", i))
		write(t, name, b.String())
		decimals = append(decimals, name)
	}
	tasks := []rankTask{{Files: texts, Col: "2"}, {Files: texts, Col: "2", Key: "1"},
		{Files: decimals, Col: "p"}, {Files: decimals[:1], Col: "p"}}
	for _, mpirun := range []string{"mpirun.openmpi", "mpirun.mpich"} {
		t.Run(strings.TrimPrefix(mpirun, "mpirun."), func(t *testing.T) {
			path := require.Program(t, mpirun)
			for _, r := range tasks {
				one := r.task()
				p, err := one.Run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for n := 1; n <= 3; n++ {
					if got := runRanks(t, path, n, r); got != shown(p, one) {
						t.Errorf("%d ranks, %+v:\n%s, want\n%s", n, r, got, shown(p, one))
					}
				}
			}
		})
	}
}

// runRanks runs a task by n ranks, and returns what they print.
func runRanks(t *testing.T, mpirun string, n int, r rankTask) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	asked, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	cmd := require.Ranks(ctx, mpirun, n, os.Args[0])
	cmd.Env = append(cmd.Environ(), rankVariable+"="+string(asked))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, time.Second
	if err := cmd.Run(); err != nil {
		t.Errorf("%d ranks: %v\n%s", n, err, errs.String())
	}
	return out.String()
}

// TestMergedMissing holds that accumulator files keep the number of rows that
// were left out.
func TestMergedMissing(t *testing.T) {
	dir := t.TempDir()
	var whole []string
	var all *Partial
	for i, text := range []string{"a,1\nb,\n", "a,nan\na,2\nc,NA\n", "a,3\n"} {
		name := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		write(t, name, text)
		whole = append(whole, name)
		p, err := (&rankTask{[]string{name}, "2", "1"}).task().Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b := p.encode()
		if magic := p.magic(); !bytes.HasPrefix(b, []byte(magic)) ||
			(magic == missingMagic) != (i < 2) {
			t.Errorf("%q begins with %q", text, b[:len(accMagic)])
		}
		if p, err = decodePartial(b, nil); err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = p
		} else if err := all.merge(p); err != nil {
			t.Fatal(err)
		}
	}
	one := (&rankTask{whole, "2", "1"}).task()
	p, err := one.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(all, one), shown(p, one); got != want ||
		!bytes.Equal(all.encode(), p.encode()) {
		t.Errorf("merged:\n%s, want\n%s", got, want)
	}
}

// TestDecodeRefusesMissing refuses counts that no run writes.
func TestDecodeRefusesMissing(t *testing.T) {
	g := &keyGroup{total: newExactTotal(FindOperation("sum")), missing: 1}
	p := &Partial{op: FindOperation("sum"), results: []*series{{groups: map[string]*keyGroup{
		"": g}}}}
	b := p.encode()
	body := b[:len(b)-32]
	if _, err := decodePartial(b, nil); err != nil {
		t.Fatal(err)
	}
	short := body[:len(body)-1]
	for name, b := range map[string][]byte{
		"none left out": append(bytes.Clone(short), 0),
		"cut off":       short,
		"beyond 2^63":   append(bytes.Clone(short), bytes.Repeat([]byte{0xff}, 9)...),
	} {
		if name == "beyond 2^63" {
			b = append(b, 1)
		}
		if _, err := decodePartial(appendChecksum(b), nil); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}
