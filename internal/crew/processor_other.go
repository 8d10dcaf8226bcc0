//go:build !linux

package crew

// thisProcessor returns 0: the system does not report where a thread runs.
func thisProcessor() processor { return 0 }

func (processor) leave() {}

func yield() {}
