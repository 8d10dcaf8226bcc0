// Command create builds the files of a release.
//
//	go run ./internal/release/create [-o dist] [platform ...]
//
// A platform is linux/amd64, linux/amd64/static or the like; without any, all
// are built: some minutes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/lastbit/lastbit/internal/release"
	"github.com/lastbit/lastbit/internal/wheel"
)

func main() {
	out := flag.String("o", "dist", "the `folder` for files")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "create:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, names []string) error {
	platforms, err := wheel.Named(names)
	if err != nil {
		return err
	}
	r := &release.Release{Builder: wheel.NewBuilder(ctx, out)}
	paths, err := r.Build(ctx, platforms)
	for _, path := range paths {
		fmt.Println(path)
	}
	return err
}
