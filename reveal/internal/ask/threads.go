package ask

import (
	"time"

	"github.com/lastbit/lastbit/probe"
)

// threads is what is known about the threads of a target.
type threads int

const (
	oneThread threads = iota // no other thread than the first has computed
	doubtful                 // others have, for little time, and one was asked for
	unknown
	several
)

// maxIdleWork bounds the time that the runtime of a process takes in other
// threads for each call, and idleShare the share of the time of calls that it
// adds. Go's takes 2 to 8 µs, and more on a busy machine and in long calls.
const (
	maxIdleWork = 25 * time.Microsecond
	idleShare   = 10
)

// threadsOf returns what is known about the threads of the target so far.
func threadsOf(c *Channel) threads {
	t, ok := otherThreads(c.target)
	switch t -= c.others; {
	case !ok:
		return unknown
	case t == 0:
		return oneThread
	case c.Key.Threads == 1 &&
		t < time.Duration(c.calls-c.opt.Spent)*maxIdleWork+c.busy/idleShare:
		return doubtful
	}
	return several
}

// otherThreads returns the processor time that a target has used in all threads
// except its first. ok is false where it is unknown, and for the threads of
// another device.
func otherThreads(t probe.Target) (time.Duration, bool) {
	if d := t.Key().Device; d != "" && d != "cpu" {
		return 0, false
	}
	if h, ok := t.(probe.Threaded); ok {
		return h.OtherThreads()
	}
	return 0, false
}
