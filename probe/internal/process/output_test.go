package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// TestOutput checks that Output kills its program with all descendants.
func TestOutput(t *testing.T) {
	sh := require.Program(t, "sh")
	out, err := Output(t.Context(), sh, "-c", "echo to be read")
	if err != nil || string(out) != "to be read\n" {
		t.Errorf("output %q, %v", out, err)
	}
	if _, err := Output(t.Context(), sh, "-c", "exit 4"); err == nil ||
		err.Error() != "exit status 4" {
		t.Errorf("error %v", err)
	}
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	go func() {
		for ctx.Err() == nil {
			if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
				cancel(stop)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	const script = `sleep 1000 & echo $! > "$0.new"; mv "$0.new" "$0"; wait`
	if _, err := Output(ctx, sh, "-c", script, file); err != stop {
		t.Errorf("error %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; running(pid); i++ {
		if i == 1000 {
			t.Fatalf("process %d outlives the program that started it", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// running reports whether a process exists and is not a zombie: an orphan may
// stay one where nobody adopts it.
func running(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(b, []byte(") Z "))
}
