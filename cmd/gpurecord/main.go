// Gpurecord records how PyTorch and CUDA add on this machine's GPU, for a
// replay elsewhere; docs/develop/gpu.md describes it. It needs no Go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/lastbit/lastbit/cmd/gpurecord/internal/recording"
	"github.com/lastbit/lastbit/probe/open"
)

func main() {
	open.ServeIfWorker()
	dir := flag.String("out", "recording", "folder of the recording")
	device := flag.String("device", "cuda", "cpu or cuda")
	scripts := flag.String("scripts", ".", "folder of fp8.py and of the compiled mma")
	budget := flag.Duration("budget", 9*time.Minute, "time for all steps")
	limit := flag.Duration("limit", 40*time.Second, "time for one step")
	flag.Parse()
	folder, err := filepath.Abs(*scripts)
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	_, err = recording.Record(ctx, recording.Config{
		Dir: *dir, Device: *device, Budget: *budget, Limit: *limit,
		Steps: recording.Plan(folder), Log: func(line string) { fmt.Println(line) },
	})
	stop()
	if err == nil {
		var c recording.Counts
		if c, err = recording.Replay(*dir); err == nil {
			fmt.Printf("%d steps recorded; %d verified trees give all of %d outputs\n", c.Steps,
				c.Verified, c.Outputs)
		}
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gpurecord:", err)
	os.Exit(1)
}
