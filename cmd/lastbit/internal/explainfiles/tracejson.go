package explainfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// savedFormat and savedVersion name what PyTorch's DebugMode.save_logs writes.
const (
	savedFormat  = "torch.utils._debug_mode.DebugMode.logs"
	savedVersion = "1"
)

// savedCall is a call in a log that DebugMode.save_logs wrote.
type savedCall struct {
	Type       string
	OpName     string          `json:"op_name"`
	Args       string          `json:"args_str"`
	Kwargs     string          `json:"kwargs_str"`
	Log        json.RawMessage // a dictionary with the hashes, or null
	KernelName string          `json:"kernel_name"`
	Pre        json.RawMessage `json:"pre_hashes"`
	Post       json.RawMessage `json:"post_hashes"`
}

// savedTrace reads the steps of a log that DebugMode.save_logs wrote: operators
// and Triton's kernels with hashes of their inputs and outputs. The hashes are
// written as debug_string writes them.
func savedTrace(name string, r io.Reader) (steps []*Step, err error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	var format, version string
	wrong := func(err error) ([]*Step, error) {
		return nil, &probe.Fault{ID: "bad-data", Thing: name,
			Cause: "it cannot be read as a log of DebugMode.save_logs",
			Cure:  "is it whole? write it again with DebugMode.save_logs(mode.logs, …)", Err: err}
	}
	if err := opens(d, '{'); err != nil {
		return wrong(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return wrong(err)
		}
		switch key {
		case "format":
			err = d.Decode(&format)
		case "version":
			var n json.Number
			err = d.Decode(&n)
			version = n.String()
		case "logs":
			steps, err = savedSteps(d)
		default:
			err = d.Decode(new(json.RawMessage))
		}
		if err != nil {
			return wrong(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return wrong(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return wrong(errors.New("something follows its end"))
	}
	if format != savedFormat || version != savedVersion {
		return wrong(fmt.Errorf("its format is %q, version %q", format, version))
	}
	return steps, nil
}

// opens reads the sign that opens an object or a list.
func opens(d *json.Decoder, sign json.Delim) error {
	t, err := d.Token()
	if err == nil && t != sign {
		err = fmt.Errorf("%v where %v should be", t, sign)
	}
	return err
}

// savedSteps reads the list of calls.
func savedSteps(d *json.Decoder) ([]*Step, error) {
	if err := opens(d, '['); err != nil {
		return nil, err
	}
	var steps []*Step
	for d.More() {
		var c savedCall
		err := d.Decode(&c)
		if err != nil {
			return nil, err
		}
		s, err := c.step()
		if err != nil {
			return nil, err
		}
		if s != nil {
			steps = append(steps, s)
		}
	}
	_, err := d.Token()
	return steps, err
}

// step returns the step of a call, nil for one without hashes.
func (c *savedCall) step() (*Step, error) {
	s := &Step{Axis: AllAxes}
	in, out := c.Pre, c.Post
	switch c.Type {
	case "op":
		hashes, err := entries(c.Log)
		if err != nil {
			return nil, err
		}
		in, out = hashes["input_hash"], hashes["hash"]
		s.Name = c.OpName
		s.Op, s.Axis = operation(c.OpName, c.Args+c.Kwargs)
	case "triton_kernel":
		s.Name, s.kernel = c.KernelName, true
	default:
		return nil, nil
	}
	if isNull(in) || isNull(out) {
		return nil, nil
	}
	var err error
	if s.in, err = pythonText(in); err == nil {
		s.out, err = pythonText(out)
	}
	return s, err
}

func isNull(b json.RawMessage) bool { return len(b) == 0 || string(b) == "null" }

// savedValue is a value in such a log.
type savedValue struct {
	Type  string
	Value json.RawMessage
	Items []json.RawMessage
}

// entries returns the values of a dictionary.
func entries(b json.RawMessage) (map[string]json.RawMessage, error) {
	if isNull(b) {
		return nil, nil
	}
	var v savedValue
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	found := map[string]json.RawMessage{}
	for _, item := range v.Items {
		key, value, err := entry(item)
		if err != nil || v.Type != "dict" {
			return nil, errors.Join(err, fmt.Errorf("a log of type %q", v.Type))
		}
		found[key] = value
	}
	return found, nil
}

// entry returns the key and the value of an item of a dictionary.
func entry(b json.RawMessage) (key string, value json.RawMessage, err error) {
	var pair []json.RawMessage
	if err = json.Unmarshal(b, &pair); err == nil && len(pair) != 2 {
		err = errors.New("an item of a dictionary is not a pair")
	}
	if err != nil {
		return "", nil, err
	}
	return key, pair[1], json.Unmarshal(pair[0], &key)
}

// pythonText returns a value as Python prints it.
func pythonText(b json.RawMessage) (string, error) {
	var v savedValue
	if err := json.Unmarshal(b, &v); err != nil {
		return "", err
	}
	switch v.Type {
	case "scalar", "nonfinite_float":
		return scalarText(v)
	case "tuple", "list", "dict":
	default:
		return "", fmt.Errorf("a value of type %q", v.Type)
	}
	var parts []string
	for _, item := range v.Items {
		key := ""
		if v.Type == "dict" {
			var err error
			if key, item, err = entry(item); err != nil {
				return "", err
			}
			key = "'" + key + "': "
		}
		text, err := pythonText(item)
		if err != nil {
			return "", err
		}
		parts = append(parts, key+text)
	}
	all := strings.Join(parts, ", ")
	switch {
	case v.Type == "list":
		return "[" + all + "]", nil
	case v.Type == "dict":
		return "{" + all + "}", nil
	case len(parts) == 1:
		return "(" + all + ",)", nil
	}
	return "(" + all + ")", nil
}

// scalarText returns a number, a text or a constant as Python prints it.
func scalarText(v savedValue) (string, error) {
	text := string(bytes.TrimSpace(v.Value))
	switch {
	case text == "null" || text == "":
		return "None", nil
	case text == "true":
		return "True", nil
	case text == "false":
		return "False", nil
	case text[0] != '"':
		return text, nil
	}
	var s string
	err := json.Unmarshal(v.Value, &s)
	if v.Type == "scalar" {
		s = "'" + s + "'"
	}
	return s, err
}
