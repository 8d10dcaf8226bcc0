// Lastbit finds out why two programs that add the same numbers print different
// last digits. lastbit help lists its verbs.
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
	os.Exit(runInterruptible(func(ctx context.Context) int {
		return cli.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	}))
}

// runInterruptible runs work with a context that the first interrupt or SIGTERM
// cancels. The second ends the process.
func runInterruptible(work func(context.Context) int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return work(ctx)
}
