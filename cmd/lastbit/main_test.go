package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/scratch"
)

// stubborn is set in the environment of a process that ignores the end of its
// context, to a folder where it makes a temporary one.
const stubborn = "LASTBIT_TEST_STUBBORN"

func TestMain(m *testing.M) {
	if os.Getenv(stubborn) != "" {
		os.Exit(runInterruptible(func(ctx context.Context) int {
			if _, _, err := scratch.Dir(ctx, os.Getenv(stubborn), "scratch-"); err != nil {
				return 1
			}
			fmt.Println("ready")
			<-ctx.Done()
			fmt.Println("cancelled")
			time.Sleep(time.Hour)
			return 0
		}))
	}
	os.Exit(m.Run())
}

// The first interrupt cancels the work, the second ends the process even if
// the work goes on, and leaves no temporary folder.
func TestSecondInterruptKills(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		require.Missing(t, "a system that can send an interrupt to a process")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	dir := t.TempDir()
	cmd.Env = append(os.Environ(), stubborn+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "cancelled"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it printed %q, not %q", lines.Text(), want)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 6000 { // a minute
		select {
		case err := <-ended:
			if err == nil || err.Error() != "signal: interrupt" {
				t.Errorf("it ended with %v", err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("it leaves %v, %v", left, err)
			}
			return
		case <-time.After(10 * time.Millisecond):
			// The one before may have come before the context's own end was
			// done.
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	_ = cmd.Process.Kill()
	t.Error("the second interrupt has no effect")
}
