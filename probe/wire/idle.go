package wire

import (
	"slices"
	"sync"
	"time"
)

// idleTime is the time that a process waits for its next worker.
const idleTime = 5 * time.Second

// Idle keeps the processes of closed workers for five seconds, so that the next
// worker of the same kind of program takes one over instead of starting another
// that loads the same library. The zero value is empty. Several goroutines may
// use it.
//
// A program takes part by reading a hello where it could read a call: it
// forgets the old key and answers the new hello.
type Idle struct {
	mu   sync.Mutex
	kept map[string][]*child
}

// Len returns the number of processes that wait.
func (i *Idle) Len() (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, all := range i.kept {
		n += len(all)
	}
	return n
}

// Close ends the processes that wait.
func (i *Idle) Close() {
	i.mu.Lock()
	all := i.kept
	i.kept = nil
	i.mu.Unlock()
	for _, list := range all {
		for _, c := range list {
			c.end()
		}
	}
}

// take returns a process of a kind, or nil.
func (i *Idle) take(kind string) *child {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.kept[kind]
	if len(all) == 0 {
		return nil
	}
	c := all[len(all)-1]
	c.turns++
	i.kept[kind] = all[:len(all)-1]
	return c
}

// put keeps a process, and ends it unless it is taken in time.
func (i *Idle) put(kind string, c *child) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.kept == nil {
		i.kept = make(map[string][]*child)
	}
	i.kept[kind] = append(i.kept[kind], c)
	turn := c.turns
	time.AfterFunc(idleTime, func() {
		if i.remove(kind, c, turn) {
			c.end()
		}
	})
}

// remove reports whether a process was still there since its turn, and takes it
// out.
func (i *Idle) remove(kind string, c *child, turn int) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := slices.Index(i.kept[kind], c)
	if at < 0 || c.turns != turn {
		return false
	}
	i.kept[kind] = slices.Delete(i.kept[kind], at, at+1)
	return true
}
