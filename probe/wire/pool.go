package wire

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// idleTime is the time that a process without workers waits for the next one.
const idleTime = 5 * time.Second

// Pool runs the workers of one kind of program in one process, which loads its
// libraries once. Their calls take turns. A process waits five seconds for
// another worker when its last one has been closed. The zero value is empty.
// Several goroutines may use it.
//
// A program takes part by keeping several sessions: the line "use K" selects
// the session of the lines that follow, its hello the first, and "forget K"
// ends one. It answers neither.
//
// A process that dies takes all sessions with it. The worker whose call it died
// in asks again in a process of its own, so that no worker fails by the fault
// of another.
type Pool struct {
	mu   sync.Mutex
	kept map[string]*child
}

// sharing is the part of a child that a Pool guards.
type sharing struct {
	workers   int      // that have a session
	sessions  int      // numbered so far
	turns     int      // changes of workers
	forgotten []string // sessions to end before the next request
}

// Idle returns the number of processes that wait.
func (p *Pool) Idle() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.kept {
		if c.workers == 0 {
			n++
		}
	}
	return n
}

// Close ends the processes that wait. Others end with their last worker.
func (p *Pool) Close() {
	p.mu.Lock()
	var waiting []*child
	for _, c := range p.kept {
		if c.workers == 0 {
			waiting = append(waiting, c)
		}
	}
	p.kept = nil
	p.mu.Unlock()
	for _, c := range waiting {
		c.end()
	}
}

// join returns the process of a program's kind, started unless there is one,
// and the name of a new session in it. isNew reports whether it was started.
func (p *Pool) join(prog Program, extra ...*os.File) (c *child, session string, isNew bool,
	err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c = p.kept[prog.Kind]; c == nil || isClosed(c.done) {
		if c, err = startChild(prog, extra...); err != nil {
			return nil, "", false, err
		}
		if p.kept == nil {
			p.kept = make(map[string]*child)
		}
		p.kept[prog.Kind], isNew = c, true
	}
	c.workers++
	c.sessions++
	c.turns++
	return c, strconv.Itoa(c.sessions), isNew, nil
}

// leave ends a session, and the process unless it has others, or gets one in
// time.
func (p *Pool) leave(kind, session string, c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.forgotten = append(c.forgotten, session)
	c.workers--
	c.turns++
	switch turn := c.turns; {
	case c.workers > 0:
	case p.kept[kind] != c:
		go c.end()
	case c.proc == nil: // a connection cannot be made again
	default:
		time.AfterFunc(idleTime, func() {
			if p.remove(kind, c, turn) {
				c.end()
			}
		})
	}
}

// remove takes a process out, unless workers came or went since a turn. It
// reports whether it did.
func (p *Pool) remove(kind string, c *child, turn int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[kind] != c || c.turns != turn {
		return false
	}
	delete(p.kept, kind)
	return true
}

// drop takes a process out that has ended.
func (p *Pool) drop(kind string, c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[kind] == c {
		delete(p.kept, kind)
	}
}

// selectSession returns the lines that come before a request of a session.
func (p *Pool) selectSession(c *child, session string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, k := range c.forgotten {
		b.WriteString("forget " + k + "\n")
	}
	c.forgotten = nil
	if c.using != session {
		b.WriteString("use " + session + "\n")
		c.using = session
	}
	return b.String()
}

// isClosed reports whether a channel is closed that nothing is sent on.
func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
