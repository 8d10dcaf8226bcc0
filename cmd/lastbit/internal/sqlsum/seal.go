package sqlsum

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// A run is a text of the engine's that differs between two runs of one query.
// So rows of one query that ran twice, with changes to its table between, are
// not mixed.
//
// A seal is the start of the SHA-256 hash of the mark of a row, its keys, its
// run and its chk. So a key that was changed, or changed places with the key of
// another row, is found, as numbers are by chk.
const sealDigits = 8

// textOf returns the text of a row: its mark and keys, its run where the engine
// has one, and its seal where the query has keys.
func (w *writer) textOf(check string) string {
	mark := w.n("mark")
	if w.run != "" {
		mark += " || ':' || " + w.run
	}
	if len(w.keys) == 0 {
		return mark
	}
	hash := expand(w.sha256, mark+" || ':' || "+expand(w.toText, check))
	start := w.call("substr", fmt.Sprintf("%s, 1, %d", hash, sealDigits))
	return mark + " || ':' || " + start
}

// sealOf returns the seal of a mark with keys and of a chk.
func sealOf(mark string, check int64) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%s:%d", mark, check))
	return hex.EncodeToString(hash[:])[:sealDigits]
}

// unseal removes the seal from the text of a row, and compares it.
func (r *row) unseal() error {
	i := strings.LastIndexByte(r.mark, ':')
	if i < 0 {
		return errors.New("it has no seal of its keys")
	}
	if !strings.EqualFold(r.mark[i+1:], sealOf(r.mark[:i], r.numbers[atChk])) {
		return errors.New("its keys were changed on the way: the seal after them does not match")
	}
	r.mark = r.mark[:i]
	return nil
}

// strip removes the seal and the run from the text of a row, and returns the
// run.
func (a *about) strip(r *row) (string, error) {
	if a.Sealed {
		if err := r.unseal(); err != nil {
			return "", err
		}
	}
	if !a.HasRun {
		return "", nil
	}
	i := strings.LastIndexByte(r.mark, ':')
	if i < 0 {
		return "", errors.New("it does not name the run of the query")
	}
	run := r.mark[i+1:]
	r.mark = r.mark[:i]
	return run, nil
}
