// Lastbit finds out why two programs that add the same numbers print different
// last digits. lastbit help lists its verbs.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/cli"
	"github.com/lastbit/lastbit/internal/heap"
	"github.com/lastbit/lastbit/internal/scratch"
	"github.com/lastbit/lastbit/probe/open"
)

// leastHeap is the size of a heap whose collections take little time.
const leastHeap = 64 << 20

func main() {
	open.ServeIfWorker()
	heap.Floor(leastHeap)
	os.Exit(runInterruptible(func(ctx context.Context) int {
		return cli.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	}))
}

// runInterruptible runs work with a context that the first interrupt or SIGTERM
// cancels. The second removes temporary folders and ends the process.
func runInterruptible(work func(context.Context) int) int {
	ctx, folders := scratch.With(context.Background())
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer folders.Remove()
	context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		stop()
		s := <-again
		folders.RemoveBusy()
		endBy(s)
	})
	return work(ctx)
}

// endBy ends the process as a signal does that is not handled.
func endBy(s os.Signal) {
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // until the signal comes
	}
	os.Exit(1)
}
