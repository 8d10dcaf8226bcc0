// Lastbit finds out in which order anything on this machine adds: see
// lastbit help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/lastbit/lastbit/internal/cli"
	"github.com/lastbit/lastbit/probe/clib"
)

func main() {
	clib.ServeIfWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}
