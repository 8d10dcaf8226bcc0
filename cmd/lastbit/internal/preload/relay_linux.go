package preload

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// relay passes signals to lastbit on to the program.
//
// A terminal sends its signals of the keyboard to all processes in its
// foreground. There the program gets an interrupt with lastbit, and a second
// one from lastbit would interrupt how it ends; so those are not passed on.
type relay struct {
	signals chan os.Signal
	done    chan struct{}
}

// newRelay begins to hold signals. One that lastbit was started to ignore, as
// by nohup, is ignored by the program as well.
func newRelay() *relay {
	r := &relay{make(chan os.Signal, 16), make(chan struct{})}
	for _, s := range []os.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM,
		syscall.SIGUSR1, syscall.SIGUSR2,
	} {
		if !signal.Ignored(s) {
			signal.Notify(r.signals, s)
		}
	}
	return r
}

// passOn passes signals on until stop is called.
func (r *relay) passOn(p *os.Process) {
	for {
		select {
		case s := <-r.signals:
			if (s == syscall.SIGINT || s == syscall.SIGQUIT) && isForeground() {
				continue
			}
			_ = p.Signal(s) // it may have ended
		case <-r.done:
			return
		}
	}
}

func (r *relay) stop() {
	signal.Stop(r.signals)
	close(r.done)
}

// isForeground reports whether lastbit, and with it the program, is in the
// foreground of a terminal.
func isForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
