//go:build linux

package release

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// TestLaunch holds that the program ends with the npm package's launcher.
func TestLaunch(t *testing.T) {
	node := require.Program(t, "node")
	dir := t.TempDir()
	launch := filepath.Join(dir, "launch")
	code, err := os.ReadFile("launch.js")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(launch, code, 0o644); err != nil {
		t.Fatal(err)
	}
	name, err := exec.CommandContext(t.Context(), node, "-p",
		"`${process.platform}-${process.arch}`").Output()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "node_modules", "@lastbit", strings.TrimSpace(string(name)), "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	const program = "#!/bin/sh\necho $$\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(bin, "lastbit"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, launch)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("the launcher ends with %v", cmd.ProcessState)
	}
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the program goes on without its launcher")
}
