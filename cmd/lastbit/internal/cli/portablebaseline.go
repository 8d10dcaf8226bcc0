package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/vet/portable"
)

// compareBaseline removes the places of --baseline from a report. With --update
// it writes them to the file first.
func (v *portableVerb) compareBaseline(r *portable.Report) error {
	if v.baseline == "" {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	text, err := readBaseline(v.baseline)
	if v.update && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		text = []byte(strings.Join(append(r.Entries(dir), ""), "\n"))
		err = os.WriteFile(v.baseline, text, 0o666)
	}
	if err != nil {
		return baselineFault(v.baseline, err)
	}
	v.known, v.gone = r.Known(text, dir)
	return nil
}

// readBaseline reads a baseline, and no other file: --update replaces it.
func readBaseline(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return text, portable.CheckBaseline(text)
}

func baselineFault(file string, err error) *probe.Fault {
	return &probe.Fault{ID: "portable-baseline", Thing: file, Cause: err.Error(),
		Cure: "write the file with --update, or name another"}
}
