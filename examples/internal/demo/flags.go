package demo

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// Main runs a program with the arguments of its command line. It exits with 0,
// or with 1 after an error, which it writes to standard error.
func Main(run func(args []string, stdout io.Writer) error) {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Flags are the flags of a program.
type Flags struct {
	set    *flag.FlagSet
	help   bytes.Buffer
	checks []func() error
}

// NewFlags returns the flags of the program of a name.
func NewFlags(name string) *Flags {
	f := &Flags{set: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.set.SetOutput(&f.help)
	return f
}

// Int defines a flag for an integer of at least low and at most high.
func (f *Flags) Int(name string, value, low, high int, usage string) *int {
	p := f.set.Int(name, value, usage)
	f.checks = append(f.checks, func() error {
		if *p < low || *p > high {
			return fmt.Errorf("-%s %d: it must be from %d to %d", name, *p, low, high)
		}
		return nil
	})
	return p
}

// Workers defines the flag for the number of goroutines.
func (f *Flags) Workers() *int {
	const most = 1024
	return f.Int("workers", min(runtime.GOMAXPROCS(0), most), 1, most, "number of goroutines")
}

// Seed defines a flag for a number that seeds random numbers.
func (f *Flags) Seed(name, usage string) *uint64 { return f.set.Uint64(name, 0, usage) }

// Bool defines a flag that is given or not.
func (f *Flags) Bool(name, usage string) *bool { return f.set.Bool(name, false, usage) }

// Word defines a flag for one of a few words; the first is the default.
func (f *Flags) Word(name, usage string, words ...string) *string {
	list := strings.Join(words, " or ")
	p := f.set.String(name, words[0], usage+": "+list)
	f.checks = append(f.checks, func() error {
		for _, w := range words {
			if *p == w {
				return nil
			}
		}
		return fmt.Errorf("-%s %s: it must be %s", name, *p, list)
	})
	return p
}

// Parse reads the arguments. For -h it writes the flags to stdout and returns
// flag.ErrHelp.
func (f *Flags) Parse(args []string, stdout io.Writer) error {
	err := f.set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		if _, err := f.help.WriteTo(stdout); err != nil {
			return err
		}
		return flag.ErrHelp
	}
	if err == nil && f.set.NArg() > 0 {
		err = fmt.Errorf("%q is not a flag", f.set.Arg(0))
	}
	for i := 0; err == nil && i < len(f.checks); i++ {
		err = f.checks[i]()
	}
	if err != nil {
		return fmt.Errorf("%s: %w; %s -h lists the flags", f.set.Name(), err, f.set.Name())
	}
	return nil
}
