package explainfiles

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
)

// throughFiles writes values to a file, calls f with its name and the name of a
// second file, and returns the values in the second.
func throughFiles[T libm.Float](x []T, f func(source, target string) error) ([]T, error) {
	dir, err := os.MkdirTemp("", "lastbit-explain")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, target := filepath.Join(dir, "arguments"), filepath.Join(dir, "results")
	var b bytes.Buffer
	//lastbit:ignore nankey a NaN is passed on as it is
	_ = binary.Write(&b, binary.LittleEndian, x) // to memory
	if err := os.WriteFile(source, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	if err := f(source, target); err != nil {
		return nil, err
	}
	results, err := os.ReadFile(target)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(results)/binary.Size(*new(T)))
	_, err = binary.Decode(results, binary.LittleEndian, out)
	return out, err
}
