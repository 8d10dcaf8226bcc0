// Create makes the Python environment of the tests and prints the path of its
// folder. Its argument is the interpreter to make it with.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/lastbit/lastbit/internal/pyenv"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: create python3")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := pyenv.Create(ctx, os.Args[1], os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pyenv:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}
