//go:build !linux

package crew

// processor is empty: the system does not report where a thread runs.
type processor struct{}

func thisProcessor() processor { return processor{} }

func (processor) leave() {}

func yield() {}
