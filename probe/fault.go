package probe

import "encoding/json"

// Fault is the error of a failed request. It names the thing, the cause and the
// cure. ID is a heading of docs/reference/errors.md.
type Fault struct {
	ID    string
	Thing string
	Cause string
	Cure  string
	Err   error // the error behind it; may be nil
}

// Error returns the thing, the cause, the cure and the heading of
// docs/reference/errors.md on one line.
func (f *Fault) Error() string {
	s := f.Thing + ": " + f.Cause
	if f.Err != nil {
		s += " (" + f.Err.Error() + ")"
	}
	if f.Cure != "" {
		s += "; " + f.Cure
	}
	return s + " [docs/reference/errors.md#" + f.ID + "]"
}

// Unwrap returns the error behind the fault.
func (f *Fault) Unwrap() error { return f.Err }

// MarshalJSON returns an object of the fault's parts and its message.
func (f *Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{
		"id": f.ID, "thing": f.Thing, "cause": f.Cause, "cure": f.Cure, "message": f.Error(),
	})
}
