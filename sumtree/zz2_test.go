package sumtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRec(t *testing.T) {
	files, _ := filepath.Glob("/tmp/w/families/trees/*-"+os.Getenv("N")+".txt")
	for _, fn := range files {
		b, _ := os.ReadFile(fn)
		tr, err := Parse(strings.TrimSpace(string(b)))
		if err != nil {
			t.Fatal(fn, err)
		}
		t0 := time.Now()
		f, ok := Recognise(tr)
		d := time.Since(t0)
		t.Log(ok, filepath.Base(fn), f, d.Round(time.Millisecond))
	}
}
