package sums

import (
	"context"
	"errors"
	"io"

	"github.com/lastbit/lastbit/dataset"
)

// blocksAhead is the number of blocks read before they have been added.
const blocksAhead = 4

// fed is a block, or the error that ended the reading.
type fed struct {
	input       int
	name        string
	block       *dataset.Block
	done, total int64
	err         error
}

// An opener opens an input.
type opener func(i int) (*dataset.Reader, error)

// A feeder reads inputs one after the other, while others add the blocks that
// it has read.
type feeder struct {
	blocks chan fed
	used   chan *dataset.Block
}

// feed calls use for every block of n inputs. It returns soon after ctx is
// done, even while a stream has nothing to read.
func feed(ctx context.Context, n int, open opener, use func(fed) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &feeder{blocks: make(chan fed), used: make(chan *dataset.Block, blocksAhead)}
	for range blocksAhead {
		f.used <- new(dataset.Block)
	}
	go f.read(ctx, n, open)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, ok := <-f.blocks:
			if !ok {
				return ctx.Err()
			}
			if b.err != nil {
				return b.err
			}
			if err := use(b); err != nil {
				return err
			}
			f.used <- b.block
		}
	}
}

// read reads the inputs.
func (f *feeder) read(ctx context.Context, n int, open opener) {
	defer close(f.blocks)
	for i := range n {
		if err := f.readInput(ctx, i, open); err != nil {
			f.give(ctx, fed{err: err})
			return
		}
	}
}

func (f *feeder) readInput(ctx context.Context, i int, open opener) error {
	r, err := open(i)
	if errors.Is(err, errNotMine) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		var b *dataset.Block
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b = <-f.used:
		}
		switch err := r.Next(b); {
		case err == io.EOF:
			f.used <- b
			return nil
		case err != nil:
			return err
		}
		done, total := r.Progress()
		f.give(ctx, fed{input: i, name: r.Name(), block: b, done: done, total: total})
	}
}

// give passes a block on.
func (f *feeder) give(ctx context.Context, b fed) {
	select {
	case <-ctx.Done():
	case f.blocks <- b:
	}
}
