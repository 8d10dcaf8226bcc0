package cli

import (
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
	if v.update {
		text := strings.Join(append(r.Entries(dir), ""), "\n")
		if err := os.WriteFile(v.baseline, []byte(text), 0o666); err != nil {
			return baselineFault(v.baseline, err)
		}
	}
	text, err := os.ReadFile(v.baseline)
	if err != nil {
		return baselineFault(v.baseline, err)
	}
	v.known, v.gone = r.Known(text, dir)
	return nil
}

func baselineFault(file string, err error) *probe.Fault {
	return &probe.Fault{ID: "portable-baseline", Thing: file, Cause: err.Error(),
		Cure: "write the file with --update, or name another"}
}
