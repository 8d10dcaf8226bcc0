// Command create builds wheels of the Python package.
//
//	go run ./internal/wheel/create [-o dist] [platform ...]
//
// A platform is linux/amd64, linux/amd64/static or the like; without any, all
// are built.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/lastbit/lastbit/internal/wheel"
)

func main() {
	out := flag.String("o", "dist", "the `folder` for wheels")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "create:", err)
		os.Exit(1)
	}
}

// maxBytes bounds the size of a wheel.
const maxBytes = 20 << 20

func run(ctx context.Context, out string, names []string) error {
	platforms, err := wheel.Named(names)
	if err != nil {
		return err
	}
	b := wheel.NewBuilder(ctx, out)
	for _, p := range platforms {
		path, err := b.Build(ctx, p)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		fmt.Printf("%s  %.1f MB\n", path, float64(info.Size())/1e6)
		if info.Size() > maxBytes {
			return fmt.Errorf("%s has more than 20 MB", path)
		}
	}
	return nil
}
