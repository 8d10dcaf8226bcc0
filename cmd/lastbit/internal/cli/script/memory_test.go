package script

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestKeysUnderALimit sums by more keys than a process with little memory has
// room for: an error, and not the runtime's report on all goroutines.
func TestKeysUnderALimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Missing(t, "Linux, where ulimit -v bounds the memory of a process")
	}
	if require.Race {
		t.Skip("the race detector reserves more than any limit leaves")
	}
	sh := require.Program(t, "sh")
	file := filepath.Join(t.TempDir(), "keys.csv")
	text := []byte("k,v\n")
	for i := range 2_000_000 {
		text = append(strconv.AppendInt(text, int64(i), 10), ",1\n"...)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	const limited = `ulimit -v 2100000 && exec lastbit sum "$0" --column v --by k --op stdev`
	cmd := exec.CommandContext(t.Context(), sh, "-c", limited, file)
	// Every thread takes 72 MiB of addresses.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 || stdout.Len() > 0 {
		t.Errorf("%v, and %d bytes of output", err, stdout.Len())
	}
	message := stderr.String()
	if !strings.HasPrefix(message, "lastbit: --by k: there are more than ") ||
		!strings.HasSuffix(message, "#too-many-keys]\n") || strings.Count(message, "\n") > 1 {
		t.Errorf("%.2000s", message)
	}
}
