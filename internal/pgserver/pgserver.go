//go:build unix

// Package pgserver starts a PostgreSQL server for a test.
package pgserver

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// program returns the path of a program of the server, which Debian keeps out
// of PATH.
func program(t *testing.T, name string) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	return require.Program(t, name)
}

// unprivileged makes a command run as a user that PostgreSQL accepts, and gives
// that user the folder: it refuses to run as root.
func unprivileged(t *testing.T, folder string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err1 != nil || err2 != nil || os.Chown(folder, uid, gid) != nil {
			continue
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(
			gid)}}
	}
	require.Missing(t, "a user other than root that PostgreSQL can run as")
	return nil
}

// Start starts a server with a database of its own, on a socket in a temporary
// folder, and returns its address. The server ends with the test.
func Start(t *testing.T) string {
	t.Helper()
	require.Program(t, "psql")
	initdb, postgres := program(t, "initdb"), program(t, "postgres")
	// The path of a socket is short, and its folder open to another user.
	folder, err := os.MkdirTemp("", "lastbit-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	as := unprivileged(t, folder)
	data := filepath.Join(folder, "data")
	create := exec.CommandContext(t.Context(), initdb, "-D", data, "-A", "trust", "-U", "postgres",
		"--no-sync", "--no-locale", "-E", "UTF8")
	create.Dir, create.SysProcAttr = folder, as
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	var log bytes.Buffer
	server := exec.CommandContext(ctx, postgres, "-D", data, "-k", folder, "-c",
		"listen_addresses=",
		"-c", "fsync=off", "-c", "min_parallel_table_scan_size=0", "-c", "parallel_setup_cost=0",
		"-c", "parallel_tuple_cost=0")
	server.Dir, server.SysProcAttr = folder, as
	server.Stdout, server.Stderr = &log, &log
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGINT) }
	server.WaitDelay = 20 * time.Second
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); server.Wait() })
	address := "postgres://postgres@/postgres?host=" + folder
	for range 300 {
		ask := exec.CommandContext(t.Context(), "psql", "--no-psqlrc", "--dbname="+address,
			"--command=SELECT 1")
		if err = ask.Run(); err == nil {
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the server does not answer: %v", err)
	return ""
}
