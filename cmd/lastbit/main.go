// Lastbit finds out in which order anything on this machine adds: see
// lastbit help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/cli"
	"github.com/lastbit/lastbit/probe/open"
)

func main() {
	open.ServeIfWorker()
	os.Exit(interruptible(func(ctx context.Context) int {
		return cli.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	}))
}

// interruptible runs work with a context that the first signal to end cancels;
// the second ends the process, as it would without this.
func interruptible(work func(context.Context) int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return work(ctx)
}
